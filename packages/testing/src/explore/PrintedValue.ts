/**
 * PrintedValue: any value as a text of one line, for tables, messages and keys.
 *
 * It never throws and knows what JSON does not: maps, sets, big integers, what has no value.
 * Values that differ in those print differently, so the text can stand for the value. Not for
 * functions and for what a class hides: these print as what they are, and not as what they hold.
 */

/** What JSON would lose, leave out or refuse, under a name of its own. */
const kept = (_: string, value: unknown): unknown => {
  if (value instanceof Map) return { Map: [...value] };
  if (value instanceof Set) return { Set: [...value] };
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (typeof value === "bigint") return { bigint: String(value) };
  if (typeof value === "number" && !Number.isFinite(value)) return { number: String(value) };
  if (typeof value === "function") return { function: value.name };
  if (typeof value === "symbol") return { symbol: String(value) };
  return value === undefined ? { undefined: 0 } : value;
};

const simple = /^(undefined|bigint|function|symbol)$/;

/** The text of a value; a string is its own. */
export const printValue = (value: unknown): string => {
  if (typeof value === "string") return value;
  if (typeof value === "function") return `function ${value.name}`;
  if (simple.test(typeof value)) return String(value);
  if (value instanceof Error) return value.message;
  return keyOf(value);
};

/** Equal only for values that print alike; a string is told from what it spells. */
export const keyOf = (value: unknown): string => {
  try {
    return JSON.stringify(value, kept);
  } catch {
    return Object.prototype.toString.call(value);
  }
};

/** Without what would break a line or the terminal that it is shown on. */
export const oneLine = (text: string): string =>
  // The control characters are what is looked for.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: see above
  text.replace(/\s+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f]/g, "�");
