/**
 * Frozen: reading a registry in a directory that cannot be written to, or on a disk that is full.
 *
 * SQLite reads a database in WAL mode only where it can make its files beside it. Where it cannot,
 * and has none there and no log with anything in it, the database alone is the whole truth: its
 * bytes are read, once, and asked in memory. They are looked at before and after, so one that
 * changed meanwhile is read again. Nothing is kept, so nothing grows old.
 */
import { Effect } from "effect";
import { fileVersion, type HomePaths, readBytes } from "./HomeFiles.js";
import { readCopy } from "./MemoryCopy.js";
import type { Sql, SqlError } from "./Sql.js";
import { StoreFailure } from "./StoreFailure.js";

/** The least size of the index of a database that somebody has open. */
const INDEX_BYTES = 32_768n;

/** Which database stands at the path, while nobody has it open and its log holds nothing. */
const standing = ({ database, writeAheadLog }: HomePaths) =>
  Effect.gen(function* () {
    const log = yield* fileVersion(writeAheadLog);
    // Whoever has it open has an index; reading the file here would drop the locks of our own. One
    // that is smaller than its first region was begun on a full disk, and nobody has it.
    const index = yield* fileVersion(`${database}-shm`);
    const isOpen = index !== null && index.size >= INDEX_BYTES;
    if (isOpen || (log !== null && log.size > 0n)) return null;
    return (yield* fileVersion(database))?.text ?? null;
  });

/** Whether the failure may be that SQLite could not make its files. */
const isOfDirectory = ({ code }: StoreFailure): boolean =>
  /^SQLITE_(READONLY_DIRECTORY|CANTOPEN|FULL|IOERR_(SHM\w+|WRITE))$/.test(code ?? "");

/**
 * Runs the body on the database as it stands; `failure` is why it could not be read as always, and
 * what this fails with where it cannot be read so either.
 */
export const readFrozen = <A, E>(
  paths: HomePaths,
  failure: StoreFailure,
  body: (sql: Sql) => Effect.Effect<A, E>,
): Effect.Effect<A, E | SqlError | StoreFailure> =>
  Effect.gen(function* () {
    const before = isOfDirectory(failure) ? yield* standing(paths) : null;
    if (before === null) return yield* failure;
    const bytes = yield* Effect.mapError(readBytes(paths.database), () => failure);
    if ((yield* standing(paths)) !== before) {
      const detail = `${paths.database} changed while it was read`;
      return yield* new StoreFailure({ kind: "busy", detail });
    }
    return yield* readCopy(bytes, body);
  });
