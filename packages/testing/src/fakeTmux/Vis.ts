/**
 * Vis: how tmux makes text harmless: names and shown values are escaped as by vis(3), and the
 * output for a client without UTF-8 has `_` for everything that is not printable ASCII.
 *
 * Printable characters of more than one byte pass both unchanged or by their width.
 */
import { encodeBytes } from "./ByteOrder.js";
import { cellWidth } from "./CellWidth.js";

const styled: Record<string, string> = {
  "\n": "\\n",
  "\r": "\\r",
  "\b": "\\b",
  "\u0007": "\\a",
  "\v": "\\v",
  "\t": "\\t",
  "\f": "\\f",
};

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, "0")}`;

/** What stands before a `$` that a letter follows: a backslash up to 3.4, nothing later. */
export type DollarEscape = "\\" | "";

/** Escapes as vis(3) with octal, C style, tab and newline; `quotes` also escapes `"`. */
export const vis = (text: string, dollar: DollarEscape, quotes = false): string => {
  const characters = [...text];
  return characters
    .map((character, at) => {
      const code = character.codePointAt(0) ?? 0;
      if (code >= 0x80) {
        return cellWidth(character) < 0
          ? Array.from(encodeBytes(character), octal).join("")
          : character;
      }
      if (character === "$") {
        return /[A-Za-z_{]/.test(characters[at + 1] ?? "") ? `${dollar}$` : "$";
      }
      if (character === "\\" || (character === '"' && quotes)) return `\\${character}`;
      if (code >= 0x20 && code < 0x7f) return character;
      return styled[character] ?? octal(code);
    })
    .join("");
};

/** Escapes what is printed as 3.4 and 3.5a do: controls but newline and tab, and no backslash. */
export const visOutput = (text: string, dollar: DollarEscape): string =>
  text
    .split(/([\n\t\\])/)
    .map((part) => (/^[\n\t\\]$/.test(part) ? part : vis(part, dollar)))
    .join("");

/** What a client without UTF-8 gets: `_` for each column, or byte, that is not printable ASCII. */
export const sanitize = (text: string): string => {
  let out = "";
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) out += code > 0x1f && code < 0x7f ? character : "_";
    else {
      const width = cellWidth(character);
      out += "_".repeat(width < 0 ? encodeBytes(character).length : width);
    }
  }
  return out;
};
