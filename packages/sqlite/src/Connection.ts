/**
 * Connection: one SQLite connection that never waits inside a native call.
 *
 * The driver waits five seconds for a busy file unless told otherwise, and would make a missing
 * one, with the permissions of the umask; both end here. Nothing is read, written or switched to
 * WAL by opening.
 */
import Sqlite from "better-sqlite3";
import { Effect } from "effect";
import { fileIdentity } from "./HomeFiles.js";
import { type Sql, SqlError, sqlOf } from "./Sql.js";
import { StoreFailure } from "./StoreFailure.js";

/** An open connection. `close` gives up every lock of it. */
export interface Connection {
  readonly sql: Sql;
  /** All of the database as it is now, with what is only in its log. */
  readonly bytes: Effect.Effect<Uint8Array, SqlError>;
  readonly close: Effect.Effect<void>;
}

const settings = [
  "PRAGMA foreign_keys = ON",
  "PRAGMA trusted_schema = OFF",
  "PRAGMA synchronous = FULL",
  "PRAGMA cell_size_check = ON",
];

/** What the driver throws is a failure. */
const attempt = <A>(message: string, ask: () => A): Effect.Effect<A, SqlError> =>
  Effect.try({ try: ask, catch: (cause) => new SqlError({ cause, message }) });

const open = (file: string | Uint8Array, readonly: boolean): Sqlite.Database => {
  if (typeof file !== "string") return new Sqlite(Buffer.from(file));
  return new Sqlite(file, { readonly, fileMustExist: true, timeout: 0 });
};

/**
 * SQLite says of a file that is gone what it says of one that may not be opened. Whoever opens one
 * has seen it, so one that is gone now went in between: that is looked at again, as a busy one is.
 */
const unlessRemoved = (
  file: string | Uint8Array,
  error: SqlError,
): Effect.Effect<never, SqlError | StoreFailure> =>
  Effect.gen(function* () {
    if (typeof file !== "string" || (yield* fileIdentity(file)) !== null) return yield* error;
    const detail = `${file} was removed before it was opened`;
    return yield* new StoreFailure({ kind: "busy", detail });
  });

/**
 * Opens the file, which was just seen, or a copy of its bytes in memory. Fails as `busy` where the
 * file is gone by now.
 */
export const connect = (
  file: string | Uint8Array,
  options: { readonly readonly: boolean },
): Effect.Effect<Connection, SqlError | StoreFailure> =>
  Effect.gen(function* () {
    const what = `opening ${typeof file === "string" ? file : "a copy"}`;
    const database = yield* attempt(what, () => open(file, options.readonly)).pipe(
      Effect.catchAll((error) => unlessRemoved(file, error)),
    );
    const sql = sqlOf(database);
    const close = Effect.sync(() => void database.close());
    yield* Effect.forEach(settings, (setting) => sql.unsafe(setting), { discard: true }).pipe(
      Effect.onError(() => close),
    );
    return { sql, bytes: attempt("reading all", () => database.serialize()), close };
  }).pipe(Effect.uninterruptible);
