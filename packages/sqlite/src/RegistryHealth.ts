/**
 * RegistryHealth: how the registry of a home is, told as a value whatever is wrong with it.
 *
 * Everything in it is read once, with SQLite's own check. Nothing is made, repaired or moved, and a
 * home that is not there has no registry, which is no fault. Not for a program that uses the home
 * at that moment through a layer of its own process: it opens the files beside it.
 */
import { Effect, Option } from "effect";
import { readWhole } from "./Aside.js";
import { makeDatabase } from "./Database.js";
import { homePaths } from "./HomeFiles.js";
import { knownSchema, schemaVersion } from "./Migrations.js";
import { patiently } from "./Patience.js";

/**
 * `newer`: a newer troupe wrote it. `detail` is for a person, `null` where nothing is wrong.
 * `schema` is what the file has, where that is known, and `knownSchema` what this program writes.
 */
export interface RegistryHealth {
  readonly state: "missing" | "sound" | "newer" | "damaged" | "unavailable";
  readonly detail: string | null;
  readonly schema: number | null;
  readonly knownSchema: number;
}

const healthOf = (
  state: RegistryHealth["state"],
  detail: string | null,
  schema: number | null = null,
): RegistryHealth => ({ state, detail, schema, knownSchema });

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
        onSome: (schema) => healthOf("sound", null, schema),
      }),
    ),
    Effect.catchTags({
      RegistryCorrupt: ({ detail }) => Effect.succeed(healthOf("damaged", detail)),
      RegistryUnavailable: ({ detail }) =>
        Effect.succeed(healthOf(/newer troupe/.test(detail) ? "newer" : "unavailable", detail)),
    }),
  );
