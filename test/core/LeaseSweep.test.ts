/**
 * What a sweep takes: what is proved dead, and of this program what nobody answers for.
 */
import { describe, expect, it } from "@effect/vitest";
import type { LeaseRecord } from "@troupe/core";
import { asking } from "@troupe/testing";
import { Effect, TestClock } from "effect";
import { leaseHome, name, writer } from "./LeaseHome.js";

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
});
