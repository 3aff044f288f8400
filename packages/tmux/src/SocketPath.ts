/**
 * SocketPath: what must hold of a socket's path before a server is started on it.
 *
 * tmux deletes a regular file that stands at the path, and a directory that others can write to
 * lets them put their own server there. A missing directory is made, 0700, when its parent is
 * there. What cannot be looked at is not started on.
 */
import { lstatSync, mkdirSync, type Stats } from "node:fs";
import { dirname } from "node:path";

const look = (path: string): Stats | null => {
  try {
    return lstatSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
};

/** The sticky bit: in such a directory others cannot replace what is ours. */
const STICKY = 0o1000;

const directoryProblem = (path: string): string | null => {
  const stats = look(path);
  if (stats === null) {
    mkdirSync(path, { mode: 0o700 });
    return null;
  }
  if (!stats.isDirectory()) return `${path} is not a directory`;
  const mine = process.getuid?.() ?? 0;
  if (stats.uid !== mine && stats.uid !== 0) return `${path} belongs to another user`;
  const open = (stats.mode & 0o022) !== 0 && (stats.mode & STICKY) === 0;
  return open ? `${path} can be written by others` : null;
};

/** Why no server may be started here; `null` when one may. Makes the directory when missing. */
export const socketProblem = (socket: string): string | null => {
  try {
    const problem = directoryProblem(dirname(socket));
    if (problem !== null) return problem;
    const stats = look(socket);
    return stats === null || stats.isSocket() ? null : `${socket} is there and is no socket`;
  } catch (error) {
    return String(error);
  }
};
