/**
 * RegistryHealth: how the registry of a home is, told as a value whatever is wrong with it.
 *
 * Everything in it is read once, with SQLite's own check. Nothing is made, repaired or moved, and a
 * home that is not there has no registry, which is no fault. Not for a program that uses the home
 * at that moment through a layer of its own process: it opens the files beside it.
 */
import { Effect, Option, Schedule } from "effect";
import { readWhole } from "./Aside.js";
import { connect } from "./Connection.js";
import { makeDatabase } from "./Database.js";
import { type HomePaths, homePaths } from "./HomeFiles.js";
import { immediate } from "./Immediate.js";
import { knownSchema, schemaVersion } from "./Migrations.js";
import { patiently } from "./Patience.js";
import { fromSql } from "./StoreFailure.js";

/**
 * `newer`: a newer troupe wrote it. `detail` is for a person, `null` where nothing is wrong.
 * `schema` is what the file has, where that is known, and `knownSchema` what this program writes.
 */
export interface RegistryHealth {
  readonly state: "missing" | "sound" | "newer" | "damaged" | "unavailable";
  readonly detail: string | null;
  readonly schema: number | null;
  readonly knownSchema: number;
  /** Whether another program keeps it locked, so that nothing can be written, or not even read. */
  readonly locked: boolean;
}

const healthOf = (
  state: RegistryHealth["state"],
  detail: string | null,
  more: Partial<RegistryHealth> = {},
): RegistryHealth => ({ state, detail, schema: null, knownSchema, locked: false, ...more });

/** A lock that is kept for so long is none of a write that passes. */
const keeps = Schedule.spaced("50 millis").pipe(Schedule.upTo("1 second"));

/** Whether somebody keeps the lock of whoever writes: it is taken, and nothing is written. */
const isLocked = ({ database }: HomePaths): Effect.Effect<boolean> =>
  Effect.acquireUseRelease(
    connect(database, { readonly: false }),
    ({ sql }) => immediate(sql, Effect.void),
    ({ close }) => close,
  ).pipe(
    Effect.catchTag("SqlError", fromSql),
    Effect.retry({ schedule: keeps, while: ({ kind }) => kind === "busy" }),
    Effect.match({ onFailure: ({ kind }) => kind === "busy", onSuccess: () => false }),
  );

const attempted = { session: null, attempted: "check the registry" };

/** Looks at the registry of the home. Waits for a busy one as long as any call does. */
export const registryHealth = (home: string): Effect.Effect<RegistryHealth> =>
  Effect.acquireUseRelease(
    makeDatabase(homePaths(home)),
    (database) =>
      patiently(
        attempted,
        database.read((sql) => Effect.zipLeft(schemaVersion(sql), readWhole(sql))),
      ),
    (database) => database.close,
  ).pipe(
    Effect.map(
      Option.match({
        onNone: () => healthOf("missing", null),
        onSome: (schema) => healthOf("sound", null, { schema }),
      }),
    ),
    Effect.catchTags({
      RegistryCorrupt: ({ detail }) => Effect.succeed(healthOf("damaged", detail)),
      RegistryUnavailable: ({ detail, reason }) => {
        const state = reason === "newer" ? reason : "unavailable";
        return Effect.succeed(healthOf(state, detail, { locked: reason === "locked" }));
      },
    }),
    Effect.filterOrElse(
      ({ state }) => state !== "sound",
      (health) => Effect.map(isLocked(homePaths(home)), (locked) => ({ ...health, locked })),
    ),
  );
