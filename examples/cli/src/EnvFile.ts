/**
 * EnvFile: environment values from a file, so that they are in no argv.
 *
 * Lines `NAME=VALUE`, blank lines and lines that start with `#`. A value in single quotes is taken
 * as it stands; in double quotes \n, \r, \t, \\ and \" mean what they do in C; without quotes it
 * is trimmed and otherwise untouched, `#` included. No value is expanded and nothing is executed.
 * An error tells the number of a line and never what is in it.
 */
import { Effect, Either, Redacted } from "effect";
import { readGivenFile } from "./GivenFile.js";

/** A variable and its value. */
export type EnvEntry = readonly [name: string, value: Redacted.Redacted<string>];

const bytesMax = 1024 * 1024;
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** The value of the text behind `=`, or `null` when its quotes do not match. */
const unquote = (text: string): string | null => {
  const quote = text[0];
  if (quote !== "'" && quote !== '"') return text;
  const inner = text.slice(1, -1);
  if (text.length < 2 || text.at(-1) !== quote) return null;
  if (quote === "'") return inner.includes("'") ? null : inner;
  if (!/^(?:[^"\\]|\\.)*$/.test(inner)) return null;
  return inner.replace(/\\(.)/g, (_, escaped: string) => escapes[escaped] ?? escaped);
};

const parseLine = (line: string): EnvEntry | null => {
  const [front, name] = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=/.exec(line) ?? [];
  if (front === undefined || name === undefined) return null;
  const value = unquote(line.slice(front.length).trim());
  return value === null ? null : [name, Redacted.make(value)];
};

/** The values of a text in order, or what is wrong with it. Pure. */
export const parseEnvFile = (text: string): Either.Either<ReadonlyArray<EnvEntry>, string> => {
  const entries: Array<EnvEntry> = [];
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const entry = parseLine(line);
    if (entry === null) return Either.left(`line ${index + 1} is not NAME=VALUE`);
    entries.push(entry);
  }
  return Either.right(entries);
};

/** Reads the file; fails with a sentence about it. Files above 1 MiB, and no files, are refused. */
export const readEnvFile = (path: string): Effect.Effect<ReadonlyArray<EnvEntry>, string> =>
  Effect.flatMap(readGivenFile(path, bytesMax), parseEnvFile);
