/**
 * `npm run long -- hostile`: the suites that meet tmux, run again in places that are against them.
 *
 * `--only PLACE,PLACE` names places, and `--files test/real/send` what is run there. Each place has
 * a limit of time and a line of the table: what passed, what failed, how long it took. What a place
 * makes impossible is skipped for a reason that stands in `hostile/skipped.mjs`, and is named; a
 * skip without one is a failure, and so is whatever the place itself finds afterwards.
 */
import { spawn } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { endLeft } from "./hostile/left.mjs";
import { places } from "./hostile/places.mjs";
import { reasonOf } from "./hostile/skipped.mjs";

const top = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const reports = join(top, ".tmp/hostile");
const LIMIT_MS = 20 * 60_000;

const { values } = parseArgs({
  options: {
    only: { type: "string", default: Object.keys(places).join(",") },
    files: { type: "string", default: "test/real/,test/cli/,test/contract/" },
  },
});
const chosen = values.only.split(",");
const unknown = chosen.filter((name) => !(name in places));
if (unknown.length > 0) {
  console.error(`no place ${unknown.join(", ")}; there are ${Object.keys(places).join(", ")}`);
  process.exit(2);
}

/** Whether whoever started this wants no more of it. */
let interrupted = false;

/** Runs it to its end or to the limit, which ends the whole group. What was wrong, or null. */
const run = (argv, { cwd, env, log }) =>
  new Promise((resolve) => {
    const output = openSync(log, "w");
    const child = spawn(argv[0], argv.slice(1), {
      ...{ cwd, env, detached: true },
      stdio: ["ignore", output, output],
    });
    let late = false;
    const stop = () => process.kill(-child.pid, "SIGKILL");
    const leave = () => {
      interrupted = true;
      stop();
    };
    const timer = setTimeout(() => {
      late = true;
      stop();
    }, LIMIT_MS);
    process.once("SIGINT", leave).once("SIGTERM", leave);
    const end = (wrong) => {
      clearTimeout(timer);
      process.off("SIGINT", leave).off("SIGTERM", leave);
      closeSync(output);
      resolve(late ? `it was not done after ${LIMIT_MS / 60_000} minutes` : wrong);
    };
    child.once("error", (error) => end(error.message));
    child.once("exit", (code, signal) => end(code === 0 ? null : `exit ${signal ?? code}`));
  });

const vitest = (root, report) => [
  ...[process.execPath, join(root, "node_modules/vitest/vitest.mjs"), "run"],
  ...["--root", root, "--project", "real", "--project", "programs"],
  ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
  ...values.files.split(","),
];

/** What the report says of each test, and of files that could not be loaded. */
const readReport = (path, wrong) => {
  if (!existsSync(path)) return { passed: 0, skipped: [], failed: [`no report: ${wrong}`] };
  const { success, testResults } = JSON.parse(readFileSync(path, "utf8"));
  const named = testResults.flatMap(({ assertionResults, name }) =>
    assertionResults.map(({ fullName, status }) => {
      const file = name.slice(name.lastIndexOf("/test/") + 1);
      return { status, name: `${file} > ${fullName}` };
    }),
  );
  const of = (wanted) => named.filter(({ status }) => status === wanted).map(({ name }) => name);
  const [failed, passed] = [of("failed"), of("passed").length];
  for (const { assertionResults, message, name, status } of testResults) {
    const counted = assertionResults.some((result) => result.status === "failed");
    if (status === "failed" && !counted) failed.push(`${name}: ${message}`);
  }
  if (passed === 0) failed.push("no test has run");
  if ((!success || wrong !== null) && failed.length === 0) failed.push(wrong ?? "no success");
  const others = named.filter(({ status }) => status !== "passed" && status !== "failed");
  return { passed, failed, skipped: others.map(({ name }) => name) };
};

/** Runs the suites in one place. */
const playAt = async (name) => {
  const startedAt = Date.now();
  const directory = mkdtempSync("/tmp/tr-hostile-");
  // Tests play other users, who must come to their own directories below.
  chmodSync(directory, 0o755);
  const report = join(directory, "report.json");
  const finalizers = [];
  const context = { directory, report, top, onEnd: (act) => finalizers.unshift(act) };
  try {
    const place = places[name](context);
    if (place.impossible !== undefined) return { name, impossible: place.impossible };
    const root = place.root ?? top;
    const log = join(reports, `${name}.log`);
    const argv = [...(place.before ?? []), ...vitest(root, report)];
    const env = place.env ?? { ...process.env, TMPDIR: place.temporary };
    const wrong = await run(argv, { cwd: root, env, log });
    const told = readReport(report, wrong);
    const stayed = place.temporary === undefined ? [] : readdirSync(place.temporary);
    const left = stayed.filter((entry) => entry.startsWith("tr-"));
    const found = [
      ...endLeft(directory),
      ...left.map((entry) => `it left ${join(place.temporary, entry)}`),
      ...(place.check?.() ?? []),
    ];
    const reasons = told.skipped.map((test) => ({ test, why: reasonOf(name, test) }));
    const silent = reasons.filter(({ why }) => why === null);
    const failed = [
      ...told.failed,
      ...found,
      ...silent.map(({ test }) => `skipped, and nothing says why: ${test}`),
    ];
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    return { name, failed, seconds, log, passed: told.passed, skipped: reasons };
  } finally {
    for (const act of finalizers) act();
    rmSync(directory, { recursive: true, force: true });
  }
};

const tell = ({ failed = [], impossible, log, name, skipped = [] }) => {
  if (impossible !== undefined) console.log(`${name}: SKIPPED, because ${impossible}`);
  for (const { test, why } of skipped) console.log(`${name}: skipped ${test}, because ${why}`);
  for (const test of failed) console.log(`${name}: FAILED ${test}`);
  if (failed.length > 0) console.log(`${name}: the whole output is in ${log}`);
};

mkdirSync(reports, { recursive: true });
const outcomes = [];
for (const name of chosen) {
  if (interrupted) break;
  const outcome = await playAt(name);
  tell(outcome);
  outcomes.push(outcome);
}
const row = (...cells) =>
  console.log(cells.map((cell, index) => String(cell).padEnd(index === 0 ? 14 : 9)).join(""));
row("place", "passed", "failed", "skipped", "seconds");
for (const { failed, impossible, name, passed, seconds, skipped } of outcomes) {
  if (impossible === undefined) row(name, passed, failed.length, skipped.length, seconds);
  else row(name, "SKIPPED");
}
process.exitCode = outcomes.some(({ failed = [] }) => failed.length > 0) ? 1 : 0;
