/**
 * Giving a lease back: once, with three tries, and never one that is not meant.
 */
import { describe, expect, it } from "@effect/vitest";
import { RegistryUnavailable } from "@troupe/core";
import { Effect, Fiber, Option, TestClock } from "effect";
import { type Around, leaseHome, writer } from "./LeaseHome.js";

/** A registry that fails so many releases first; what was asked of it. */
const failing = (failures: number) => {
  const told = { calls: 0, removed: 0 };
  const around: Around = (registry) => ({
    ...registry,
    releaseLease: (lease) =>
      Effect.suspend(() => {
        told.calls += 1;
        if (told.calls <= failures) {
          return new RegistryUnavailable({ session: "a", attempted: "release", detail: "busy" });
        }
        return Effect.tap(registry.releaseLease(lease), (removed) => {
          told.removed += removed ? 1 : 0;
        });
      }),
  });
  return { told, around };
};

describe("a release", () => {
  it.scoped("is tried three times while the registry is busy, the third time after 150 ms", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const { around, told } = failing(2);
      const { leases } = yield* home.program("one", { around });
      const lease = yield* leases.claim(writer("a", "x"));
      const release = yield* Effect.fork(leases.release(lease));
      yield* TestClock.adjust("149 millis");
      expect([home.rows(), told.calls]).toEqual([["a x 1"], 2]);
      yield* TestClock.adjust("1 millis");
      yield* Fiber.join(release);
      expect([home.rows(), told]).toEqual([[], { calls: 3, removed: 1 }]);
    }),
  );

  it.scoped("that fails three times is one failure, and the next try succeeds once", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const { around, told } = failing(3);
      const { leases } = yield* home.program("one", { around });
      const lease = yield* leases.claim(writer("a", "x"));
      const release = yield* Effect.fork(Effect.flip(leases.release(lease)));
      yield* TestClock.adjust("150 millis");
      expect((yield* Fiber.join(release))._tag).toBe("RegistryUnavailable");
      expect([home.rows(), told.calls]).toEqual([["a x 1"], 3]);
      yield* TestClock.adjust("5 minutes");
      expect([home.rows(), told]).toEqual([[], { calls: 4, removed: 1 }]);
      yield* leases.release(lease);
      expect(told.calls).toBe(4);
    }),
  );

  it.scoped("is asked of the registry once, by whoever is first", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const { around, told } = failing(0);
      const { leases } = yield* home.program("one", { around });
      const lease = yield* leases.claim(writer("a", "x"));
      const both = [leases.release(lease), leases.release(lease)];
      yield* Effect.all(both, { concurrency: "unbounded" });
      expect(told).toEqual({ calls: 1, removed: 1 });
    }),
  );

  it.scoped("of an old lease leaves the newer one of its writer", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const { leases, registry } = yield* home.program("one");
      const old = yield* leases.claim(writer("a", "x"));
      yield* leases.release(old);
      const newer = yield* leases.claim(writer("a", "x"));
      yield* leases.release(old);
      expect(yield* registry.releaseLease(old)).toBe(false);
      expect(home.rows()).toEqual(["a x 2"]);
      expect(Option.isSome(yield* leases.current(newer.session))).toBe(true);
    }),
  );

  it.scoped("that failed is owed: nothing is done under the lease before it is claimed again", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const { around, told } = failing(3);
      const { leases } = yield* home.program("one", { around });
      const own = writer("a", "x");
      const lease = yield* leases.claim(own);
      const release = yield* Effect.fork(Effect.exit(leases.release(lease)));
      yield* TestClock.adjust("150 millis");
      yield* Fiber.join(release);
      expect((yield* Effect.flip(leases.guarded(lease)))._tag).toBe("LeaseLost");
      const again = yield* leases.claim(own);
      expect(again).toEqual(lease);
      yield* leases.guarded(again);
      yield* leases.sweep;
      yield* TestClock.adjust("10 minutes");
      expect([home.rows(), told.calls]).toEqual([["a x 1"], 3]);
      yield* leases.release(again);
      expect(home.rows()).toEqual([]);
    }),
  );

  it.scoped("that was done and not heard of is a claim at the next epoch for its writer", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      let isDeaf = true;
      const { leases } = yield* home.program("one", {
        settings: { leaseAttempts: 1 },
        around: (registry) => ({
          ...registry,
          releaseLease: (lease) =>
            Effect.filterOrFail(
              registry.releaseLease(lease),
              () => !isDeaf,
              () => new RegistryUnavailable({ session: "a", attempted: "release", detail: "busy" }),
            ),
        }),
      });
      const lease = yield* leases.claim(writer("a", "x"));
      yield* Effect.flip(leases.release(lease));
      isDeaf = false;
      const again = yield* leases.claim(writer("a", "x"));
      expect([home.rows(), again.epoch]).toEqual([["a x 2"], 2]);
      yield* leases.release(again);
      expect(home.rows()).toEqual([]);
    }),
  );
});
