/**
 * What waiting for a claim costs a registry in SQLite: write transactions, and looks at the lock of
 * the program that holds it.
 *
 * Another program has the claim and does nothing; time is virtual. The waiter has the real file
 * and the real lock, each call of which is counted.
 */
import path from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { Registry, Settings } from "@troupe/core";
import { Clock, Effect } from "effect";
import { awaitClaim } from "../../packages/core/src/ClaimWait.js";
import { makeClaims } from "../../packages/sqlite/src/Claims.js";
import { type Database, makeDatabase } from "../../packages/sqlite/src/Database.js";
import { homePaths } from "../../packages/sqlite/src/HomeFiles.js";
import { makeSelf, type Self } from "../../packages/sqlite/src/Self.js";
import {
  build,
  countedIds,
  living,
  processTable,
  sqlitePrograms,
  take,
  temporaryDirectory,
  whileTimePasses,
} from "./registryHomes.js";

/** A program that waits, with what it asks of the file and of the lock counted. */
const waiterOn = (home: string) =>
  Effect.gen(function* () {
    const paths = homePaths(home);
    const counts = { writes: 0, reads: 0, lockLooks: 0 };
    const database = yield* Effect.acquireRelease(makeDatabase(paths), ({ close }) => close);
    const countedDatabase: Database = {
      ...database,
      read: (body) =>
        Effect.zipRight(
          Effect.sync(() => counts.reads++),
          database.read(body),
        ),
      write: (body) =>
        Effect.zipRight(
          Effect.sync(() => counts.writes++),
          database.write(body),
        ),
      change: <A extends object>(statement: string, parameters: ReadonlyArray<unknown>) =>
        Effect.tap(database.change<A>(statement, parameters), (rows) =>
          Effect.sync(() => {
            if (rows.length > 0) counts.writes++;
          }),
        ),
    };
    const processes = processTable([living(1000, 50)]);
    const none = () => Effect.succeed(false);
    const own = yield* makeSelf({ paths, host: "host-2", processes, ids: countedIds() });
    yield* Effect.addFinalizer(() => own.end({ claims: none, turns: none }));
    const asked = <A>(answer: Effect.Effect<A>) =>
      Effect.zipRight(
        Effect.sync(() => counts.lockLooks++),
        answer,
      );
    const self: Self = {
      ...own,
      lifeOf: (owner) => asked(own.lifeOf(owner)),
      holderOf: (owner) => asked(own.holderOf(owner)),
    };
    const registry = { ...(yield* sqlitePrograms(home)()), ...makeClaims(countedDatabase, self) };
    return { counts, registry };
  });

/** Waits so long. */
const waiting = (claimWaitMs: number, registry: Registry["Type"]) =>
  Effect.gen(function* () {
    const settings = { ...(yield* Settings), claimWaitMs };
    return yield* awaitClaim(build, "wait").pipe(
      Effect.provideService(Registry, registry),
      Effect.provideService(Settings, settings),
    );
  });

describe("a registry in SQLite whose claim is waited for", () => {
  it.scoped("is written to once in twenty seconds, and the lock looked at once in each", () =>
    Effect.gen(function* () {
      const home = path.join(yield* temporaryDirectory, "home");
      const holder = yield* sqlitePrograms(home)();
      const held = yield* take(holder);
      const { counts, registry } = yield* waiterOn(home);
      const began = yield* Clock.currentTimeMillis;
      const error = yield* whileTimePasses(Effect.flip(waiting(20_000, registry)));
      expect(error).toMatchObject({ _tag: "Busy", reason: "claimed", holder: held.owner });
      expect((yield* Clock.currentTimeMillis) - began).toBeLessThanOrEqual(20_020);
      expect(counts.writes).toBe(1);
      expect(counts.lockLooks).toBeLessThanOrEqual(20);
      expect(counts.lockLooks).toBeGreaterThan(10);
      expect(counts.reads).toBeLessThan(200);
    }),
  );

  it.scoped("is written to a second time when the claim is given back", () =>
    Effect.gen(function* () {
      const home = path.join(yield* temporaryDirectory, "home");
      const holder = yield* sqlitePrograms(home)();
      const held = yield* take(holder);
      const { counts, registry } = yield* waiterOn(home);
      const later = Effect.delay(holder.release(held, { fenceDue: false }), "300 millis");
      const both = Effect.all([waiting(20_000, registry), later], { concurrency: 2 });
      const [claim] = yield* whileTimePasses(both);
      expect([claim.epoch, claim.fenceDue]).toEqual([2, false]);
      expect([counts.writes, counts.lockLooks]).toEqual([2, 1]);
    }),
  );
});
