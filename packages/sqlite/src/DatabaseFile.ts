/**
 * DatabaseFile: making the file of a registry, whole or not at all.
 *
 * It is made aside, with its tables and in WAL mode, and put in its place in one step. So whatever
 * stands at the path was a registry once, and one that is empty or lacks its tables is damaged and
 * not new; and of two programs that start together one is first and the other uses its file.
 */
import path from "node:path";
import { Effect } from "effect";
import { connect } from "./Connection.js";
import { type HomePaths, makeDirectory, makeFile, placeFile, workDirectory } from "./HomeFiles.js";
import { immediate } from "./Immediate.js";
import { migrate } from "./Migrations.js";
import type { Sql, SqlError } from "./Sql.js";
import { StoreFailure } from "./StoreFailure.js";

/** Makes the database keep a log beside it, for good. */
export const useWriteAheadLog = (sql: Sql): Effect.Effect<void, SqlError | StoreFailure> =>
  Effect.gen(function* () {
    const [row] = yield* sql.unsafe<{ journal_mode: string }>("PRAGMA journal_mode = WAL");
    if (row?.journal_mode === "wal") return;
    const detail = `the file system cannot hold a write-ahead log (mode ${row?.journal_mode})`;
    return yield* new StoreFailure({ kind: "unavailable", detail });
  });

/** Makes the home and the database in it, unless they are there. */
export const makeDatabaseFile = (paths: HomePaths): Effect.Effect<void, SqlError | StoreFailure> =>
  Effect.gen(function* () {
    yield* makeDirectory(paths.home);
    const directory = yield* workDirectory(paths.home, "registry");
    const file = path.join(directory, path.basename(paths.database));
    yield* makeFile(file);
    yield* Effect.acquireUseRelease(
      connect(file, { readonly: false }),
      ({ sql }) => Effect.zipRight(useWriteAheadLog(sql), immediate(sql, migrate(sql, 0))),
      ({ close }) => close,
    );
    yield* placeFile(file, paths.database);
  }).pipe(Effect.scoped, Effect.uninterruptible);
