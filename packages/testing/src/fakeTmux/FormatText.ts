/**
 * FormatText: finding one's way in a format without expanding it.
 *
 * `#,` `##` `#{` `#}` and `#:` are single things in it, and braces nest.
 */

const escaped = (character: string): boolean => character !== "" && ",#{}:".includes(character);

/** Where the first of these characters stands outside of nested braces; `null`: nowhere. */
export const skipTo = (text: string, from: number, ends: string): number | null => {
  let braces = 0;
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "#") {
      const next = text.charAt(at + 1);
      if (next === "{") braces++;
      if (next === "" || escaped(next)) {
        at++;
        continue;
      }
    }
    if (character === "}") braces--;
    if (ends.includes(character) && braces === 0) return at;
  }
  return null;
};

/** The two sides of the first comma. */
export const chooseParts = (text: string): readonly [string, string] | null => {
  const comma = skipTo(text, 0, ",");
  return comma === null ? null : [text.slice(0, comma), text.slice(comma + 1)];
};

/** Takes the `#` of escapes away, outside of nested formats. */
export const withoutEscapes = (text: string): string => {
  let out = "";
  let braces = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (character === "#" && next === "{") braces++;
    if (character === "#" && (next === "" || escaped(next))) {
      if (braces !== 0) out += character;
      continue;
    }
    if (character === "}") braces--;
    out += character;
  }
  return out;
};
