/**
 * Who gives a lease back: the last scope that wanted it, its writer, or the end of that.
 */
import { describe, expect, it } from "@effect/vitest";
import { ActorId, type Leases, RegistryUnavailable, TurnId } from "@troupe/core";
import { Effect, Exit, Scope, TestClock } from "effect";
import { leaseHome, living, name, writer } from "./LeaseHome.js";

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

describe("a lease that was taken from a sibling whose child lives", () => {
  const turn = TurnId.make("turn");
  const child = living(7);
  const y = writer("a", "y");

  /** A home in which `y` wants the lease of `x`, whose turn has named a child. */
  const taking = (
    taken: (leases: Leases["Type"]) => Effect.Effect<unknown, unknown>,
    note: Parameters<Leases["Type"]["guarded"]>[1] = { turn, children: [child.id] },
  ) =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      home.processes.set(7, child);
      const { leases } = yield* home.program("one");
      yield* leases.guarded(yield* leases.claim(writer("a", "x")), note);
      yield* taken(leases);
      return { home, leases };
    });

  for (const [how, taken] of [
    ["by its writer", (leases) => Effect.flatMap(leases.claim(y), leases.release)],
    [
      "at the end of its writer",
      (leases) => Effect.zipRight(leases.claim(y), leases.end(y.actor, null)),
    ],
    ["by its scope", (leases) => Effect.scoped(leases.acquire(y))],
  ] satisfies ReadonlyArray<
    readonly [string, (leases: Leases["Type"]) => Effect.Effect<unknown, unknown>]
  >) {
    it.scoped(`is given back ${how} when that is gone, and not before`, () =>
      Effect.gen(function* () {
        const { home, leases } = yield* taking(taken);
        yield* TestClock.adjust("2 hours");
        expect(home.rows()).toEqual(["a y 2"]);
        yield* leases.settle({ _tag: "TurnEnded", turn: TurnId.make("other") });
        expect((yield* Effect.flip(leases.claim(writer("a", "z"))))._tag).toBe("LeaseHeld");
        home.processes.delete(7);
        yield* TestClock.adjust("2 hours");
        expect(home.rows()).toEqual([]);
      }),
    );

    it.scoped(`goes ${how} as soon as the turn is over that named it`, () =>
      Effect.gen(function* () {
        const { home, leases } = yield* taking(taken);
        expect(home.rows()).toEqual(["a y 2"]);
        yield* leases.settle({ _tag: "TurnEnded", turn });
        yield* TestClock.adjust("1 second");
        expect(home.rows()).toEqual([]);
      }),
    );
  }

  it.scoped("is given back in the same way where nobody said by which turn that was named", () =>
    Effect.gen(function* () {
      const taken = (leases: Leases["Type"]) => Effect.flatMap(leases.claim(y), leases.release);
      const { home } = yield* taking(taken, { children: [child.id] });
      expect(home.rows()).toEqual(["a y 2"]);
      home.processes.delete(7);
      yield* TestClock.adjust("2 hours");
      expect(home.rows()).toEqual([]);
    }),
  );

  it.scoped("tells its writer of it, who goes on under it meanwhile", () =>
    Effect.gen(function* () {
      const { leases } = yield* taking(() => Effect.void);
      const lease = yield* leases.claim(y);
      expect(yield* leases.guarded(lease, { turn: TurnId.make("next") })).toEqual([child.id]);
      expect(yield* leases.guarded(lease, { turn: null, children: [] })).toEqual([]);
    }),
  );
});
