/**
 * Pattern: fnmatch(3) without flags, with which tmux matches names that are neither exact nor a
 * prefix.
 *
 * `*`, `?`, bracket expressions with ranges and classes, and the backslash. A `/` and a leading
 * dot are ordinary characters. A bracket that is never closed is an ordinary character too.
 */

interface Bracket {
  readonly matches: boolean;
  readonly next: number;
}

const classes: Record<string, RegExp> = {
  alpha: /[A-Za-z]/,
  digit: /[0-9]/,
  alnum: /[A-Za-z0-9]/,
  upper: /[A-Z]/,
  lower: /[a-z]/,
  space: /\s/,
  punct: /[!-/:-@[-`{-~]/,
  xdigit: /[0-9A-Fa-f]/,
};

const code = (character: string | undefined): number => character?.codePointAt(0) ?? -1;

const bracket = (pattern: ReadonlyArray<string>, start: number, on: string): Bracket | null => {
  let at = start + 1;
  const negated = pattern[at] === "!" || pattern[at] === "^";
  if (negated) at++;
  let matches = false;
  for (let first = true; ; first = false) {
    let from = pattern[at];
    if (from === undefined) return null;
    if (from === "]" && !first) return { matches: matches !== negated, next: at + 1 };
    const named = from === "[" ? /^\[:([a-z]+):\]/.exec(pattern.slice(at, at + 12).join("")) : null;
    if (named !== null) {
      matches = matches || (classes[named[1] ?? ""]?.test(on) ?? false);
      at += named[0].length;
      continue;
    }
    if (from === "\\") from = pattern[++at];
    let to = from;
    at++;
    if (pattern[at] === "-" && pattern[at + 1] !== "]" && pattern[at + 1] !== undefined) {
      to = pattern[at + 1] === "\\" ? pattern[at + 2] : pattern[at + 1];
      at += pattern[at + 1] === "\\" ? 3 : 2;
    }
    matches = matches || (code(on) >= code(from) && code(on) <= code(to));
  }
};

const matchFrom = (
  pattern: ReadonlyArray<string>,
  text: ReadonlyArray<string>,
  p: number,
  t: number,
): boolean => {
  const wanted = pattern[p];
  const on = text[t];
  if (wanted === undefined) return on === undefined;
  if (wanted === "*") {
    for (let rest = t; rest <= text.length; rest++) {
      if (matchFrom(pattern, text, p + 1, rest)) return true;
    }
    return false;
  }
  if (on === undefined) return false;
  if (wanted === "?") return matchFrom(pattern, text, p + 1, t + 1);
  if (wanted === "[") {
    const found = bracket(pattern, p, on);
    if (found !== null) return found.matches && matchFrom(pattern, text, found.next, t + 1);
  }
  if (wanted === "\\") {
    return pattern[p + 1] === on && matchFrom(pattern, text, p + 2, t + 1);
  }
  return wanted === on && matchFrom(pattern, text, p + 1, t + 1);
};

/** Whether the whole text matches the pattern. */
export const patternMatches = (pattern: string, text: string): boolean =>
  matchFrom([...pattern], [...text], 0, 0);
