/**
 * TmuxLocation: where tmux and the socket of a home are, and what our server may know of us.
 *
 * `TMUX`, `TMUX_PANE` and `TMUX_TMPDIR` of the caller are never read. A socket's path has at most
 * 107 bytes, so a home with a longer one gets a socket in a directory of its own below /tmp.
 */
import { createHash } from "node:crypto";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";

/** The most that the kernel takes for the path of a socket, with room for the final zero. */
export const SOCKET_BOUND = 107;

/**
 * The home without links, so that two spellings of it are one home; what of it is not there yet
 * stands as it was given.
 */
export const realHome = (home: string): string => {
  try {
    return realpathSync(home);
  } catch {
    // Not there, or not to be seen: whoever needs it fails on it, and says why.
    const parent = dirname(home);
    return parent === home ? home : join(realHome(parent), basename(home));
  }
};

/** The socket of a home. */
export const socketOf = (given: string): string => {
  const home = realHome(resolve(given));
  const socket = join(home, "tmux.sock");
  if (Buffer.byteLength(socket) <= SOCKET_BOUND) return socket;
  const hash = createHash("sha256").update(home).digest("hex").slice(0, 16);
  return `/tmp/troupe-${process.getuid?.() ?? 0}/${hash}`;
};

const isExecutable = (path: string): boolean => {
  try {
    // To say that nothing is there by throwing takes longer than to ask.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not to be found, entered or executed: the next place on PATH is looked at.
    return false;
  }
};

/** The program of that name in the first place of PATH that has it; `null` when none does. */
export const findProgram = (name: string): string | null => {
  const places = (process.env.PATH ?? "").split(delimiter).filter((place) => isAbsolute(place));
  return places.map((place) => join(place, name)).find(isExecutable) ?? null;
};

/**
 * The program as an absolute path. One that is nowhere stays as it was named, so that the first
 * call to it fails with `LookupFailed` (`missing-program`) and names it.
 */
export const findTmux = (given: string | undefined): string => {
  const name = given ?? "tmux";
  if (isAbsolute(name)) return name;
  if (name.includes("/")) return resolve(name);
  return findProgram(name) ?? `/nowhere/${name}`;
};

/** What a server that we start knows of its creator; without the mark of a session. */
export const serverEnvironment = (): ReadonlyMap<string, string> =>
  new Map(
    ["HOME", "SHELL", "USER", "LOGNAME"].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
