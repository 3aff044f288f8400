/**
 * Listing: the lines of the `list-` commands: one format for each thing, filtered by another.
 */
import type { CommandRun } from "../Command.js";
import { type FormatParts, formatLine } from "../FormatContext.js";

/** Prints a line for each that the filter does not make blank or 0. */
export const listing = (
  run: CommandRun,
  things: ReadonlyArray<FormatParts>,
  standard: string,
): void => {
  const template = run.args.get("F") ?? standard;
  const filter = run.args.get("f");
  things.forEach((parts, line) => {
    const shown = filter === null ? "1" : formatLine(run, parts, filter, line);
    if (shown !== "" && shown !== "0") run.print(formatLine(run, parts, template, line));
  });
};
