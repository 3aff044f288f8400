/**
 * Machine: what doctor looks at that no port tells: files, room on disk, marks of processes.
 *
 * Every look answers: what is not there is `null`, and what may not be looked at is told by whoever
 * asks for permission. Looks are short and synchronous; nothing is opened for writing.
 */
import { accessSync, constants, lstatSync, readdirSync, readFileSync, statfsSync } from "node:fs";
import { MARK_VARIABLE } from "@troupe/core";
import { type Lockers, lockersOf } from "./FileLocks.js";

/** What stands at a path. */
export interface Place {
  readonly kind: "directory" | "file" | "socket" | "other";
  /** The nine bits of the permissions, and the sticky bit. */
  readonly mode: number;
  readonly uid: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** The file system of a path. `files` is how many more it takes, where `filesBound` is not 0. */
export interface Room {
  readonly type: number;
  readonly bytes: number;
  readonly files: number;
  readonly filesBound: number;
}

/** The looks. */
export interface Machine {
  readonly uid: number;
  readonly place: (path: string) => Place | null;
  /** Names in a directory, at most some thousands; none where it is not there or not to be read. */
  readonly names: (directory: string) => ReadonlyArray<string>;
  readonly text: (path: string) => string | null;
  /** Whether we may read, write, or enter and execute: every one of the letters. */
  readonly may: (path: string, letters: "rwx" | "rw" | "r" | "x") => boolean;
  readonly room: (path: string) => Room | null;
  /** Who keeps one of the files locked, as far as can be seen. */
  readonly lockers: (files: ReadonlyArray<string>) => Lockers;
  /** The pids of the processes that carry the mark of a session, by its incarnation. */
  readonly marks: () => ReadonlyMap<string, ReadonlyArray<number>>;
}

const orNull = <A>(look: () => A): A | null => {
  try {
    return look();
  } catch {
    // Gone, or not ours to see; what that means is for the check that asked.
    return null;
  }
};

const kindOf = (stats: ReturnType<typeof lstatSync>): Place["kind"] => {
  if (stats?.isDirectory()) return "directory";
  if (stats?.isFile()) return "file";
  return stats?.isSocket() ? "socket" : "other";
};

const place = (path: string): Place | null => {
  const stats = orNull(() => lstatSync(path));
  if (stats === null) return null;
  const { mode, mtimeMs: changedAt, uid } = stats;
  return { kind: kindOf(stats), mode: mode & 0o1777, uid, changedAt };
};

const text = (path: string): string | null => orNull(() => readFileSync(path, "latin1"));

const names = (directory: string): ReadonlyArray<string> =>
  orNull(() => readdirSync(directory).slice(0, 5_000)) ?? [];

const bits = { r: constants.R_OK, w: constants.W_OK, x: constants.X_OK } as const;

const may: Machine["may"] = (path, letters) => {
  const mode = (["r", "w", "x"] as const)
    .filter((letter) => letters.includes(letter))
    .reduce((all, letter) => all | bits[letter], 0);
  return orNull(() => accessSync(path, mode) ?? true) ?? false;
};

const room = (path: string): Room | null =>
  orNull(() => {
    const { bavail, bsize, ffree, files, type } = statfsSync(path);
    return { type, bytes: bavail * bsize, files: ffree, filesBound: files };
  });

const MARK = new RegExp(`(?:^|\\0)${MARK_VARIABLE}=([A-Za-z0-9-]{8,64})(?:\\0|$)`);

const marks = (): ReadonlyMap<string, ReadonlyArray<number>> => {
  const found = new Map<string, Array<number>>();
  for (const pid of names("/proc").filter((name) => /^[0-9]+$/.test(name))) {
    const [, incarnation] = MARK.exec(text(`/proc/${pid}/environ`) ?? "") ?? [];
    if (incarnation === undefined) continue;
    found.set(incarnation, [...(found.get(incarnation) ?? []), Number(pid)]);
  }
  return found;
};

/** This machine, for the user that we run as. */
export const thisMachine: Machine = {
  uid: process.getuid?.() ?? 0,
  place,
  names,
  text,
  may,
  room,
  lockers: lockersOf,
  marks,
};
