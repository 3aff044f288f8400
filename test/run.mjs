/**
 * The whole check of this repository: types, Effect diagnostics, lint, and every test.
 *
 * Every step runs although one before it failed. What cannot run on this machine is named with the
 * reason, and nothing is left out for any other. The last line counts test cases: `N passed,
 * N failed`; a step that is no test and fails counts as one failure. All of it has eight minutes.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const top = fileURLToPath(new URL("..", import.meta.url));
const report = ".tmp/vitest.json";
const endsAt = Date.now() + 8 * 60_000;
let [passed, failed, skipped] = [0, 0, 0];

const run = (file, args, stdio = "inherit") => {
  const timeout = Math.max(1, endsAt - Date.now());
  const options = { cwd: top, stdio, timeout, killSignal: "SIGKILL", encoding: "utf8" };
  return spawnSync(file, args, { ...options, maxBuffer: 64 * 1024 * 1024 });
};

const tool = (name, args, stdio) => run(`node_modules/.bin/${name}`, args, stdio);

const say = (name, outcome) => console.log(`── ${name}: ${outcome}`);

const step = (name, faultsOf) => {
  const startedAt = Date.now();
  const failedBefore = failed;
  const faults = faultsOf();
  failed += faults.length;
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  const outcome =
    failed === failedBefore
      ? "ok"
      : ["FAILED", faults.join("; ")].filter((text) => text !== "").join(": ");
  say(name, `${outcome} (${seconds} s)`);
};

/** How a run ended, when it did not end with 0. */
const faultOf = ({ error, signal, status }) => {
  if (error !== undefined) return [error.message];
  if (signal !== null) return [signal];
  return status === 0 ? [] : [`exit code ${status}`];
};

/** TypeScript with Effect's own diagnostics; a package for one platform, so it may be absent. */
const effectCompiler = `${top}node_modules/@effect/tsgo-linux-x64/lib/tsc`;

/** Effect's diagnostics of one project, whose references were built by the step before. */
const diagnose = (project) => {
  const off = ["emitDeclarationOnly", "composite", "incremental", "declaration", "declarationMap"];
  const args = ["--noEmit", ...off.flatMap((option) => [`--${option}`, "false"])];
  return faultOf(run(effectCompiler, ["-p", project, ...args])).map(
    (fault) => `${project}: ${fault}`,
  );
};

const projects = () =>
  JSON.parse(readFileSync(`${top}tsconfig.json`, "utf8")).references.map(({ path }) => path);

/** The projects of vitest that can run here; one that cannot is named, with its cases. */
const runnable = () => {
  const { error } = spawnSync("tmux", ["-V"]);
  if (error === undefined) return ["fast", "real", "programs"];
  const list = ["list", "--json", "--project", "real", "--project", "programs"];
  const cases = JSON.parse(tool("vitest", list, "pipe").stdout).length;
  skipped += cases;
  const why = error.code === "ENOENT" ? "there is no tmux on this machine" : error.message;
  say("SKIPPED", `projects real and programs, ${cases} tests, because ${why}`);
  return ["fast"];
};

/** Counts the report; a file that cannot be loaded, and an error outside of a test, are faults. */
const count = (exit) => {
  const { success, testResults } = JSON.parse(readFileSync(`${top}${report}`, "utf8"));
  const faults = [];
  for (const { assertionResults, message, name, status } of testResults) {
    const cases = (wanted) => assertionResults.filter((result) => result.status === wanted).length;
    passed += cases("passed");
    failed += cases("failed");
    const left = assertionResults.length - cases("passed") - cases("failed");
    skipped += left;
    if (left > 0) say("SKIPPED", `${left} tests in ${name.slice(top.length)}`);
    if (status === "failed" && cases("failed") === 0) faults.push(`${name}: ${message}`);
  }
  if (testResults.length === 0) faults.push("no test was found");
  const unexplained = !success || exit.length > 0;
  return faults.length === 0 && failed === 0 && unexplained ? exit : faults;
};

const test = () => {
  rmSync(`${top}${report}`, { force: true });
  const chosen = runnable().flatMap((name) => ["--project", name]);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const exit = faultOf(tool("vitest", ["run", ...chosen, ...reporters]));
  try {
    return count(exit);
  } catch (error) {
    return [[`no report: ${error.message}`, ...exit].join(", ")];
  }
};

step("types (tsc -b)", () => faultOf(tool("tsc", ["-b"])));
step("bundle of the command", () => faultOf(run("node", ["examples/cli/bundle.mjs"])));
if (existsSync(effectCompiler)) step("Effect diagnostics", () => projects().flatMap(diagnose));
else say("SKIPPED", `Effect diagnostics, because ${process.platform} has no compiler with them`);
step("lint and format (biome)", () => faultOf(tool("biome", ["check", "."])));
if (!process.argv.includes("--no-tests")) step("tests (vitest)", test);

const tail = skipped === 0 ? "" : `, ${skipped} skipped`;
console.log(`${passed} passed, ${failed} failed${tail}`);
process.exitCode = failed === 0 ? 0 : 1;
