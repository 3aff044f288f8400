/**
 * Migrations: the numbered steps that bring a database to the schema that this program knows.
 *
 * `user_version` is the number of the last step taken; it changes with the step, in the caller's
 * write transaction, so two programs that start together take each step once. A database with a
 * higher number was written by a newer program and is refused; one without our application id is
 * not ours, or was damaged, and is not touched.
 */
import { Effect } from "effect";
import { firstTables } from "./FirstTables.js";
import { forgettingNames } from "./ForgettingNames.js";
import { leaseTables } from "./LeaseTables.js";
import { restoredAgain } from "./RestoredAgain.js";
import { sparedProcesses } from "./SparedProcesses.js";
import type { Sql, SqlError } from "./Sql.js";
import { StoreFailure } from "./StoreFailure.js";
import { terminalIntents } from "./TerminalIntents.js";

const migrations: ReadonlyArray<ReadonlyArray<string>> = [
  firstTables,
  terminalIntents,
  forgettingNames,
  restoredAgain,
  leaseTables,
  sparedProcesses,
];

/** The number of the last step that this program knows. */
export const knownSchema = migrations.length;

/** "trpe", in the header of the file. */
const applicationId = 0x74727065;

/** In SQL, whether the database is ours and has taken every step that this program knows. */
export const hasKnownTables = `EXISTS (SELECT 1 FROM pragma_user_version, pragma_application_id
  WHERE user_version = ${knownSchema} AND application_id = ${applicationId})`;

interface Header {
  readonly version: number;
  readonly application: number;
}

const header = (sql: Sql): Effect.Effect<Header, SqlError> =>
  Effect.map(
    sql.unsafe<Header>(
      `SELECT user_version AS version, application_id AS application
        FROM pragma_user_version, pragma_application_id`,
    ),
    ([row]) => row ?? { version: 0, application: 0 },
  );

/**
 * The number of the last step that the database took. Fails when the database is a newer
 * program's, or none of ours: then it was damaged or put there by somebody. Writes nothing.
 */
export const schemaVersion = (sql: Sql): Effect.Effect<number, SqlError | StoreFailure> =>
  Effect.flatMap(header(sql), ({ application, version }) => {
    if (application !== applicationId || version < 1) {
      const detail = "the file is not, or no longer, a registry of troupe";
      return Effect.fail(new StoreFailure({ kind: "corrupt", detail }));
    }
    if (version > migrations.length) {
      const known = `schema ${version}, and this program knows schemas up to ${migrations.length}`;
      const detail = `it was written by a newer troupe: it has ${known}`;
      return Effect.fail(new StoreFailure({ kind: "unavailable", detail, reason: "newer" }));
    }
    return Effect.succeed(version);
  });

/** Takes the steps after `version`. Runs inside a write transaction, and only there. */
export const migrate = (sql: Sql, version: number): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const missing = migrations.slice(version);
    for (const statement of missing.flat()) yield* sql.unsafe(statement);
    if (missing.length === 0) return;
    yield* sql.unsafe(`PRAGMA application_id = ${applicationId}`);
    yield* sql.unsafe(`PRAGMA user_version = ${migrations.length}`);
  });
