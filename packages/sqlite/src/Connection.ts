/**
 * Connection: one SQLite connection that never waits inside a native call.
 *
 * The driver waits five seconds for a busy file unless told otherwise, and reports what it could
 * not open as a defect; both end here. Nothing is read, written or switched to WAL by opening.
 * The file must be there: the driver would make a missing one, with the permissions of the umask.
 */
import * as Reactivity from "@effect/experimental/Reactivity";
import { SqlError } from "@effect/sql/SqlError";
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient";
import { Effect, Exit, Scope } from "effect";
import { type Sql, sqlOf } from "./Sql.js";

/** An open connection. `close` gives up every lock of it. */
export interface Connection {
  readonly sql: Sql;
  /** All of the database as it is now, with what is only in its log. */
  readonly bytes: Effect.Effect<Uint8Array, SqlError>;
  readonly close: Effect.Effect<void>;
}

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
    const opened = Effect.gen(function* () {
      const client = yield* SqliteClient.make({
        // The driver hands this to better-sqlite3, which takes the bytes of a database as well.
        filename: file as string,
        readonly: options.readonly,
        disableWAL: true,
      });
      const sql = sqlOf(yield* Effect.scoped(client.reserve));
      yield* Effect.forEach(settings, (setting) => sql.unsafe(setting), { discard: true });
      return { sql, bytes: client.export, close };
    });
    return yield* opened.pipe(
      Scope.extend(scope),
      Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make),
      Effect.catchAllDefect(
        (cause) =>
          new SqlError({ cause, message: `opening ${typeof file === "string" ? file : "a copy"}` }),
      ),
      Effect.onError(() => close),
    );
  }).pipe(Effect.uninterruptible);
