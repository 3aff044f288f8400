/**
 * Backup: a copy of a registry as it is at one moment, while other programs read and write.
 *
 * SQLite reads the whole of it in one snapshot and writes a file of its own; nobody is held up but
 * this program, for as long as that takes. The copy is private, a whole registry, and put in its
 * place in one step; what stands there already is never replaced. It needs no claim and changes
 * nothing in the home.
 */
import path from "node:path";
import type { RegistryFailure } from "@troupe/core";
import { Effect, Option } from "effect";
import { connect } from "./Connection.js";
import { makeDatabase } from "./Database.js";
import { useWriteAheadLog } from "./DatabaseFile.js";
import { fileIdentity, homePaths, makeFile, placeFile, workDirectory } from "./HomeFiles.js";
import { patiently } from "./Patience.js";
import type { Sql } from "./Sql.js";
import { fromSql, StoreFailure } from "./StoreFailure.js";

/** Which home is copied, and the file that the copy is to be; its directory is there. */
export interface BackupOptions {
  readonly home: string;
  readonly to: string;
}

const unavailable = (detail: string): StoreFailure =>
  new StoreFailure({ kind: "unavailable", detail });

/** Makes the copy what a registry is: a file with a log, all of it on the disk. */
const finish = (file: string) =>
  Effect.acquireUseRelease(
    connect(file, { readonly: false }),
    ({ sql }) => useWriteAheadLog(sql),
    ({ close }) => close,
  ).pipe(Effect.catchTag("SqlError", fromSql));

const copy = Effect.fnUntraced(function* ({ home, to }: BackupOptions) {
  const place = path.resolve(to);
  const database = yield* Effect.acquireRelease(
    makeDatabase(homePaths(home)),
    ({ close }) => close,
  );
  if ((yield* fileIdentity(place)) !== null) return yield* unavailable(`${place} is there already`);
  const directory = yield* workDirectory(path.dirname(place), "copy");
  const file = path.join(directory, path.basename(place));
  // SQLite takes an empty file for its copy, and this one is private from the beginning.
  yield* makeFile(file);
  const copied = yield* database.read((sql: Sql) => sql.unsafe("VACUUM INTO ?", [file]));
  if (Option.isNone(copied)) return yield* unavailable(`there is no registry in ${home}`);
  yield* finish(file);
  if (!(yield* placeFile(file, place))) return yield* unavailable(`${place} is there already`);
}, Effect.scoped);

/** Copies the registry of the home; `RegistryUnavailable` where that cannot be done. */
export const backup = (options: BackupOptions): Effect.Effect<void, RegistryFailure> =>
  patiently({ session: null, attempted: "back up" }, copy(options)).pipe(
    Effect.withSpan("SqliteRegistry.backup"),
  );
