/**
 * WorldBundle: the program that explores named worlds, with the sources of a copy in one file.
 *
 * Made by esbuild, as the command line is: it starts in a tenth of the time that each module on its
 * own takes, and a mutant that a world kills costs little else. SQLite's native part stays outside.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { context } from "esbuild";

const packages = ["core", "tmux", "sqlite", "node", "testing"];

/** What is in CommonJS asks for the modules of Node. */
const banner =
  'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

/** One for each program that was bundled: what did not change since is not read again. */
const contexts = new Map<string, ReturnType<typeof contextOf>>();

const contextOf = (directory: string, main: string) =>
  context({
    ...{ bundle: true, platform: "node", target: "node20", format: "esm", write: false },
    absWorkingDir: directory,
    entryPoints: [main],
    alias: Object.fromEntries(
      packages.map((name) => [`@troupe/${name}`, join(directory, `packages/${name}/src/index.ts`)]),
    ),
    external: ["better-sqlite3"],
    banner: { js: banner },
    logLevel: "silent",
  });

let bundles = 0;

/**
 * Makes it of the copy in this directory and does something with the file, which is gone behind
 * that. Rejects where the sources do not parse.
 */
export const withBundle = async <A>(
  directory: string,
  main: string,
  body: (file: string) => Promise<A>,
): Promise<A> => {
  const key = join(directory, main);
  const made = contexts.get(key) ?? contextOf(directory, main);
  contexts.set(key, made);
  const { outputFiles = [] } = await (await made).rebuild();
  // Of its own for each: two may be made at once in one copy, and one be run half written.
  bundles += 1;
  const file = join(directory, `worlds-${bundles}.mjs`);
  writeFileSync(file, outputFiles[0]?.text ?? "");
  try {
    return await body(file);
  } finally {
    rmSync(file);
  }
};

/** To be called at the end: what was kept of the sources keeps the process from ending. */
export const forgetBundles = async (): Promise<void> => {
  for (const made of contexts.values()) await (await made).dispose();
};
