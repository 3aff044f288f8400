/**
 * KernelLock: whether a program lives, answered by a lock that the kernel takes away when it dies.
 *
 * Each program holds an exclusive SQLite transaction on a small file that bears its name. A
 * program that is stopped still holds it; one that was killed does not. Whoever looks takes a
 * shared lock for a moment, so that lookers do not take each other for the holder. The file is
 * opened by SQLite alone: any other close of it in the holder's process would drop the lock.
 */
import path from "node:path";
import { Effect } from "effect";
import { type Connection, connect } from "./Connection.js";
import { fileIdentity, makeDirectory, makeFile, namesIn, removeFile } from "./HomeFiles.js";
import type { SqlError } from "./Sql.js";
import { fromSql, StoreFailure } from "./StoreFailure.js";

/** A held lock. */
export interface KernelLock {
  /** Gives the lock up. With `remove` nothing is left; without, the file is proof of the end. */
  readonly release: (options: { readonly remove: boolean }) => Effect.Effect<void>;
  /** Leaves it to the end of the process, which may still do what it was asked under this name. */
  readonly leave: Effect.Effect<void>;
}

/** Locks that only the end of the process gives up; whatever is not kept, the runtime may close. */
const left = new Set<Connection>();

const lockFile = (locks: string, owner: string): string => path.join(locks, `${owner}.lock`);

// Nothing is ever written to the file, so its transaction needs no journal beside it.
const locking = ["PRAGMA journal_mode = MEMORY", "BEGIN EXCLUSIVE"];

const held = (file: string): Effect.Effect<Connection, SqlError | StoreFailure> =>
  Effect.gen(function* () {
    const connection = yield* connect(file, { readonly: false });
    const lock = Effect.forEach(locking, (statement) => connection.sql.unsafe(statement));
    yield* Effect.onError(lock, () => connection.close);
    return connection;
  });

/**
 * Takes the lock of this owner, who has just been named. Fails with `busy` while somebody looks,
 * and leaves the file for the next attempt.
 */
export const takeLock = (locks: string, owner: string): Effect.Effect<KernelLock, StoreFailure> =>
  Effect.gen(function* () {
    const file = lockFile(locks, owner);
    yield* makeDirectory(locks);
    yield* makeFile(file);
    const made = yield* fileIdentity(file);
    const connection = yield* held(file);
    // The lock counts only while the file can be found: a sweep may have taken it for a leftover.
    const found = yield* Effect.onError(fileIdentity(file), () => connection.close);
    if (made === null || found !== made) {
      yield* connection.close;
      return yield* new StoreFailure({ kind: "busy", detail: `${file} was removed` });
    }
    const lock: KernelLock = {
      release: ({ remove }) =>
        Effect.zipRight(remove ? Effect.ignore(removeFile(file)) : Effect.void, connection.close),
      leave: Effect.sync(() => void left.add(connection)),
    };
    return lock;
  }).pipe(Effect.catchTag("SqlError", fromSql), Effect.uninterruptible);

/** The owners whose lock files are there, whatever they show. */
export const lockOwners = (locks: string): Effect.Effect<ReadonlyArray<string>, StoreFailure> =>
  Effect.map(namesIn(locks), (names) =>
    names.filter((name) => name.endsWith(".lock")).map((name) => name.slice(0, -".lock".length)),
  );

/** What the lock of an owner shows. */
export type LockVerdict = "held" | "free" | "missing";

/** Looks at the lock of an owner; changes and makes nothing. */
export const lookAtLock = (
  locks: string,
  owner: string,
): Effect.Effect<LockVerdict, StoreFailure> =>
  Effect.gen(function* () {
    const file = lockFile(locks, owner);
    if ((yield* fileIdentity(file)) === null) return "missing";
    const look = Effect.acquireUseRelease(
      connect(file, { readonly: true }),
      ({ sql }) => sql.unsafe("SELECT count(*) FROM sqlite_schema"),
      ({ close }) => close,
    );
    const isBusy = yield* look.pipe(
      Effect.catchTag("SqlError", fromSql),
      Effect.as(false),
      Effect.catchIf(
        ({ kind }) => kind === "busy",
        () => Effect.succeed(true),
      ),
    );
    if (!isBusy) return "free";
    // It may have been removed by now, and by its owner, who lives; only its process tells then.
    return (yield* fileIdentity(file)) === null ? "missing" : "held";
  });

/**
 * Removes the lock of a dead owner, under that very lock; one that resists stays. So does another
 * file of that name: one like it may have been removed, and made again by an owner who lives.
 */
export const removeLock = (locks: string, owner: string): Effect.Effect<void> =>
  Effect.gen(function* () {
    const file = lockFile(locks, owner);
    const seen = yield* fileIdentity(file);
    if (seen === null) return;
    yield* Effect.acquireUseRelease(
      held(file),
      () =>
        Effect.flatMap(fileIdentity(file), (now) =>
          now === seen ? removeFile(file) : Effect.void,
        ),
      ({ close }) => close,
    );
  }).pipe(Effect.ignore);
