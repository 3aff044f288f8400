/**
 * Who gives a lease back: the last scope that wanted it, its writer, or the end of that.
 */
import { describe, expect, it } from "@effect/vitest";
import { ActorId, RegistryUnavailable, TurnId } from "@troupe/core";
import { Effect, Exit, Scope, TestClock } from "effect";
import { leaseHome, name, writer } from "./LeaseHome.js";

const x = ActorId.make("x");

describe("a lease that a scope acquired", () => {
  it.scoped("stays for the scope around it, and goes with that, once", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const { leases } = yield* home.program("one");
      const outer = yield* Scope.make();
      const lease = yield* Scope.extend(leases.acquire(writer("a", "x")), outer);
      expect(yield* Effect.scoped(leases.acquire(writer("a", "x")))).toEqual(lease);
      yield* leases.guarded(lease);
      expect(home.rows()).toEqual(["a x 1"]);
      yield* Scope.close(outer, Exit.void);
      expect(home.rows()).toEqual([]);
    }),
  );

  it.scoped("stays with its writer where that had it before, and goes at its word", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const { leases } = yield* home.program("one");
      const lease = yield* leases.claim(writer("a", "x"));
      yield* Effect.scoped(leases.acquire(writer("a", "x")));
      expect(home.rows()).toEqual(["a x 1"]);
      const scope = yield* Scope.make();
      yield* Scope.extend(leases.acquire(writer("a", "x")), scope);
      yield* leases.release(lease);
      expect(home.rows()).toEqual([]);
      yield* leases.claim(writer("a", "y"));
      yield* Scope.close(scope, Exit.void);
      expect(home.rows()).toEqual(["a y 2"]);
    }),
  );

  it.scoped("goes with the scope at the name to which it was moved", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a", "b", "c");
      const { leases } = yield* home.program("one");
      const scope = yield* Scope.make();
      const lease = yield* Scope.extend(leases.acquire(writer("a", "x")), scope);
      const moved = yield* leases.reanchor(lease, name("b"));
      yield* leases.reanchor(moved, name("c"));
      expect(home.rows()).toEqual(["c x 1"]);
      yield* Scope.close(scope, Exit.void);
      expect(home.rows()).toEqual([]);
    }),
  );
});

describe("the end of a writer", () => {
  it.scoped("gives back what it holds for every name, and what it owes, and nobody else's", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a", "b", "c");
      let isFailing = true;
      const { leases } = yield* home.program("one", {
        settings: { leaseAttempts: 1 },
        around: (registry) => ({
          ...registry,
          releaseLease: (lease) =>
            isFailing
              ? new RegistryUnavailable({ session: "a", attempted: "release", detail: "busy" })
              : registry.releaseLease(lease),
        }),
      });
      const first = yield* leases.claim(writer("a", "x"));
      yield* leases.reanchor(first, name("b"));
      const second = yield* leases.claim(writer("a", "x"));
      yield* Effect.flip(leases.release(second));
      yield* leases.claim(writer("c", "y"));
      expect(yield* Effect.flip(leases.end(x, null))).toMatchObject({
        _tag: "RegistryUnavailable",
      });
      expect(home.rows()).toEqual(["b x 1", "a x 2", "c y 1"]);
      isFailing = false;
      yield* leases.end(x, null);
      expect(home.rows()).toEqual(["c y 1"]);
    }),
  );

  it.scoped("leaves all of it to a turn that runs on, and it goes when that has ended", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a", "b");
      const { leases } = yield* home.program("one");
      const turn = TurnId.make("turn-1");
      for (const session of ["a", "b"]) yield* leases.claim(writer(session, "x"));
      yield* leases.end(x, { turn, children: [] });
      yield* TestClock.adjust("10 hours");
      expect(home.rows()).toEqual(["a x 1", "b x 1"]);
      yield* leases.settle({ _tag: "TurnEnded", turn });
      yield* TestClock.adjust("1 millis");
      expect(home.rows()).toEqual([]);
    }),
  );
});
