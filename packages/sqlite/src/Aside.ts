/**
 * Aside: keeping a damaged registry under another name, so that a new one can be made.
 *
 * Damaged is a file that SQLite finds broken or that holds a row which cannot be understood; one
 * that is merely newer, busy or out of reach is not. Programs do this one after another, each
 * looking again first, so that nobody puts aside what another has just made. The database goes
 * first and its log last: a log without its database is found damaged by whoever comes next.
 */
import type { RegistryFailure } from "@troupe/core";
import { Effect, Either } from "effect";
import type { Database } from "./Database.js";
import { fileIdentity, type HomePaths, moveFile } from "./HomeFiles.js";
import { takeLock } from "./KernelLock.js";
import { patiently } from "./Patience.js";
import type { Sql, SqlError } from "./Sql.js";
import { decodeStored, type StoredRow, selectStored } from "./StoredRecord.js";
import { StoreFailure } from "./StoreFailure.js";

const corrupt = (detail: string): StoreFailure => new StoreFailure({ kind: "corrupt", detail });

/** Reads everything once; fails as `corrupt` when something of it is damaged. */
export const readWhole = (sql: Sql): Effect.Effect<void, SqlError | StoreFailure> =>
  Effect.gen(function* () {
    const [verdict] = yield* sql.unsafe<{ quick_check: string }>("PRAGMA quick_check(1)");
    if (verdict?.quick_check !== "ok") return yield* corrupt(String(verdict?.quick_check));
    for (const row of yield* sql.unsafe<StoredRow>(selectStored("true"))) {
      const decoded = decodeStored(row);
      if (Either.isLeft(decoded)) return yield* corrupt(decoded.left);
    }
  });

const isDamaged = (database: Database): Effect.Effect<boolean, StoreFailure> =>
  database.read(readWhole).pipe(
    Effect.as(false),
    Effect.catchIf(
      ({ kind }) => kind === "corrupt",
      () => Effect.succeed(true),
    ),
  );

const isThere = (file: string): Effect.Effect<boolean, StoreFailure> =>
  Effect.map(fileIdentity(file), (identity) => identity !== null);

/** The first name that nothing was kept under before. */
const freeName = Effect.fnUntraced(function* ({ database }: HomePaths) {
  for (let number = 1; ; number++) {
    const name = `${database}.damaged-${number}`;
    if (!(yield* isThere(name)) && !(yield* isThere(`${name}-wal`))) return name;
  }
});

/**
 * Moves what belongs to the database, as it is there at first. While its log is there nobody makes
 * a new one, so that goes last; a log that comes behind the database is of another.
 */
const move = Effect.fnUntraced(function* (paths: HomePaths) {
  const name = yield* freeName(paths);
  const log = yield* fileIdentity(paths.writeAheadLog);
  for (const part of log === null ? [""] : ["", "-shm", "-wal"]) {
    const file = `${paths.database}${part}`;
    const found = yield* fileIdentity(file);
    if (found === null || (part === "-wal" && found !== log)) continue;
    yield* moveFile(file, `${name}${part}`);
  }
  return name;
});

/** The port's `setAside`. */
export const makeSetAside = (
  database: Database,
  paths: HomePaths,
): Effect.Effect<string | null, RegistryFailure> =>
  patiently(
    { session: null, attempted: "look whether it is damaged, and keep it aside then" },
    Effect.gen(function* () {
      if (!(yield* isDamaged(database))) return null;
      yield* Effect.acquireRelease(takeLock(paths.locks, "rebuild"), (lock) =>
        lock.release({ remove: true }),
      );
      if (!(yield* isDamaged(database))) return null;
      yield* database.close;
      return yield* move(paths);
    }).pipe(Effect.scoped),
  );
