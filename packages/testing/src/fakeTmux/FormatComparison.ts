/**
 * FormatComparison: `#{==:a,b}` and its kin: comparisons of texts in formats.
 *
 * Texts are compared by their bytes, never as numbers: that is `#{e|…:}`.
 */
import { compareBytes } from "./ByteOrder.js";

/** The modifiers that compare two sides; `m` matches a pattern. */
export const comparisons = new Set(["m", "<", ">", "||", "&&", "==", "!=", "<=", ">="]);

/** Whether a text counts as true: neither empty nor 0. */
export const isTrue = (text: string): boolean => text !== "" && text !== "0";
/** True as tmux shows it. */
export const bit = (value: boolean): string => (value ? "1" : "0");

/** What a comparison or a logical operator gives, 1 or 0. */
export const compare = (operator: string, left: string, right: string): string => {
  if (operator === "||") return bit(isTrue(left) || isTrue(right));
  if (operator === "&&") return bit(isTrue(left) && isTrue(right));
  const order = compareBytes(left, right);
  if (operator === "==") return bit(order === 0);
  if (operator === "!=") return bit(order !== 0);
  if (operator === "<") return bit(order < 0);
  if (operator === ">") return bit(order > 0);
  return bit(operator === "<=" ? order <= 0 : order >= 0);
};
