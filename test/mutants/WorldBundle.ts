/**
 * WorldBundle: the program that explores named worlds, with the sources of a copy in one file.
 *
 * Made by esbuild, as the command line is: it starts in a tenth of the time that each module on its
 * own takes, and a mutant that a world kills costs little else. SQLite's native part stays outside.
 */
import { join } from "node:path";
import { build } from "esbuild";

const packages = ["core", "tmux", "sqlite", "node", "testing"];

/** What is in CommonJS asks for the modules of Node. */
const banner =
  'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

let bundles = 0;

/** Makes it of the copy in this directory; where it is. Rejects where the sources do not parse. */
export const bundleWorlds = async (directory: string): Promise<string> => {
  // Of its own for each: two may be made at once in one copy, and one be run half written.
  bundles += 1;
  const outfile = join(directory, `worlds-${bundles}.mjs`);
  await build({
    ...{ outfile, bundle: true, platform: "node", target: "node20", format: "esm" },
    absWorkingDir: directory,
    entryPoints: ["test/mutants/WorldMain.ts"],
    alias: Object.fromEntries(
      packages.map((name) => [`@troupe/${name}`, join(directory, `packages/${name}/src/index.ts`)]),
    ),
    external: ["better-sqlite3"],
    banner: { js: banner },
    logLevel: "silent",
  });
  return outfile;
};
