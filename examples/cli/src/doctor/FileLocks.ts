/**
 * FileLocks: which processes hold a file locked against others, as far as the system shows it.
 *
 * The kernel's own table of locks names a file by its number on some device; that it is this file
 * is seen by what the process has open. Where the table shows nobody (a lock in another namespace,
 * another system), those that have the file open are told. The file itself is never opened here.
 */
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";

/** A lock that keeps others out, of the file with this number. */
interface Held {
  readonly pid: number;
  readonly inode: string;
}

const LOCK = /^\d+: (?:POSIX|OFDLCK|FLOCK) +\S+ +WRITE +(\d+) +[0-9a-f]+:[0-9a-f]+:(\d+) /;

/** The locks that keep others out, from the text of /proc/locks; who only waits has none. */
export const writeLocks = (text: string): ReadonlyArray<Held> =>
  text.split("\n").flatMap((line) => {
    const [, pid, inode] = LOCK.exec(line) ?? [];
    return pid === undefined || inode === undefined ? [] : [{ pid: Number(pid), inode }];
  });

const orElse = <A>(look: () => A, otherwise: A): A => {
  try {
    return look();
  } catch {
    // Gone, or not ours to see.
    return otherwise;
  }
};

/** What the process has open; `null` where that may not be seen. */
const openIn = (pid: number): ReadonlyArray<string> | null =>
  orElse(
    () =>
      readdirSync(`/proc/${pid}/fd`).map((fd) =>
        orElse(() => readlinkSync(`/proc/${pid}/fd/${fd}`), ""),
      ),
    null,
  );

const inodeOf = (file: string): string | null =>
  orElse(() => String(statSync(file, { bigint: true }).ino), null);

const numbers = (directory: string): ReadonlyArray<number> =>
  orElse(() => readdirSync(directory), [])
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number);

/** Who may keep a file locked. */
export interface Lockers {
  readonly pids: ReadonlyArray<number>;
  /** Whether they do; else they have it open, and one of them may. */
  readonly proven: boolean;
}

/** Those who keep one of the files locked; where nobody is shown to, those who have one open. */
export const lockersOf = (files: ReadonlyArray<string>): Lockers => {
  const inodes = new Set(files.map(inodeOf));
  const has = (open: ReadonlyArray<string> | null): boolean =>
    open?.some((file) => files.includes(file)) ?? false;
  const locking = writeLocks(orElse(() => readFileSync("/proc/locks", "latin1"), ""))
    .filter(({ inode, pid }) => pid > 0 && inodes.has(inode))
    .map(({ pid }) => pid)
    .filter((pid) => {
      const open = openIn(pid);
      return open === null || has(open);
    });
  if (locking.length > 0) return { pids: [...new Set(locking)], proven: true };
  const having = numbers("/proc").filter((pid) => pid !== process.pid && has(openIn(pid)));
  return { pids: having, proven: false };
};
