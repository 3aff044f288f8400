/**
 * The service `Leases`, on one home in memory, with several programs and a clock that stands still
 * unless it is moved.
 */
import { describe, expect, it } from "@effect/vitest";
import { LeaseId, Leases, RegistryCorrupt, RegistryUnavailable } from "@troupe/core";
import { Effect, Exit, Option, Scope } from "effect";
import { ended, leaseHome, name, writer } from "./LeaseHome.js";

describe("a lease", () => {
  it.scoped("is there from its first claim on, and the same writer has it again unchanged", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const { leases } = yield* home.program("one");
      expect(home.rows()).toEqual([]);
      const first = yield* leases.claim(writer("a", "x"));
      expect(yield* leases.claim(writer("a", "x"))).toEqual(first);
      expect(home.rows()).toEqual(["a x 1"]);
      expect(Option.getOrThrow(yield* leases.current(name("a")))).toMatchObject({
        lease: first.lease,
        holder: "self",
        activity: "idle",
        surface: "test",
      });
    }),
  );

  it.scoped("goes with the scope it was acquired in, and its epoch is never used again", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const { leases } = yield* home.program("one");
      const first = yield* Effect.scoped(leases.acquire(writer("a", "x")));
      expect(home.rows()).toEqual([]);
      const second = yield* leases.acquire(writer("a", "x"));
      expect([first.epoch, second.epoch]).toEqual([1, 2]);
    }),
  );

  it.scoped(
    "has one holder: of six programs at once one gets it, and the others are told who",
    () =>
      Effect.gen(function* () {
        const home = yield* leaseHome("a");
        const owners = ["1", "2", "3", "4", "5", "6"];
        const programs = yield* Effect.forEach(owners, (owner) => home.program(owner));
        const answers = yield* Effect.forEach(
          programs,
          ({ leases }, at) => Effect.either(leases.claim(writer("a", `actor${at}`))),
          { concurrency: "unbounded" },
        );
        const told = answers.map((a) => (a._tag === "Right" ? "held" : a.left._tag)).sort();
        expect(told).toEqual([
          "LeaseHeld",
          "LeaseHeld",
          "LeaseHeld",
          "LeaseHeld",
          "LeaseHeld",
          "held",
        ]);
        expect(home.rows()).toHaveLength(1);
      }),
  );

  it.scoped("is bounded over all programs: of six names at a bound of one one gets it", () =>
    Effect.gen(function* () {
      const names = ["a", "b", "c", "d", "e", "f"];
      const home = yield* leaseHome(...names);
      const answers = yield* Effect.forEach(names, (session) =>
        Effect.gen(function* () {
          const { leases } = yield* home.program(session, { settings: { leaseCapacity: 1 } });
          return yield* Effect.either(leases.claim(writer(session, "x")));
        }),
      );
      const told = answers.map((a) => (a._tag === "Right" ? "held" : a.left._tag));
      expect(told).toEqual(["held", ...Array(5).fill("CapacityReached")]);
    }),
  );

  for (const given of [null, 0, -1, 1.5, true, "2", Number.NaN]) {
    it.scoped(`has no bound where ${JSON.stringify(given)} is given for one`, () =>
      Effect.gen(function* () {
        const home = yield* leaseHome("a", "b", "c");
        // What a program reads from somewhere may be anything.
        const settings = { leaseCapacity: given as number | null };
        const { leases } = yield* home.program("one", { settings });
        for (const session of ["a", "b", "c"]) yield* leases.claim(writer(session, "x"));
        expect(home.rows()).toHaveLength(3);
      }),
    );
  }

  it.scoped("is refused where it cannot be found out who holds it, and nothing is kept of it", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const where = { session: "a", attempted: "lease", detail: "test" };
      for (const error of [new RegistryUnavailable(where), new RegistryCorrupt(where)]) {
        const { leases } = yield* home.program("one", {
          around: (registry) => ({ ...registry, claimLease: () => Effect.fail(error) }),
        });
        expect(yield* Effect.flip(leases.claim(writer("a", "x")))).toBe(error);
        expect(home.rows()).toEqual([]);
      }
      const { leases } = yield* home.program("two");
      yield* leases.claim(writer("a", "x"));
    }),
  );

  it.scoped("that dies of a bug while it is claimed leaves the writer without one", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      let fails = true;
      const { leases } = yield* home.program("one", {
        around: (registry) => ({
          ...registry,
          claimLease: (request) =>
            fails ? Effect.dieMessage("a bug") : registry.claimLease(request),
        }),
      });
      expect(Exit.isFailure(yield* Effect.exit(leases.claim(writer("a", "x"))))).toBe(true);
      fails = false;
      yield* leases.claim(writer("a", "x"));
      expect(home.rows()).toEqual(["a x 1"]);
    }),
  );

  it.scoped("is lost for good when its session is deleted, also when that comes back", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const { leases, registry } = yield* home.program("one");
      const lease = yield* leases.claim(writer("a", "x"));
      yield* ended(registry, "a");
      expect((yield* Effect.flip(leases.guarded(lease)))._tag).toBe("LeaseLost");
      yield* leases.release(lease);
      expect((yield* Effect.flip(leases.claim(writer("a", "x"))))._tag).toBe("NotFound");
    }),
  );

  it.scoped("is of the registry that it was claimed in, whichever is around at its release", () =>
    Effect.gen(function* () {
      const [here, there] = [yield* leaseHome("a"), yield* leaseHome("a")];
      const [own, other] = [yield* here.program("one"), yield* there.program("one")];
      const kept = yield* other.leases.claim(writer("a", "x"));
      const scope = yield* Scope.make();
      yield* Scope.extend(own.leases.acquire(writer("a", "x")), scope);
      const close = Effect.provideService(Scope.close(scope, Exit.void), Leases, other.leases);
      yield* close;
      expect([here.rows(), there.rows()]).toEqual([[], ["a x 1"]]);
      const refused = yield* Effect.flip(own.leases.takeOver(kept.actor, writer("nowhere", "y")));
      expect(refused._tag).toBe("NotFound");
      expect(there.rows()).toEqual(["a x 1"]);
    }),
  );
});

describe("a borrowed lease", () => {
  it.scoped("is used by a child and changes nothing of its parent's", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a", "b");
      const [parent, child] = [yield* home.program("parent"), yield* home.program("child")];
      const lease = yield* parent.leases.claim(writer("a", "x"));
      const vouch = { session: lease.session, lease: lease.lease, epoch: 1, parent: lease.owner };
      const borrowed = yield* child.leases.borrow(vouch, name("a"));
      yield* child.leases.guarded(borrowed);
      // @ts-expect-error what is borrowed cannot be released
      const release = () => child.leases.release(borrowed);
      // @ts-expect-error what is borrowed cannot be moved
      const move = () => child.leases.reanchor(borrowed, name("b"));
      // @ts-expect-error what is borrowed cannot be deferred
      const defer = () => child.leases.defer(borrowed, { turn: "t", child: null });
      expect([release, move, defer]).toHaveLength(3);
      expect(home.rows()).toEqual(["a x 1"]);
    }),
  );

  it.scoped("is refused for another name, and once its parent has it no more", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a", "b");
      const [parent, child] = [yield* home.program("parent"), yield* home.program("child")];
      const lease = yield* parent.leases.claim(writer("a", "x"));
      const vouch = { session: name("a"), lease: lease.lease, epoch: 1, parent: lease.owner };
      const borrow = (session: string) => child.leases.borrow(vouch, name(session));
      expect((yield* Effect.flip(borrow("b")))._tag).toBe("LeaseLost");
      yield* parent.leases.claim(writer("b", "y"));
      expect(yield* Effect.flip(borrow("b"))).toMatchObject({ holder: { actor: "y" } });
      const borrowed = yield* borrow("a");
      yield* parent.leases.release(lease);
      expect((yield* Effect.flip(borrow("a")))._tag).toBe("LeaseLost");
      expect((yield* Effect.flip(child.leases.guarded(borrowed)))._tag).toBe("LeaseLost");
    }),
  );

  it.scoped("is refused with another lease of the same name", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const [parent, child] = [yield* home.program("parent"), yield* home.program("child")];
      yield* parent.leases.claim(writer("a", "x"));
      const vouch = { session: name("a"), lease: LeaseId.make("no"), epoch: 1, parent: "parent" };
      expect((yield* Effect.flip(child.leases.borrow(vouch, name("a"))))._tag).toBe("LeaseLost");
    }),
  );
});

describe("clearing a lease", () => {
  it.scoped("removes it when its holder is proved dead, and is refused while he may live", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const { leases } = yield* home.program("looking");
      expect(yield* leases.clear(name("a"))).toBe(false);
      const other = yield* home.program("other");
      yield* other.leases.claim(writer("a", "x"));
      for (const life of ["alive", "unknown"] as const) {
        yield* home.store.declare("other", life);
        const refused = yield* Effect.flip(leases.clear(name("a")));
        expect(refused).toMatchObject({ _tag: "LeaseHeld", holder: { holder: life } });
      }
      yield* home.store.declare("other", "dead");
      expect(yield* leases.clear(name("a"))).toBe(true);
      expect(yield* leases.all).toEqual([]);
    }),
  );
});
