/**
 * Database: the file of a registry, opened when it is first needed and kept until the end.
 *
 * A read of a home that is not there finds nothing and makes nothing; the first write makes the
 * home and the file. One fiber at a time uses the connection, and nobody waits while using it: a
 * busy file is a failure of kind `busy`, and waiting is `Patience`'s. After any worse failure, and
 * when another file stands at the path, the connection is closed and the next call opens anew.
 */
import { Effect, Option } from "effect";
import { type Connection, connect } from "./Connection.js";
import { makeDatabaseFile } from "./DatabaseFile.js";
import { readFrozen } from "./Frozen.js";
import { fileIdentity, fileVersion, type HomePaths } from "./HomeFiles.js";
import { immediate } from "./Immediate.js";
import { readCopy } from "./MemoryCopy.js";
import { knownSchema, migrate, schemaVersion } from "./Migrations.js";
import { type Sql, SqlError } from "./Sql.js";
import { fromSql, StoreFailure } from "./StoreFailure.js";

/** One attempt each; a body that fails leaves nothing behind. */
export interface Database {
  /** Runs the body, which is one statement and so one snapshot; `none` when nothing is there. */
  readonly read: <A, E>(
    body: (sql: Sql) => Effect.Effect<A, E | SqlError>,
  ) => Effect.Effect<Option.Option<A>, Exclude<E, SqlError> | StoreFailure>;
  /** Runs the body in a write transaction of its own. */
  readonly write: <A, E>(
    body: (sql: Sql) => Effect.Effect<A, E | SqlError>,
  ) => Effect.Effect<A, Exclude<E, SqlError> | StoreFailure>;
  /**
   * Runs one statement that changes rows and gives them back, as a transaction by itself. No rows
   * where it changed none or could not be run: then `write` finds out why. The disk is not waited
   * for: a power cut can take away what the last ones wrote, unless a `write` came behind them.
   */
  readonly change: <A extends object>(
    statement: string,
    parameters: ReadonlyArray<unknown>,
  ) => Effect.Effect<ReadonlyArray<A>>;
  /** Closes the connection; a later call opens it again. */
  readonly close: Effect.Effect<void>;
}

interface Opened extends Connection {
  readonly identity: string;
}

/** The driver's failures in our kinds. */
const translated = <A, E>(
  effect: Effect.Effect<A, E>,
): Effect.Effect<A, Exclude<E, SqlError> | StoreFailure> =>
  Effect.catchAll(
    effect,
    (error): Effect.Effect<never, Exclude<E, SqlError> | StoreFailure> =>
      error instanceof SqlError ? fromSql(error) : Effect.fail(error as Exclude<E, SqlError>),
  );

const isUnavailable = (error: unknown): error is StoreFailure =>
  error instanceof StoreFailure && error.kind === "unavailable";

const isWorseThanBusy = (error: unknown): boolean =>
  error instanceof StoreFailure && error.kind !== "busy";

/** Which database stands at the path; a log that lost its database would ruin a new one. */
const standing = (paths: HomePaths): Effect.Effect<string | null, StoreFailure> =>
  Effect.gen(function* () {
    const before = yield* fileIdentity(paths.database);
    if (before !== null || (yield* fileIdentity(paths.writeAheadLog)) === null) return before;
    // Whoever makes a database makes it before its log, and may have done both in between.
    const identity = yield* fileIdentity(paths.database);
    if (identity !== null) return identity;
    const detail = `${paths.writeAheadLog} is there and its database is not`;
    return yield* new StoreFailure({ kind: "corrupt", detail });
  });

/** What every registry is made of; SQLite's own measure, where nobody chooses another. */
const PAGE = 4096n;

/**
 * Fails when the file ends in the middle of a page. SQLite reads what is missing of it as zeros,
 * and so finds fewer rows than there are. Only a log can still have the rest of a page.
 */
const requireWholePages = (paths: HomePaths): Effect.Effect<void, StoreFailure> =>
  Effect.gen(function* () {
    const log = yield* fileVersion(paths.writeAheadLog);
    const found = yield* fileVersion(paths.database);
    if ((log?.size ?? 0n) > 0n || (found?.size ?? 0n) % PAGE === 0n) return;
    const detail = `${paths.database} was cut off: it has ${found?.size} bytes`;
    return yield* new StoreFailure({ kind: "corrupt", detail });
  });

/** Runs it without a wait for the disk. No end of a program, by any signal, costs any of it. */
const unsynced = <A, E>({ sql }: Connection, statement: Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    sql.unsafe("PRAGMA synchronous = NORMAL"),
    () => statement,
    () => Effect.orDie(sql.unsafe("PRAGMA synchronous = FULL")),
  );

const changeOf =
  (open: Effect.Effect<Opened | null, unknown>, turns: Effect.Semaphore): Database["change"] =>
  <A extends object>(statement: string, parameters: ReadonlyArray<unknown>) =>
    Effect.flatMap(open, (found) =>
      found === null
        ? Effect.succeed([])
        : unsynced(found, found.sql.unsafe<A>(statement, parameters)),
    ).pipe(
      Effect.orElseSucceed(() => []),
      turns.withPermits(1),
    );

/** The database of a home; it opens and makes nothing yet. */
export const makeDatabase = (paths: HomePaths): Effect.Effect<Database> =>
  Effect.map(Effect.makeSemaphore(1), (turns) => {
    let opened: Opened | null = null;

    const close = Effect.suspend(() => {
      const { close } = opened ?? { close: Effect.void };
      opened = null;
      return close;
    });

    const open = Effect.gen(function* () {
      const identity = yield* standing(paths);
      if (opened !== null && opened.identity !== identity) yield* close;
      if (opened !== null || identity === null) return opened;
      yield* requireWholePages(paths);
      const connection = yield* connect(paths.database, { readonly: false });
      opened = { ...connection, identity };
      return opened;
    }).pipe(Effect.uninterruptible);

    const openToWrite = Effect.gen(function* () {
      const found = (yield* open) ?? (yield* Effect.zipRight(makeDatabaseFile(paths), open));
      if (found !== null) return found.sql;
      const detail = `${paths.database} was removed while it was made`;
      return yield* new StoreFailure({ kind: "busy", detail });
    });

    const attempt = <A, E>(effect: Effect.Effect<A, E>) =>
      translated(effect).pipe(
        Effect.tapError((error) => (isWorseThanBusy(error) ? close : Effect.void)),
        turns.withPermits(1),
      );

    return {
      read: (body) => {
        const usual = Effect.gen(function* () {
          const found = yield* open;
          if (found === null) return Option.none();
          // Tables of an older program stay as they are until something is written.
          const isOlder = (yield* schemaVersion(found.sql)) < knownSchema;
          const told = yield* isOlder
            ? Effect.flatMap(found.bytes, (bytes) => readCopy(bytes, body))
            : body(found.sql);
          return Option.some(told);
        });
        return attempt(usual).pipe(
          Effect.catchIf(isUnavailable, (failure) =>
            attempt(Effect.asSome(readFrozen(paths, failure, body))),
          ),
        );
      },
      write: (body) =>
        attempt(
          Effect.flatMap(openToWrite, (sql) =>
            immediate(
              sql,
              schemaVersion(sql).pipe(
                Effect.flatMap((version) => migrate(sql, version)),
                Effect.zipRight(body(sql)),
              ),
            ),
          ),
        ),
      change: changeOf(open, turns),
      close: turns.withPermits(1)(close),
    };
  });
