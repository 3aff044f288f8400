/**
 * Makes one file of the compiled program, then runs it once, to keep the code that V8 made of it.
 *
 * What a call needs seldom stays unevaluated until then: an `import()` in the sources is one in the
 * bundle. SQLite is native and stays outside.
 */
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { cache, codeOf, file, run } from "./bin/bundle.js";

const own = fileURLToPath(import.meta.url);
const here = 'const __url = require("node:url").pathToFileURL(__filename).href;';

const bundle = () =>
  build({
    entryPoints: [join(dirname(own), "dist/main.js")],
    outfile: file,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["better-sqlite3"],
    define: { "import.meta.url": "__url" },
    banner: { js: here },
    logLevel: "warning",
  });

/** A call that touches neither tmux nor a home, in a process of its own. */
const warm = () => {
  const nowhere = join(dirname(file), "none");
  const env = { ...process.env, TROUPE_HOME: nowhere };
  const done = spawnSync(process.execPath, [own, "list", "--json"], { env, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`the bundle does not run: ${done.stdout}${done.stderr}`);
};

if (process.argv.length === 2) {
  rmSync(dirname(file), { recursive: true, force: true });
  await bundle();
  warm();
} else {
  const code = codeOf();
  process.on("exit", () => writeFileSync(cache, code.createCachedData()));
  run(code);
}
