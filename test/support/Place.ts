/**
 * Place: the directory of one test, and where its socket is.
 *
 * Below TMPDIR, whatever letters that has and however long it is. Where a path in it is too long
 * for a socket, the socket is where that of such a home is. With TROUPE_SKELETON it begins with a
 * copy of that directory: what a user may have in his home.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { SOCKET_BOUND, socketOf } from "@troupe/node";

const fits = (path: string): boolean =>
  Buffer.byteLength(join(tmpdir(), "tr-xxxxxx", path)) <= SOCKET_BOUND;

/** Whether the socket of a test is in its directory: else its path is too long. */
export const socketFits: boolean = fits("s");

/** Whether a test may have further sockets there. */
export const socketsFit: boolean = fits("folder/s");

/** Whether a server may have a socket beside that of a test, with a number behind its name. */
export const besideFits: boolean = !socketFits || fits("s.1234567");

const { TROUPE_FILES: mostFiles } = process.env;
let isLimited = mostFiles === undefined;

/** Whether node may have as many files open at once as it has while it loads many modules. */
export const modulesLoad: boolean = mostFiles === undefined;

/**
 * With TROUPE_FILES this process, and what it starts, may have so many files open. Not from the
 * beginning, since a runner of tests that loads its modules has more.
 */
const limitFiles = (): void => {
  if (isLimited) return;
  execFileSync("prlimit", ["--pid", String(process.pid), `--nofile=${mostFiles}:${mostFiles}`]);
  isLimited = true;
};

/** A directory of its own. */
export const makeDirectory = (): string => {
  limitFiles();
  const directory = mkdtempSync(join(tmpdir(), "tr-"));
  const { TROUPE_SKELETON: skeleton } = process.env;
  if (skeleton !== undefined) cpSync(skeleton, directory, { recursive: true });
  return directory;
};

/** Where the socket of a test is. */
export const socketIn = (directory: string): string => {
  const socket = join(directory, "s");
  if (Buffer.byteLength(socket) <= SOCKET_BOUND) return socket;
  return socketOf(join(directory, "home"));
};

/** Removes both, with what a test put beside a socket that is elsewhere. */
export const removePlace = (directory: string, socket: string): void => {
  const place = dirname(socket);
  const beside = existsSync(place) ? readdirSync(place) : [];
  for (const name of beside.filter((one) => one.startsWith(basename(socket)))) {
    if (place !== directory) rmSync(join(place, name), { recursive: true, force: true });
  }
  rmSync(directory, { recursive: true, force: true });
};

/** The text as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
