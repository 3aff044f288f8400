/**
 * SocketPath: what must hold of a socket's path before a server is started on it.
 *
 * tmux deletes a regular file that stands at the path, and a directory that others can write to
 * lets them put their own server there. A missing directory is made, 0700, when its parent is
 * there. What cannot be looked at is not started on.
 */
import { lstatSync, mkdirSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

const look = (path: string): Stats | null => {
  try {
    return lstatSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
};

/** Whether two paths are of one file; where one cannot be looked at, whether they are the same. */
export const sameSocket = (a: string, b: string): boolean => {
  if (a === b) return true;
  try {
    const [one, other] = [statSync(a), statSync(b)];
    return one.dev === other.dev && one.ino === other.ino;
  } catch {
    // Two spellings of what cannot be looked at are not known to be one.
    return false;
  }
};

/** The sticky bit: in such a directory others cannot replace what is ours. */
const STICKY = 0o1000;

const isOurs = ({ uid }: Stats): boolean => uid === (process.getuid?.() ?? 0) || uid === 0;

const directoryProblem = (path: string, make: boolean): string | null => {
  const named = look(path);
  if (named === null) {
    if (make) mkdirSync(path, { mode: 0o700 });
    return null;
  }
  const real = statSync(path);
  if (!real.isDirectory()) return `${path} is not a directory`;
  if (!isOurs(named) || !isOurs(real)) return `${path} belongs to another user`;
  const open = (real.mode & 0o022) !== 0 && (real.mode & STICKY) === 0;
  return open ? `${path} can be written by others` : null;
};

/**
 * Why nothing may be said to this socket; `null` when it may. With `make` a server is about to be
 * started: a missing directory is made, and only a socket may be in the way.
 */
export const socketProblem = (
  socket: string,
  options: { readonly make: boolean },
): string | null => {
  try {
    const problem = directoryProblem(dirname(socket), options.make);
    if (problem !== null) return problem;
    const stats = look(socket);
    if (stats === null) return null;
    if (stats.isSocket()) {
      const own = stats.uid === (process.getuid?.() ?? 0);
      return own ? null : `${socket} belongs to another user`;
    }
    return options.make ? `${socket} is there and is no socket` : null;
  } catch (error) {
    // What cannot be looked at is not started on; of a server that may be there, tmux tells.
    return options.make ? String(error) : null;
  }
};
