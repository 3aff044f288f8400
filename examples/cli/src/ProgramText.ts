/**
 * ProgramText: a program as text for people: the words it was started with, and how it ended.
 */
import type { ProgramExit } from "@troupe/core";

/** The words of a command, quoted so that a reader sees where each one ends. */
export const commandLine = (command: ReadonlyArray<string>): string =>
  command
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");

/** How a program ended. */
export const ending = ({ code, signal }: ProgramExit): string => {
  if (signal !== null) return `signal ${signal}`;
  return code === null ? "ended" : `code ${code}`;
};
