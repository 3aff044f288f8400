/**
 * Undecodable: which words and variables of this process are no UTF-8.
 *
 * Node makes text of them with another character in the place of what is none, and says nothing:
 * they would arrive changed. Only a text that has this character is looked at, in the kernel's own
 * record of it; where there is none to be had, it counts as changed. Nothing is told of a value.
 */
import { readFileSync, readlinkSync } from "node:fs";

/** What node has of this process only changed. */
export interface Undecodable {
  /** The number of the first such word, from 1; `null` when every word is what was written. */
  readonly word: number | null;
  readonly variables: ReadonlySet<string>;
  /** Whether the path of the directory that it was called in is such a text. */
  readonly cwd: boolean;
}

/** What stands in the place of what is no UTF-8. */
const REPLACEMENT = "\ufffd";

const hasIt = (text: string | undefined): boolean => text?.includes(REPLACEMENT) === true;

/** What the kernel has recorded; `null` where it tells nobody. */
const recorded = (read: () => Buffer): Buffer | null => {
  try {
    return read();
  } catch {
    return null;
  }
};

/** The texts of a file of /proc, each of which ends in a NUL. Bytes, as characters up to 255. */
const textsIn = (file: string): ReadonlyArray<string> =>
  recorded(() => readFileSync(file))
    ?.toString("latin1")
    .split("\0")
    .slice(0, -1) ?? [];

const bytesOf = (text: string): string => Buffer.from(text).toString("latin1");

const wordIn = (words: ReadonlyArray<string>): number | null => {
  if (!words.some(hasIt)) return null;
  const raw = textsIn("/proc/self/cmdline").slice(-words.length);
  const at = words.findIndex((word, index) => hasIt(word) && raw[index] !== bytesOf(word));
  return at === -1 ? null : at + 1;
};

const variablesIn = (environment: NodeJS.ProcessEnv): ReadonlySet<string> => {
  const odd = Object.keys(environment).filter((name) => hasIt(environment[name]));
  if (odd.length === 0) return new Set();
  const raw = new Set(textsIn("/proc/self/environ"));
  return new Set(odd.filter((name) => !raw.has(bytesOf(`${name}=${environment[name]}`))));
};

const isOddPath = (cwd: string): boolean => {
  if (!hasIt(cwd)) return false;
  const raw = recorded(() => readlinkSync("/proc/self/cwd", { encoding: "buffer" }));
  return raw === null || !raw.equals(Buffer.from(cwd));
};

/** What of these is no UTF-8. */
export const undecodableIn = (
  words: ReadonlyArray<string>,
  environment: NodeJS.ProcessEnv,
  cwd: string,
): Undecodable => ({
  word: wordIn(words),
  variables: variablesIn(environment),
  cwd: isOddPath(cwd),
});
