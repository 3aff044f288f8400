/**
 * FormatExpression: `#{e|<=:a,b}`: arithmetic and comparisons of numbers in formats.
 *
 * Whole numbers unless the flag `f` is given; what is no number makes the whole blank.
 */
import { chooseParts } from "./FormatText.js";
import { intMaximum, strtonum } from "./Strtonum.js";

const operators: Record<string, (a: number, b: number) => number> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
  m: (a, b) => a % b,
  "==": (a, b) => Number(Math.abs(a - b) < 1e-9),
  "!=": (a, b) => Number(Math.abs(a - b) > 1e-9),
  ">": (a, b) => Number(a > b),
  "<": (a, b) => Number(a < b),
  ">=": (a, b) => Number(a >= b),
  "<=": (a, b) => Number(a <= b),
};

// As strtod(3) with the whole text used; no text at all is 0.
const number = (text: string): number | null => {
  if (text === "") return 0;
  if (/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (/^\s*[+-]?0x[0-9a-f]+$/i.test(text)) {
    const value = Number(text.trim().replace(/^[+-]/, ""));
    return text.trim().startsWith("-") ? -value : value;
  }
  const word = /^\s*([+-]?)(inf(?:inity)?|nan)$/i.exec(text);
  if (word === null) return null;
  const value = /nan/i.test(word[2] ?? "") ? Number.NaN : Number.POSITIVE_INFINITY;
  return word[1] === "-" ? -value : value;
};

// A C compiler on x86-64 turns what does not fit into the smallest number.
const whole = (value: number): number =>
  Number.isFinite(value) && Math.abs(value) < 2 ** 63 ? Math.trunc(value) : -(2 ** 63);

const shown = (value: number, precision: number): string =>
  Number.isFinite(value)
    ? value.toFixed(Math.min(100, Math.max(0, precision)))
    : Number.isNaN(value)
      ? "-nan"
      : value > 0
        ? "inf"
        : "-inf";

/** The value of an expression, blank when it has none. */
export const expression = (
  args: ReadonlyArray<string>,
  text: string,
  expand: (text: string) => string,
): string => {
  const [operator = "", flags = "", digits] = args;
  const apply = operators[operator];
  if (apply === undefined) return "";
  const exact = flags.includes("f");
  const precision =
    digits === undefined ? (exact ? 2 : 0) : strtonum(digits, -intMaximum, intMaximum);
  const parts = chooseParts(text);
  if (typeof precision !== "number" || parts === null) return "";
  const left = number(expand(parts[0]));
  const right = number(expand(parts[1]));
  if (left === null || right === null) return "";
  const result = exact ? apply(left, right) : whole(apply(whole(left), whole(right)));
  return shown(result === 0 ? 0 : result, precision);
};
