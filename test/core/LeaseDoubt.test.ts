/**
 * A lease that goes elsewhere, and an answer that is lost or late: whoever was told of a failure
 * has nothing, and no row of it stays for ever; whoever gets it was vouched for all the while.
 */
import { describe, expect, it } from "@effect/vitest";
import { RegistryUnavailable } from "@troupe/core";
import { Deferred, Effect, Fiber, TestClock } from "effect";
import { type Around, leaseHome, name, writer } from "./LeaseHome.js";
import { settle } from "./TurnHome.js";

/** A move is done, and nobody hears of it. */
const unheard: Around = (registry) => ({
  ...registry,
  moveLease: (lease, to) =>
    Effect.zipRight(
      registry.moveLease(lease, to),
      new RegistryUnavailable({ ...to, detail: "the disk is slow" }),
    ),
});

const setting = Effect.gen(function* () {
  const home = yield* leaseHome("a", "b");
  const { leases } = yield* home.program("one", { around: unheard });
  return { home, leases, lease: yield* leases.claim(writer("a", "x")) };
});

describe("a lease that went elsewhere, of which nobody heard", () => {
  for (const [how, to, row] of [
    ["to a sibling", "sibling", "a y 2"],
    ["to another name", "name", "b x 1"],
  ] as const) {
    for (const minutes of [0, 10]) {
      it.scoped(`${how}, is swept ${minutes} minutes behind who had it`, () =>
        Effect.gen(function* () {
          const { home, lease, leases } = yield* setting;
          const goes =
            to === "name" ? leases.reanchor(lease, name("b")) : leases.claim(writer("a", "y"));
          expect((yield* Effect.flip(goes))._tag).toBe("RegistryUnavailable");
          expect(home.rows()).toEqual([row]);
          yield* TestClock.adjust(`${minutes} minutes`);
          yield* leases.release(lease);
          yield* TestClock.adjust("10 minutes");
          expect(home.rows()).toEqual([]);
        }),
      );
    }
  }

  it.scoped("is the sibling's that claims again, and stays that", () =>
    Effect.gen(function* () {
      const { home, lease, leases } = yield* setting;
      yield* Effect.flip(leases.claim(writer("a", "y")));
      const again = yield* leases.claim(writer("a", "y"));
      yield* leases.release(lease);
      yield* TestClock.adjust("10 minutes");
      yield* leases.guarded(again);
      yield* leases.release(again);
      expect(home.rows()).toEqual([]);
    }),
  );
});

it.scoped("a sibling is vouched for before he hears that he has it", () =>
  Effect.gen(function* () {
    const home = yield* leaseHome("a");
    const answered = yield* Deferred.make<void>();
    const { leases } = yield* home.program("one", {
      around: (registry) => ({
        ...registry,
        moveLease: (lease, to) =>
          Effect.zipLeft(registry.moveLease(lease, to), Deferred.await(answered)),
      }),
    });
    const lease = yield* leases.claim(writer("a", "x"));
    yield* TestClock.adjust("1 hour");
    const taking = yield* Effect.fork(leases.claim(writer("a", "y")));
    yield* settle;
    // Who had it is told before the sibling is.
    const lost = yield* Effect.flip(leases.guarded(lease));
    const swept = yield* leases.sweep;
    yield* Deferred.succeed(answered, undefined);
    expect([lost._tag, swept]).toEqual(["LeaseLost", { dead: 0, ownOrphans: 0 }]);
    yield* leases.guarded(yield* Fiber.join(taking));
  }),
);
