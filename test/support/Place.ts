/**
 * Place: the directory of one test, and where its socket is.
 *
 * Below TMPDIR, whatever letters that has and however long it is. Where a path in it is too long
 * for a socket, the socket is where that of such a home is. With TROUPE_SKELETON it begins with a
 * copy of that directory: what a user may have in his home.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SOCKET_BOUND, socketOf } from "@troupe/node";

/** A directory of its own. */
export const makeDirectory = (): string => {
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

/** Removes both. */
export const removePlace = (directory: string, socket: string): void => {
  rmSync(socket, { force: true });
  rmSync(directory, { recursive: true, force: true });
};

/** The text as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
