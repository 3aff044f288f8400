/**
 * Copy: the sources in a directory of their own, where a mutant's edits can stand for a while.
 *
 * It holds what worlds and deterministic tests need: the sources of the packages, the tests and the
 * configuration; what is installed is linked. It is removed when whoever asked for it is done, and
 * nothing is ever written to the sources themselves.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Edit, editsOf, type Mutant } from "./Mutant.js";

/** Where the sources are. */
export const top = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

const copied = [
  ...["core", "tmux", "sqlite", "node", "testing"].flatMap((name) => [
    `packages/${name}/src`,
    `packages/${name}/package.json`,
  ]),
  ...["test", "vitest.config.ts", "package.json"],
];

/** The text with the edit; what does not stand in it exactly once is an error. */
export const edited = (text: string, { file, from, to }: Edit): string => {
  const parts = text.split(from);
  if (parts.length === 2) return parts.join(to);
  throw new Error(`${file}: its text stands there ${parts.length - 1} times`);
};

/** One of types would name projects that are not copied, and nothing here is compiled by it. */
const isCopied = (path: string): boolean => !path.endsWith("tsconfig.json");

/** Does something with a copy of what is in `from`. */
export const withCopy = async <A>(
  from: string,
  body: (directory: string) => Promise<A>,
): Promise<A> => {
  const directory = mkdtempSync(join(tmpdir(), "troupe-mutant-"));
  try {
    const how = { recursive: true, filter: isCopied };
    for (const path of copied) cpSync(join(from, path), join(directory, path), how);
    symlinkSync(join(top, "node_modules"), join(directory, "node_modules"));
    return await body(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

/** Does something while the mutant's edits stand in the copy, which is as it was behind that. */
export const withEdits = async <A>(
  directory: string,
  mutant: Mutant,
  body: () => Promise<A>,
): Promise<A> => {
  const before = new Map<string, string>();
  try {
    for (const edit of editsOf(mutant)) {
      const file = join(directory, edit.file);
      const text = readFileSync(file, "utf8");
      if (!before.has(file)) before.set(file, text);
      writeFileSync(file, edited(text, edit));
    }
    return await body();
  } finally {
    for (const [file, text] of before) writeFileSync(file, text);
  }
};
