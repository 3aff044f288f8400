/**
 * CellWidth: how many columns a character takes in a terminal, as wcwidth(3) of glibc says.
 *
 * Right for ASCII, combining marks, CJK and emoji; an approximation elsewhere, and -1 for what
 * wcwidth calls unprintable (controls, unassigned code points), which tmux then treats as loose
 * bytes.
 */

const unprintable = /^[\p{Cc}\p{Cs}\p{Cn}]$/u;
const zero = /^[\p{Mn}\p{Me}\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\u1160-\u11ff]$/u;
const wide = new RegExp(
  "^[\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\u33ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\ua000-\\ua4cf" +
    "\\ua960-\\ua97f\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe10-\\ufe19\\ufe30-\\ufe6f\\uff01-\\uff60" +
    "\\uffe0-\\uffe6\\u{20000}-\\u{3fffd}\\p{Emoji_Presentation}]$",
  "u",
);

/** Columns of one character, or -1 for an unprintable one. */
export const cellWidth = (character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x20 && code < 0x7f) return 1;
  if (unprintable.test(character)) return -1;
  if (zero.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
};

/** Columns of a string; unprintable characters count nothing. */
export const textWidth = (text: string): number => {
  let width = 0;
  for (const character of text) width += Math.max(0, cellWidth(character));
  return width;
};
