/**
 * Patterns: the search of lines for a regular expression, bounded.
 *
 * An expression can take longer than anyone lives on a line of thirty characters, and a search in
 * JavaScript cannot be cut off by the fiber that began it. Whoever can bound its time provides
 * that; the default looks at the beginning of each line alone, which bounds most expressions and
 * not all. A reference with a default, for a host that has nothing better.
 */
import { Context } from "effect";

/** The most characters of a line that the default looks at. */
const LONGEST = 2_000;

/** How lines are searched. */
export class Patterns extends Context.Reference<Patterns>()("@troupe/core/Patterns", {
  defaultValue: (): {
    /**
     * The index of the newest line that matches, by itself or with one blank behind it, -1 for
     * none, `null` when that took too long, or the pattern is too large to be searched for. It is
     * one that is well-formed with the flag `u`.
     */
    readonly newest: (pattern: string, lines: ReadonlyArray<string>) => number | null;
  } => ({
    newest: (pattern, lines) => {
      const regex = new RegExp(pattern, "u");
      return lines
        .map((line) => line.slice(0, LONGEST))
        .findLastIndex((line) => regex.test(line) || regex.test(`${line} `));
    },
  }),
}) {}
