/**
 * Strtonum: numbers in arguments, read as strtonum(3) reads them.
 *
 * Blanks before the number and a sign are accepted, anything after it is not. The word for a
 * failure is part of tmux's error texts.
 */

/** Why it is not a number in the range. */
export type NotANumber = "invalid" | "too small" | "too large";

/** The number, or the word that tmux has for what is wrong with it. */
export const strtonum = (text: string, minimum: number, maximum: number): number | NotANumber => {
  if (!/^[ \t\n\v\f\r]*[+-]?[0-9]+$/.test(text)) return "invalid";
  const value = Number(text);
  if (value < minimum) return "too small";
  if (value > maximum) return "too large";
  return value === 0 ? 0 : value;
};

/** The largest `int` and `unsigned int` of C. */
export const intMaximum = 2147483647;
export const uintMaximum = 4294967295;
