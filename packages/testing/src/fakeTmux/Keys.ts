/**
 * Keys: what `send-keys` types: names of keys become what a terminal would send for them.
 *
 * A word that names no key is typed as it is. Keys with more than one modifier are outside of the
 * model.
 */
import { outsideTheModel } from "./OutsideTheModel.js";

const named: Record<string, string> = {
  Enter: "\r",
  Escape: "\u001b",
  Space: " ",
  Tab: "\t",
  BTab: "\u001b[Z",
  BSpace: "\u007f",
  Up: "\u001b[A",
  Down: "\u001b[B",
  Right: "\u001b[C",
  Left: "\u001b[D",
  Home: "\u001b[1~",
  End: "\u001b[4~",
  IC: "\u001b[2~",
  Insert: "\u001b[2~",
  DC: "\u001b[3~",
  Delete: "\u001b[3~",
  PPage: "\u001b[5~",
  PageUp: "\u001b[5~",
  PgUp: "\u001b[5~",
  NPage: "\u001b[6~",
  PageDown: "\u001b[6~",
  PgDn: "\u001b[6~",
  F1: "\u001bOP",
  F2: "\u001bOQ",
  F3: "\u001bOR",
  F4: "\u001bOS",
  F5: "\u001b[15~",
  F6: "\u001b[17~",
  F7: "\u001b[18~",
  F8: "\u001b[19~",
  F9: "\u001b[20~",
  F10: "\u001b[21~",
  F11: "\u001b[23~",
  F12: "\u001b[24~",
};

const lowerNames = new Map(Object.entries(named).map(([name, text]) => [name.toLowerCase(), text]));

const controlled = (character: string): string | null => {
  if (/^[A-Za-z@[\\\]^_]$/.test(character)) {
    return String.fromCharCode(character.toUpperCase().charCodeAt(0) & 0x1f);
  }
  return character === "?" ? "\u007f" : null;
};

/** What one word types, `null` when it names no key. */
export const keyText = (word: string): string | null => {
  if (/^0x[0-9a-f]+$/i.test(word)) {
    const code = Number.parseInt(word.slice(2), 16);
    return code <= 0x7f ? String.fromCharCode(code) : outsideTheModel(`the key ${word}`);
  }
  const modified = /^(?:(C|M|S)-|\^)([\s\S]+)$/.exec(word);
  if (modified === null) {
    if ([...word].length === 1) return word;
    if (/^(any|mouse\w*|wheel\w*|\w*drag\w*|double\w*|kp\S+|user\d+|none)$/i.test(word)) {
      return outsideTheModel(`the key ${word}`);
    }
    return lowerNames.get(word.toLowerCase()) ?? null;
  }
  const [, modifier = "C", rest = ""] = modified;
  const control = modifier === "C" && [...rest].length === 1 ? controlled(rest) : null;
  if (control !== null) return control;
  const inner = [...rest].length === 1 ? rest : lowerNames.get(rest.toLowerCase());
  if (inner === undefined) return null;
  if (modifier === "M" && [...inner].length === 1) return `\u001b${inner}`;
  return outsideTheModel(`the key ${word}`);
};
