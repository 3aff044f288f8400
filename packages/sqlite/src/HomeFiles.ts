/**
 * HomeFiles: the directories and files of a home, made private and looked at.
 *
 * What is made here belongs to its user alone, whatever the umask: directories 0700, files 0600.
 * What was there before keeps its permissions. Only `ENOENT` means that something is not there;
 * every other refusal is a failure, also that the home is a file. A database is never opened here:
 * in POSIX, closing any descriptor of a file drops the locks that this process has on it.
 */
import fs from "node:fs";
import path from "node:path";
import { Effect, type Scope } from "effect";
import { fromFiles, type StoreFailure } from "./StoreFailure.js";

/** Where things are in a home. */
export interface HomePaths {
  readonly home: string;
  readonly database: string;
  /** SQLite's log of what is not in the database file yet. */
  readonly writeAheadLog: string;
  readonly locks: string;
}

/** The paths of a home. */
export const homePaths = (given: string): HomePaths => {
  const home = path.resolve(given);
  const database = path.join(home, "registry.db");
  return { home, database, writeAheadLog: `${database}-wal`, locks: path.join(home, "locks") };
};

const hasCode = (cause: unknown, ...codes: ReadonlyArray<string>): boolean =>
  cause instanceof Error && "code" in cause && codes.includes(String(cause.code));

const attempt = <A>(act: () => A): Effect.Effect<A, StoreFailure> =>
  Effect.try({ try: act, catch: fromFiles });

/** Runs what makes something; `false` when that was there already. */
const made = (act: () => void): boolean => {
  try {
    act();
    return true;
  } catch (cause) {
    if (hasCode(cause, "EEXIST")) return false;
    throw cause;
  }
};

/** Which file is at the path, or `null` when there is positively none. */
export const fileIdentity = (file: string): Effect.Effect<string | null, StoreFailure> =>
  attempt(() => {
    try {
      const { dev, ino } = fs.statSync(file, { bigint: true });
      return `${dev}:${ino}`;
    } catch (cause) {
      if (hasCode(cause, "ENOENT")) return null;
      throw cause;
    }
  });

/** The file at the path and which of its versions, or `null` when there is positively none. */
export const fileVersion = (
  file: string,
): Effect.Effect<{ readonly size: bigint; readonly text: string } | null, StoreFailure> =>
  attempt(() => {
    try {
      const { ctimeNs, dev, ino, mtimeNs, size } = fs.statSync(file, { bigint: true });
      return { size, text: [dev, ino, size, mtimeNs, ctimeNs].join(":") };
    } catch (cause) {
      if (hasCode(cause, "ENOENT")) return null;
      throw cause;
    }
  });

/** Makes what was put into the directory survive a power cut. */
const syncDirectory = (directory: string): void => {
  const descriptor = fs.openSync(directory, "r");
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
};

const makePrivate = (directory: string): void => {
  const parent = path.dirname(directory);
  if (!fs.existsSync(parent)) makePrivate(parent);
  if (!made(() => fs.mkdirSync(directory, 0o700))) return;
  fs.chmodSync(directory, 0o700);
  syncDirectory(parent);
};

/** Makes the directory if it is not there, with the parents that are missing, all 0700. */
export const makeDirectory = (directory: string): Effect.Effect<void, StoreFailure> =>
  attempt(() => makePrivate(directory));

const makeEmpty = (file: string): void => {
  const descriptor = fs.openSync(file, "wx", 0o600);
  try {
    // Not by its name: somebody may have removed it by now.
    fs.fchmodSync(descriptor, 0o600);
  } finally {
    fs.closeSync(descriptor);
  }
};

/** Makes the file, empty, if it is not there. */
export const makeFile = (file: string): Effect.Effect<void, StoreFailure> =>
  attempt(() => void made(() => makeEmpty(file)));

/** The names of what is in the directory; none when it is not there. */
export const namesIn = (directory: string): Effect.Effect<ReadonlyArray<string>, StoreFailure> =>
  attempt(() => {
    try {
      return fs.readdirSync(directory);
    } catch (cause) {
      if (hasCode(cause, "ENOENT")) return [];
      throw cause;
    }
  });

/** Removes the file; one that is not there is success. */
export const removeFile = (file: string): Effect.Effect<void, StoreFailure> =>
  attempt(() => {
    try {
      fs.unlinkSync(file);
    } catch (cause) {
      if (!hasCode(cause, "ENOENT")) throw cause;
    }
  });

/** Removes the directory with all that is in it; one that is not there is success. */
export const removeDirectory = (directory: string): Effect.Effect<void, StoreFailure> =>
  attempt(() => fs.rmSync(directory, { recursive: true, force: true }));

/** Gives the file another name, for good. */
export const moveFile = (file: string, name: string): Effect.Effect<void, StoreFailure> =>
  attempt(() => {
    fs.renameSync(file, name);
    syncDirectory(path.dirname(name));
  });

/** The bytes of the file. Not of one that this process has open with SQLite. */
export const readBytes = (file: string): Effect.Effect<Buffer, StoreFailure> =>
  attempt(() => fs.readFileSync(file));

/** What a directory is for in which something is made; its name tells, also while it is empty. */
export const workPrefixes = { registry: "new-", copy: "copy-" } as const;

/** A new directory in `parent`, 0700, removed with all that is in it when the scope closes. */
export const workDirectory = (
  parent: string,
  purpose: keyof typeof workPrefixes,
): Effect.Effect<string, StoreFailure, Scope.Scope> =>
  Effect.acquireRelease(
    attempt(() => {
      const directory = fs.mkdtempSync(path.join(parent, workPrefixes[purpose]));
      // Under a umask that takes the owner's rights away, nothing could be made in it.
      fs.chmodSync(directory, 0o700);
      return directory;
    }),
    (directory) =>
      Effect.ignore(attempt(() => fs.rmSync(directory, { recursive: true, force: true }))),
  );

/** Puts a finished file in its place, unless one is there already; whether it was put there. */
export const placeFile = (finished: string, place: string): Effect.Effect<boolean, StoreFailure> =>
  attempt(() => {
    const placed = made(() => fs.linkSync(finished, place));
    if (placed) syncDirectory(path.dirname(place));
    return placed;
  });
