/**
 * A SQLite registry that another program keeps busy.
 *
 * A second connection holds the lock, time is virtual, and the test moves it. If anything waited
 * inside SQLite, the one thread that could let go of the lock would be the one that waits, and
 * the test would fail as the real seconds pass.
 */
import path from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { Telemetry } from "@troupe/core";
import Sqlite from "better-sqlite3";
import { Effect, Fiber, Metric, Option, TestClock } from "effect";
import {
  begin,
  build,
  incarnation,
  sqlitePrograms,
  take,
  temporaryDirectory,
} from "./registryHomes.js";

/** Another program's connection to the registry of the home. */
const connection = (home: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new Sqlite(path.join(home, "registry.db"))),
    (other) => Effect.sync(() => other.close()),
  );

/** A home with a session, a program on it, and another connection. */
const world = Effect.gen(function* () {
  const home = yield* temporaryDirectory;
  const store = yield* sqlitePrograms(home)();
  const claim = yield* take(store);
  yield* store.commit(claim, incarnation(1), [begin], { release: true });
  return { store, other: yield* connection(home) };
});

const pending = <A, E>(fiber: Fiber.RuntimeFiber<A, E>) => Effect.map(fiber.poll, Option.isNone);

describe("a registry that another program writes to", () => {
  it.scoped("is waited for, and written as soon as it is free", () =>
    Effect.gen(function* () {
      const { other, store } = yield* world;
      other.exec("BEGIN IMMEDIATE");
      const fiber = yield* Effect.fork(take(store));
      yield* TestClock.adjust("3 seconds");
      expect(yield* pending(fiber)).toBe(true);
      other.exec("COMMIT");
      yield* TestClock.adjust("100 millis");
      expect((yield* Fiber.join(fiber)).epoch).toBe(2);
    }),
  );

  it.scoped("is told by the count of further attempts, and one that is free moves nothing", () =>
    Effect.gen(function* () {
      const retries = Effect.map(Metric.value(Telemetry.registryRetries), ({ count }) => count);
      const { other, store } = yield* world;
      const before = yield* retries;
      yield* store.release(yield* take(store), { fenceDue: false });
      expect(yield* retries).toBe(before);
      other.exec("BEGIN IMMEDIATE");
      const fiber = yield* Effect.fork(take(store));
      yield* TestClock.adjust("1 second");
      const waiting = yield* retries;
      // The pauses are 50 ms at the most, and jittered up to a fifth.
      expect(waiting - before).toBeGreaterThanOrEqual(16);
      expect(waiting - before).toBeLessThanOrEqual(36);
      other.exec("COMMIT");
      yield* TestClock.adjust("100 millis");
      yield* Fiber.join(fiber);
      // The attempt that succeeded was the one that was counted last.
      expect(yield* retries).toBe(waiting);
    }),
  );

  it.scoped("is given up after ten seconds, with nothing written", () =>
    Effect.gen(function* () {
      const { other, store } = yield* world;
      const before = yield* store.list({ ended: true });
      other.exec("BEGIN IMMEDIATE");
      const fiber = yield* Effect.fork(Effect.flip(take(store)));
      yield* TestClock.adjust("9900 millis");
      expect(yield* pending(fiber)).toBe(true);
      yield* TestClock.adjust("200 millis");
      const error = yield* Fiber.join(fiber);
      expect(error).toMatchObject({ _tag: "RegistryUnavailable", attempted: "claim" });
      expect(error.message).toContain("SQLITE_BUSY");
      other.exec("COMMIT");
      expect(yield* store.list({ ended: true })).toEqual(before);
    }),
  );

  it.scoped("is read meanwhile, as it was before", () =>
    Effect.gen(function* () {
      const { other, store } = yield* world;
      other.exec("BEGIN IMMEDIATE");
      other.exec("UPDATE incarnations SET state = 'running'");
      const record = Option.getOrThrow(yield* store.get(build));
      expect(record.state).toBe("creating");
    }),
  );

  it.scoped("can be left while it is waited for, and nothing comes of that", () =>
    Effect.gen(function* () {
      const { other, store } = yield* world;
      other.exec("BEGIN IMMEDIATE");
      const fiber = yield* Effect.fork(take(store));
      yield* TestClock.adjust("1 second");
      yield* Fiber.interrupt(fiber);
      other.exec("COMMIT");
      yield* TestClock.adjust("1 second");
      expect(Option.getOrThrow(yield* store.get(build)).claim.holder).toBe("none");
      expect((yield* take(store)).epoch).toBe(2);
    }),
  );
});

describe("a registry that another program keeps for itself", () => {
  const keep = Effect.gen(function* () {
    const home = yield* temporaryDirectory;
    const claim = yield* Effect.scoped(Effect.flatMap(sqlitePrograms(home)(), take));
    const other = yield* connection(home);
    other.pragma("locking_mode = EXCLUSIVE");
    other.exec("BEGIN EXCLUSIVE");
    return { claim, other, store: yield* sqlitePrograms(home)({ host: "host-2" }) };
  });

  it.scoped("is read as soon as it is free", () =>
    Effect.gen(function* () {
      const { other, store } = yield* keep;
      const fiber = yield* Effect.fork(store.list({ ended: true }));
      yield* TestClock.adjust("2 seconds");
      expect(yield* pending(fiber)).toBe(true);
      other.close();
      yield* TestClock.adjust("100 millis");
      expect((yield* Fiber.join(fiber)).records).toEqual([]);
    }),
  );

  it.scoped("is not read within ten seconds: unavailable, which is not empty", () =>
    Effect.gen(function* () {
      const { store } = yield* keep;
      const fiber = yield* Effect.fork(Effect.flip(store.get(build)));
      yield* TestClock.adjust("11 seconds");
      expect((yield* Fiber.join(fiber))._tag).toBe("RegistryUnavailable");
    }),
  );
});
