/**
 * ProcFile: reading a file of a process in /proc.
 *
 * A process that is gone is `null`; any other refusal is thrown. The read is synchronous: /proc
 * does not wait for a disk.
 */
import { readFileSync } from "node:fs";

/** The system's name for what went wrong, or nothing. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

/** Whether it says that there is no such process. */
export const isGone = (error: unknown): boolean => ["ENOENT", "ESRCH"].includes(codeOf(error));

/**
 * Reads a file of a process; `null` when the process is gone. As UTF-8, for which node has a
 * shorter way, and in which what is none never takes the place of a byte of ASCII.
 */
export const read = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
};
