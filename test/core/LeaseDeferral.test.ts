/**
 * A lease whose writer ended while its turn runs on: proof releases it, time does not.
 */
import { describe, expect, it } from "@effect/vitest";
import { type OwnedLease, RegistryUnavailable, TurnId } from "@troupe/core";
import { Effect, TestClock } from "effect";
import { type LeaseProgramOptions, leaseHome, living, writer } from "./LeaseHome.js";

const turn = TurnId.make("turn-1");
const other = TurnId.make("turn-2");
const child = living(77);

/** A lease that waits for a turn of the child. */
const deferred = (options: LeaseProgramOptions = {}) =>
  Effect.gen(function* () {
    const home = yield* leaseHome("a");
    home.processes.set(77, child);
    const one = yield* home.program("one", options);
    const two = yield* home.program("two");
    const lease: OwnedLease = yield* one.leases.claim(writer("a", "x"));
    yield* one.leases.defer(lease, { turn, children: [child.id] });
    const refused = Effect.match(two.leases.claim(writer("a", "y")), {
      onFailure: ({ _tag }) => _tag,
      onSuccess: ({ epoch }) => epoch,
    });
    return { home, leases: one.leases, lease, refused };
  });

describe("a deferred lease", () => {
  it.scoped(
    "refuses everybody until its turn has ended, and that of another turn says nothing",
    () =>
      Effect.gen(function* () {
        const { home, lease, leases, refused } = yield* deferred();
        yield* TestClock.adjust("1 hour");
        expect(yield* refused).toBe("LeaseHeld");
        yield* leases.settle({ _tag: "TurnEnded", turn: other });
        yield* TestClock.adjust("1 minute");
        expect(yield* refused).toBe("LeaseHeld");
        yield* leases.release(lease);
        expect(yield* refused).toBe("LeaseHeld");
        yield* leases.settle({ _tag: "TurnEnded", turn });
        yield* TestClock.adjust("1 millis");
        expect(home.rows()).toEqual([]);
        expect(yield* refused).toBe(2);
      }),
  );

  it.scoped("is kept for a child that is named while it waits, also during the very look", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const later = living(78);
      const unsettled = { turn, children: [child.id] };
      home.processes.set(77, child);
      home.processes.set(78, later);
      const one = yield* home.program("one");
      const get = home.processes.get.bind(home.processes);
      home.processes.get = (pid) => {
        if (unsettled.children.length === 1) unsettled.children = [child.id, later.id];
        return get(pid);
      };
      yield* one.leases.defer(yield* one.leases.claim(writer("a", "x")), unsettled);
      home.processes.delete(77);
      yield* TestClock.adjust("10 hours");
      expect(home.rows()).toEqual(["a x 1"]);
      home.processes.delete(78);
      yield* TestClock.adjust("30 minutes");
      expect(home.rows()).toEqual([]);
    }),
  );

  it.scoped("is kept while its child lives, however long, and goes when that is gone", () =>
    Effect.gen(function* () {
      const { home, refused } = yield* deferred();
      yield* TestClock.adjust("1801 seconds");
      expect(yield* refused).toBe("LeaseHeld");
      yield* TestClock.adjust("10 hours");
      expect(yield* refused).toBe("LeaseHeld");
      home.processes.delete(77);
      expect(yield* refused).toBe("LeaseHeld");
      yield* TestClock.adjust("30 minutes");
      expect(home.rows()).toEqual([]);
    }),
  );

  it.scoped("that names two children is kept until both are gone, in whatever order", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const [first, second] = [living(77), living(78)];
      home.processes.set(77, first).set(78, second);
      const { leases } = yield* home.program("one");
      const lease = yield* leases.claim(writer("a", "x"));
      yield* leases.defer(lease, { turn, children: [first.id, second.id] });
      home.processes.delete(78);
      yield* TestClock.adjust("10 hours");
      expect(home.rows()).toEqual(["a x 1"]);
      home.processes.set(78, second).delete(77);
      yield* TestClock.adjust("10 hours");
      expect(home.rows()).toEqual(["a x 1"]);
      home.processes.delete(78);
      yield* TestClock.adjust("30 minutes");
      expect(home.rows()).toEqual([]);
    }),
  );

  it.scoped("is kept while its child cannot be looked at, and goes when another has its pid", () =>
    Effect.gen(function* () {
      const { home, refused } = yield* deferred();
      home.processes.set(77, null);
      yield* TestClock.adjust("2 hours");
      expect(yield* refused).toBe("LeaseHeld");
      home.processes.set(77, { ...child, id: { ...child.id, startTime: 78 } });
      yield* TestClock.adjust("30 minutes");
      expect(home.rows()).toEqual([]);
    }),
  );

  it.scoped("is not looked at because the machine slept", () =>
    Effect.gen(function* () {
      const { home, refused } = yield* deferred();
      home.processes.delete(77);
      yield* home.suspend("1 hour");
      yield* TestClock.adjust("1 minute");
      expect(yield* refused).toBe("LeaseHeld");
      yield* TestClock.adjust("29 minutes");
      expect(home.rows()).toEqual([]);
    }),
  );

  it.scoped("whose release fails stays, is vouched for, and goes at the next look", () =>
    Effect.gen(function* () {
      let fails = 3;
      const { home, leases } = yield* deferred({
        around: (registry) => ({
          ...registry,
          releaseLease: (lease) =>
            Effect.suspend(() =>
              fails-- > 0
                ? new RegistryUnavailable({ session: "a", attempted: "x", detail: "busy" })
                : registry.releaseLease(lease),
            ),
        }),
      });
      yield* leases.settle({ _tag: "TurnEnded", turn });
      yield* TestClock.adjust("1 minute");
      expect(yield* leases.sweep).toEqual({ dead: 0, ownOrphans: 0 });
      expect(home.rows()).toEqual(["a x 1"]);
      yield* TestClock.adjust("30 minutes");
      expect(home.rows()).toEqual([]);
    }),
  );
});
