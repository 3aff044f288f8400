/**
 * Makes the files of the compiled program, then runs it, to keep the code that V8 made of them.
 *
 * It is run as it is called most often, on a home and a tmux server of its own; where there is no
 * tmux, only as far as one gets without. SQLite's native part stays outside.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { cacheOf, fileOf, frequent, load, loaded, nameFor } from "./bin/bundle.js";
import { requireEdits, seldom, slim, slimFor } from "./slim.mjs";

const own = fileURLToPath(import.meta.url);
const here = 'const __here={get url(){return require("node:url").pathToFileURL(__filename).href}};';

const strict = '"use strict";';

/** A file that is one function, strict as modules are, and compiled as it stands. */
const bundle = (name, source, plugins = slim) =>
  build({
    ...source,
    outfile: fileOf(name),
    bundle: true,
    minify: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["*.node"],
    define: { "import.meta.url": "__here.url" },
    banner: { js: `(function (exports, require, module, __filename, __load) {${strict}${here}` },
    footer: { js: "})" },
    plugins,
    logLevel: "warning",
  });

const bundles = async () => {
  const program = { entryPoints: [join(dirname(own), "dist/main.js")] };
  await bundle("troupe", program);
  await bundle("frequent", program, slimFor(frequent));
  const member = (id) => `"${id}": () => import("${id.replace(/^\.+\//, "./dist/")}"),`;
  const contents = `module.exports = {${seldom().map(member).join("")}};`;
  await bundle("seldom", { stdin: { contents, resolveDir: dirname(own) } });
  requireEdits();
};

/** A call in a process of its own, which keeps the code of what it loaded. */
const call = (env, ...words) =>
  spawnSync(process.execPath, [own, ...words], { env, encoding: "utf8", timeout: 60_000 });

const brief = ["--start-window", "0"];
const sleep = ["--", "sleep", "60"];

/** Calls of each frequent command, and some of others in between. */
const usual = [
  ["create", "a", ...brief, ...sleep],
  ["create", "b", "--json", ...sleep],
  ["list"],
  ["list", "--json"],
  ["inspect", "a", "--json"],
  ["send", "a", "x"],
  ["capture", "a"],
  ["delete", "a"],
  ["delete", "b", "--json"],
];

/** Each call has the code of those before it: the last one keeps what all of them ran. */
const warm = () => {
  const directory = mkdtempSync(join(tmpdir(), "troupe-"));
  const env = { ...process.env, TROUPE_HOME: directory, TROUPE_SOCKET: join(directory, "s") };
  try {
    for (const words of [["--help"], ["--completions", "bash"], ["list", "--json"]]) {
      const { status, stderr, stdout } = call(env, ...words);
      if (status !== 0) throw new Error(`the bundle does not run: ${stdout}${stderr}`);
    }
    for (const words of usual) call(env, ...words);
  } finally {
    call(env, "delete", "--all", "--json");
    call(env, "server", "stop", "--json");
    rmSync(directory, { recursive: true });
  }
};

if (process.argv.length === 2) {
  rmSync(dirname(fileOf("troupe")), { recursive: true, force: true });
  await bundles();
  warm();
} else {
  const word = process.argv[2];
  process.on("exit", () => {
    for (const [name, { code }] of loaded) {
      writeFileSync(cacheOf(name, word), code.createCachedData());
    }
  });
  load(nameFor(word), word);
}
