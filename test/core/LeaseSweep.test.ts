/**
 * What a sweep takes: what is proved dead, and of this program what nobody answers for.
 */
import { describe, expect, it } from "@effect/vitest";
import { type LeaseRecord, RegistryUnavailable } from "@troupe/core";
import { asking } from "@troupe/testing";
import { Deferred, Effect, Fiber, TestClock } from "effect";
import { leaseHome, name, writer } from "./LeaseHome.js";
import { settle } from "./TurnHome.js";

describe("a sweep", () => {
  it.scoped("spares an own row for 30 s, and takes one that is exactly as old", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a", "b", "c", "d");
      const sessions = yield* home.program("one");
      const scheduler = yield* home.program("one", { component: "scheduler" });
      const other = yield* home.program("two");
      // Rows that no writer answers for: nobody of the service claimed them.
      const orphan = (session: string) => asking(name(session), "orphan");
      yield* sessions.registry.claimLease(orphan("a"));
      yield* sessions.leases.claim(writer("b", "x"));
      yield* scheduler.registry.claimLease({ ...orphan("c"), component: "scheduler" });
      yield* other.registry.claimLease(orphan("d"));
      yield* TestClock.adjust("29900 millis");
      expect(yield* sessions.leases.sweep).toEqual({ dead: 0, ownOrphans: 0 });
      yield* TestClock.adjust("100 millis");
      yield* sessions.leases.sweep;
      expect(home.rows()).toEqual(["b x 1", "c orphan 1", "d orphan 1"]);
    }),
  );

  it.scoped("takes what a dead program left, and nothing of one that lives and is idle", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a", "b");
      const [one, two] = [yield* home.program("one"), yield* home.program("two")];
      yield* one.leases.claim(writer("a", "x"));
      yield* two.leases.claim(writer("b", "y"));
      const three = yield* home.program("three");
      yield* TestClock.adjust("7 hours");
      expect(yield* three.leases.sweep).toEqual({ dead: 0, ownOrphans: 0 });
      yield* home.store.declare("one", "dead");
      expect(yield* three.leases.sweep).toEqual({ dead: 1, ownOrphans: 0 });
      expect(home.rows()).toEqual(["b y 1"]);
    }),
  );

  it.scoped("is done now and then while something is held, and not before or behind that", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a", "b");
      const one = yield* home.program("one");
      const left: LeaseRecord = yield* one.registry.claimLease(asking(name("a"), "orphan"));
      yield* TestClock.adjust("10 minutes");
      expect(home.rows()).toEqual([`a orphan ${left.epoch}`]);
      const held = yield* one.leases.claim(writer("b", "x"));
      yield* TestClock.adjust("5 minutes");
      expect(home.rows()).toEqual(["b x 1"]);
      yield* one.leases.release(held);
      yield* one.registry.claimLease(asking(name("a"), "orphan"));
      yield* TestClock.adjust("10 minutes");
      expect(home.rows()).toEqual(["a orphan 2"]);
    }),
  );

  it.scoped(
    "takes the row that a claim left whose answer was lost, as soon as it is old enough",
    () =>
      Effect.gen(function* () {
        const home = yield* leaseHome("a", "b");
        const where = { session: "a", attempted: "lease", detail: "the disk is slow" };
        const one = yield* home.program("one", {
          around: (registry) => ({
            ...registry,
            claimLease: (request) =>
              Effect.zipRight(registry.claimLease(request), new RegistryUnavailable(where)),
          }),
        });
        const claim = Effect.flip(one.leases.claim(writer("a", "x")));
        expect((yield* claim)._tag).toBe("RegistryUnavailable");
        expect(home.rows()).toEqual(["a x 1"]);
        yield* TestClock.adjust("5 minutes");
        expect(home.rows()).toEqual([]);
        // Nobody sweeps for nothing behind that.
        const orphan = yield* one.registry
          .claimLease({ ...asking(name("b"), "orphan") })
          .pipe(Effect.flip);
        expect(orphan._tag).toBe("RegistryUnavailable");
        yield* TestClock.adjust("10 minutes");
        expect(home.rows()).toEqual(["b orphan 1"]);
      }),
  );

  it.scoped("that waited for the registry spares what was claimed meanwhile, however long", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a", "b");
      const [swept, answered] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()];
      const { leases } = yield* home.program("one", {
        around: (registry) => ({
          ...registry,
          sweepLeases: (how) => Effect.zipRight(Deferred.await(swept), registry.sweepLeases(how)),
          // Written, and nobody has heard of it yet.
          claimLease: (request) =>
            Effect.tap(registry.claimLease(request), () =>
              request.session === "b" ? Deferred.await(answered) : Effect.void,
            ),
        }),
      });
      const sweep = yield* Effect.fork(leases.sweep);
      yield* settle;
      yield* leases.claim(writer("a", "x"));
      const claim = yield* Effect.fork(leases.claim(writer("b", "x")));
      yield* settle;
      yield* TestClock.adjust("10 minutes");
      yield* Deferred.succeed(swept, undefined);
      expect(yield* Fiber.join(sweep)).toEqual({ dead: 0, ownOrphans: 0 });
      yield* Deferred.succeed(answered, undefined);
      yield* Fiber.join(claim);
      expect(home.rows()).toEqual(["a x 1", "b x 1"]);
    }),
  );

  it.scoped("leaves what was owed to its writer, who claims it while the sweep waits", () =>
    Effect.gen(function* () {
      const home = yield* leaseHome("a");
      const gate = yield* Deferred.make<void>();
      let isFailing = true;
      const { leases } = yield* home.program("one", {
        settings: { leaseAttempts: 1 },
        around: (registry) => ({
          ...registry,
          claimLease: (request) =>
            isFailing
              ? registry.claimLease(request)
              : Effect.zipRight(Deferred.await(gate), registry.claimLease(request)),
          releaseLease: (lease) =>
            isFailing
              ? new RegistryUnavailable({ session: "a", attempted: "release", detail: "busy" })
              : registry.releaseLease(lease),
        }),
      });
      const lease = yield* leases.claim(writer("a", "x"));
      yield* Effect.flip(leases.release(lease));
      isFailing = false;
      const claim = yield* Effect.fork(leases.claim(writer("a", "x")));
      yield* settle;
      const sweep = yield* Effect.fork(leases.sweep);
      yield* settle;
      yield* Deferred.succeed(gate, undefined);
      yield* Fiber.join(claim);
      yield* Fiber.join(sweep);
      expect(home.rows()).toEqual(["a x 1"]);
    }),
  );
});
