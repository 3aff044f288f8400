/**
 * Connection: one SQLite connection that never waits inside a native call.
 *
 * The driver waits five seconds for a busy file unless told otherwise, and reports what it could
 * not open as a defect; both end here. Nothing is read, written or switched to WAL by opening.
 * The file must be there: the driver would make a missing one, with the permissions of the umask.
 */
import * as Reactivity from "@effect/experimental/Reactivity";
import type { SqlClient } from "@effect/sql/SqlClient";
import { SqlError } from "@effect/sql/SqlError";
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient";
import { Effect, Exit, Scope } from "effect";

/** An open connection. `close` gives up every lock of it. */
export interface Connection {
  readonly sql: SqlClient;
  /** All of the database as it is now, with what is only in its log. */
  readonly bytes: Effect.Effect<Uint8Array, SqlError>;
  readonly close: Effect.Effect<void>;
}

// The driver's cache keeps failures too: a statement that could not be prepared while the file was
// busy would stay refused for as long as it is kept. With room for any statement it would also
// keep the text of every one for good: an entry that expires leaves its key behind.
const noCache = { prepareCacheTTL: 0, prepareCacheSize: 0 };

const settings = [
  "PRAGMA busy_timeout = 0",
  "PRAGMA foreign_keys = ON",
  "PRAGMA trusted_schema = OFF",
  "PRAGMA synchronous = FULL",
  "PRAGMA cell_size_check = ON",
];

/** Opens the file, which must exist, or a copy of its bytes in memory. */
export const connect = (
  file: string | Uint8Array,
  options: { readonly readonly: boolean },
): Effect.Effect<Connection, SqlError> =>
  Effect.gen(function* () {
    const scope = yield* Scope.make();
    const close = Scope.close(scope, Exit.void);
    const sql = yield* SqliteClient.make({
      // The driver hands this to better-sqlite3, which takes the bytes of a database as well.
      filename: file as string,
      readonly: options.readonly,
      disableWAL: true,
      ...noCache,
    }).pipe(
      Scope.extend(scope),
      Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make),
      Effect.catchAllDefect(
        (cause) =>
          new SqlError({ cause, message: `opening ${typeof file === "string" ? file : "a copy"}` }),
      ),
      Effect.tap((client) => Effect.forEach(settings, (setting) => client.unsafe(setting))),
      Effect.onError(() => close),
    );
    return { sql, bytes: sql.export, close };
  }).pipe(Effect.uninterruptible);
