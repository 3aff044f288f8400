/**
 * Capture: the text of `capture-pane`.
 *
 * Lines are counted from the top of the screen; negative ones are in the history.
 */
import type { Arguments } from "../Arguments.js";
import type { Grid } from "../Grid.js";
import type { GridLine } from "../GridLine.js";
import { intMaximum, strtonum } from "../Strtonum.js";

const lineNumber = (
  args: Arguments,
  flag: "S" | "E",
  grid: Grid,
  fallback: number,
  all: number,
): number => {
  const text = args.get(flag);
  if (text === "-") return all;
  const number = text === null ? "missing" : strtonum(text, -intMaximum - 1, 32_767);
  if (typeof number === "string") return fallback;
  if (number < 0 && -number > grid.historySize) return 0;
  return Math.min(grid.historySize + number, grid.length - 1);
};

const lineText = (line: GridLine, args: Arguments): string => {
  const text = line.cells.join("");
  const shown = args.has("C") ? text.replaceAll("\\", "\\\\") : text;
  return args.has("J") || args.has("N") ? shown : shown.replace(/ +$/, "");
};

/** Every line with its newline, except where the next one continues it and `-J` is given. */
export const captureLines = (grid: Grid, args: Arguments): string => {
  const bottom = grid.length - 1;
  const from = lineNumber(args, "S", grid, grid.historySize, 0);
  const to = lineNumber(args, "E", grid, bottom, bottom);
  let text = "";
  for (let at = Math.min(from, to); at <= Math.max(from, to); at++) {
    const line = grid.line(at);
    text += lineText(line, args);
    if (!args.has("J") || !line.wrapped) text += "\n";
  }
  return text;
};
