/**
 * ShellSteps: a script of /bin/sh as simple commands, their words expanded.
 *
 * Simple commands with quotes, joined by `;`, `&&` or newlines. `"$0"`, `"$1"` and `"$@"` are the
 * arguments, `$NAME` is a variable of the environment. Everything else of the language is outside
 * of the model.
 */
import { outsideTheModel } from "./OutsideTheModel.js";

/** Words of a command line. */
export type Words = ReadonlyArray<string>;

/** One simple command. */
export interface ShellStep {
  readonly words: Words;
  /** Runs only when the step before succeeded. */
  readonly needsSuccess: boolean;
  readonly line: number;
}

/** What words of a script stand for. */
export interface Surroundings {
  readonly argv: Words;
  readonly env: ReadonlyMap<string, string>;
}

const substitute = (word: string, quoted: boolean, { argv, env }: Surroundings): string =>
  word.replace(/\$([0-9]|[A-Za-z_][A-Za-z0-9_]*)?/g, (_, name: string | undefined) => {
    if (name === undefined) return outsideTheModel(`the shell word ${word}`);
    const value = (/[0-9]/.test(name.charAt(0)) ? argv[Number(name)] : env.get(name)) ?? "";
    const splits = !quoted && /[\s*?[\\]/.test(value);
    return splits ? outsideTheModel(`the unquoted shell word ${word}`) : value;
  });

const expand = (word: string, around: Surroundings): string => {
  if (word.startsWith("'")) return word.slice(1, -1);
  const quoted = word.startsWith('"');
  const inner = quoted ? word.slice(1, -1) : word;
  if (/[`\\]/.test(inner)) outsideTheModel(`the shell word ${word}`);
  return substitute(inner, quoted, around);
};

// A variable that is forgotten on the way would have to be looked up on the way.
const mayForget = /\bunset\b[\s\S]*\$[A-Za-z_]/;

// Tells whether what follows without a blank belongs to the same word.
const addWord = (
  words: Array<string>,
  part: string,
  joined: boolean,
  around: Surroundings,
): boolean => {
  if (part === '"$@"') {
    if (joined) outsideTheModel(`arguments within a shell word`);
    words.push(...around.argv.slice(1));
    return true;
  }
  const word = expand(part, around);
  if (joined) words.push(`${words.pop() ?? ""}${word}`);
  else if (word === "" && !/^['"]/.test(part)) return false;
  else words.push(word);
  return true;
};

/** Takes a script apart; what it cannot take apart is outside of the model. */
export const shellSteps = (
  script: string,
  around: Surroundings,
  firstLine: number,
): ReadonlyArray<ShellStep> => {
  const token = /([ \t]*)(;|\n|&&|'[^']*'|"[^"]*"|[^\s;&|<>()'"`\\*?[\]{}#~]+)/y;
  const steps: Array<ShellStep> = [];
  let words: Array<string> = [];
  let needsSuccess = false;
  let inWord = false;
  const text = script.trim();
  let line = firstLine + (/^\s*/.exec(script)?.[0].split("\n").length ?? 1) - 1;
  if (mayForget.test(text)) outsideTheModel(`the shell script ${script}`);
  while (token.lastIndex < text.length) {
    const [, space = "", part] = token.exec(text) ?? outsideTheModel(`the shell script ${script}`);
    if (part === undefined) break;
    if (part !== ";" && part !== "&&" && part !== "\n") {
      inWord = addWord(words, part, inWord && space === "", around);
      continue;
    }
    inWord = false;
    if (words.length > 0) steps.push({ words, needsSuccess, line });
    else if (part !== "\n" || needsSuccess) outsideTheModel(`the shell script ${script}`);
    if (part === "\n") line++;
    needsSuccess = part === "&&";
    words = [];
  }
  if (words.length === 0 && needsSuccess) outsideTheModel(`the shell script ${script}`);
  return words.length === 0 ? steps : [...steps, { words, needsSuccess, line }];
};
