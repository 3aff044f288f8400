/**
 * WaitCondition: what can be waited for in a terminal, and whether lines of it show that. Pure.
 *
 * A line is what a person sees as one: rows that the terminal wrapped are joined. A terminal does
 * not tell a blank that was printed at the end of a line from a cell that nothing was printed in,
 * so every line counts as one that ends in as many blanks as are looked for. Nothing is matched
 * across lines, and nothing here waits or asks.
 */
import { Schema } from "effect";

/**
 * One of four. `text`: a line has this text. `regex`: a line matches this JavaScript pattern, read
 * with the flag `u`. `idleMs`: nothing was printed for so long, counted from when the wait began.
 * `exit`: the program ended.
 */
export const WaitCondition = Schema.Union(
  Schema.Struct({ text: Schema.String }),
  Schema.Struct({ regex: Schema.String }),
  Schema.Struct({ idleMs: Schema.Number }),
  Schema.Struct({ exit: Schema.Literal(true) }),
);
export type WaitCondition = typeof WaitCondition.Type;

/** The most characters of a pattern: what is compiled of a longer one may take seconds. */
const PATTERN_LENGTH = 2_000;

const patternProblem = (pattern: string): string | null => {
  if (pattern.length > PATTERN_LENGTH) {
    return `a pattern has at most ${PATTERN_LENGTH} characters, and this has ${pattern.length}`;
  }
  try {
    new RegExp(pattern, "u");
    return pattern === "" ? "there is no pattern" : null;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
};

const textProblem = (text: string): string | null => {
  if (/[\r\n]/.test(text)) return "text is looked for in one line, and this has several";
  return text.trim() === "" ? "there is no text but blanks" : null;
};

/** What was to be waited for is nothing that can be. Nothing was asked. */
export class InvalidCondition extends Schema.TaggedError<InvalidCondition>()("InvalidCondition", {
  session: Schema.NullOr(Schema.String),
  attempted: Schema.String,
  reason: Schema.String,
}) {
  override get message(): string {
    return this.reason;
  }
}

/** Why this cannot be waited for, in words; `null` when it can. */
export const conditionProblem = (condition: WaitCondition): string | null => {
  if (Object.keys(condition).length !== 1) return "exactly one condition can be waited for";
  if ("text" in condition) return textProblem(condition.text);
  if ("regex" in condition) return patternProblem(condition.regex);
  if ("exit" in condition) return null;
  const { idleMs } = condition;
  return Number.isFinite(idleMs) && idleMs > 0 ? null : "an idle time is more than 0 ms";
};

const withoutBlanks = (line: string): string => {
  let end = line.length;
  while (line[end - 1] === " ") end--;
  return line.slice(0, end);
};

/** The lines of a capture, without the blanks at their ends. */
export const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").map(withoutBlanks);

/** The index of the newest line that has the text; -1 for none. */
export const newestWith = (text: string, lines: ReadonlyArray<string>): number => {
  const blanks = text.slice(withoutBlanks(text).length);
  return lines.findLastIndex((line) => (line + blanks).includes(text));
};

/** The condition in words. */
export const conditionText = (condition: WaitCondition): string => {
  if ("text" in condition) return `${JSON.stringify(condition.text)} was not shown`;
  if ("regex" in condition) return `nothing that matches ${condition.regex} was shown`;
  if ("idleMs" in condition) return `it did not stay quiet for ${condition.idleMs} ms`;
  return "its program did not end";
};
