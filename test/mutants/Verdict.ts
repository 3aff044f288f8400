/**
 * Verdict: what the killers say of a copy: a world or a test holds, fails with its shortest
 * counterexample, or did not come to an end.
 *
 * A child process for all worlds and one for all tests, killed at its deadline. A counterexample in
 * which a name is missing is one of a bad edit and kills nothing.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Failure } from "@troupe/testing";
import type { Killer } from "./Mutant.js";
import { withBundle } from "./WorldBundle.js";

/** What one killer found. */
export interface Verdict {
  readonly killer: string;
  /** The counterexample; `null` when it holds. */
  readonly found: string | null;
  /** The schedule of it, in the order of a world; `null` where it is all of them together. */
  readonly schedule: number | null;
  /** Why it neither holds nor fails. */
  readonly trouble: string | null;
}

/** For one killer; a program that is asked for several worlds has as many. */
const DEADLINE_MS = 120_000;

const shownSteps = 4;

/** A bad edit shows as that, and not as a promise that is broken. */
export const badEdit =
  /ReferenceError|SyntaxError|is not defined|is not a function|Transform failed/;

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** A Node program, for so many killers. */
const ran = (directory: string, args: ReadonlyArray<string>, killers: number): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: directory,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: killers * DEADLINE_MS,
      killSignal: "SIGKILL",
    });
    const chunks = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text) => {
      chunks.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      chunks.stderr += text;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ ...chunks, code }));
  });

const troubled = (killer: string, { code, stderr, stdout }: Ran): Verdict => {
  const last = `${stdout}\n${stderr}`.trim().split("\n").slice(-8).join("\n");
  const trouble = code === null ? "no end within its deadline" : `exit code ${code}\n${last}`;
  return { killer, found: null, schedule: null, trouble };
};

const judged = (killer: string, found: string | null, schedule: number | null): Verdict =>
  found !== null && badEdit.test(found)
    ? { killer, found: null, schedule: null, trouble: `a bad edit: ${found}` }
    : { killer, found, schedule, trouble: null };

/** The shortest counterexample in a few lines. */
export const printed = (
  { cost, kind, message, replay, table }: Failure,
  schedules: number,
): string => {
  const steps = table.split("\n").filter((line) => line.trim() !== "");
  const [head = "", ...rest] = steps;
  // What was chosen is the counterexample; the rest leads there.
  const shown = rest.filter((step, at) => step.includes("◀") || at >= rest.length - shownSteps);
  const left = rest.length - shown.length;
  return [
    `${kind}: ${message.split("\n").slice(0, 3).join(" ").slice(0, 300)}`,
    `cost ${cost}, schedule ${schedules}, replay: ${replay}`,
    ...(rest.length === 0 ? [] : [head, ...(left > 0 ? [`… ${left} steps`] : []), ...shown]),
  ].join("\n");
};

interface Line {
  readonly world: string;
  readonly failure: Failure | null;
  readonly schedules: number;
}

/** Of a test on a virtual clock, which a mutant may make wait for ever. */
const TEST_LIMIT_MS = 4_000;

/** What a world leaves behind is short-lived: it is thrown away faster where there is more room. */
export const ROOM = "--max-semi-space-size=64";

/** What these worlds say of the copy, in so many of their first schedules, or in all (`null`). */
export const askWorlds = async (
  directory: string,
  asked: ReadonlyMap<string, number | null>,
): Promise<ReadonlyArray<Verdict>> => {
  const names = [...asked.keys()];
  if (names.length === 0) return [];
  let out: Ran;
  try {
    out = await withBundle(directory, "test/mutants/WorldMain.ts", (bundle) =>
      ran(directory, [ROOM, bundle, JSON.stringify([...asked])], names.length),
    );
  } catch (error) {
    const none = { found: null, schedule: null, trouble: `a bad edit: ${error}` };
    return names.map((killer) => ({ killer, ...none }));
  }
  const lines = out.stdout
    .split("\n")
    .filter((line) => line.startsWith('{"world"'))
    .map((line): Line => JSON.parse(line));
  return names.map((name) => {
    const line = lines.find(({ world }) => world === name);
    if (line === undefined) return troubled(name, out);
    const { failure, schedules } = line;
    const schedule = failure?.kind === "unreached" ? null : schedules;
    return judged(name, failure && printed(failure, schedules), schedule);
  });
};

/** The title as a pattern: what a template fills in may be anything. */
const patternOf = (title: string): string =>
  title
    .split(/\$\{[^}]*\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");

interface Assertion {
  readonly status: string;
  readonly fullName: string;
  readonly failureMessages: ReadonlyArray<string>;
}

interface TestFile {
  readonly name: string;
  readonly assertionResults: ReadonlyArray<Assertion>;
}

/** A killer that is a test. */
export type TestKiller = Extract<Killer, { readonly test: string }>;

/** What the report of a run says of one of the tests that it was to run. */
const verdictIn = (files: ReadonlyArray<TestFile>, killer: TestKiller, out: Ran): Verdict => {
  const pattern = new RegExp(patternOf(killer.test));
  const asked = files
    .filter(({ name }) => name.endsWith(`/${killer.in}`))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName, status }) => pattern.test(fullName) && /^(passed|failed)$/.test(status));
  if (asked.length === 0) return troubled(killer.test, out);
  const failed = asked.find(({ status }) => status === "failed");
  const why = failed?.failureMessages[0]?.split("\n    at ")[0]?.slice(0, 400);
  const found = failed === undefined ? null : `${failed.fullName}\n${why}`;
  return judged(killer.test, found, null);
};

let reports = 0;

/** What these tests say of the copy; each file is run once. */
export const askTests = async (
  directory: string,
  killers: ReadonlyArray<TestKiller>,
): Promise<ReadonlyArray<Verdict>> => {
  if (killers.length === 0) return [];
  // Two may be asked at once in one copy.
  reports += 1;
  const report = join(directory, `report-${reports}.json`);
  const projects = new Set(killers.map(({ project = "fast" }) => project));
  const titles = killers.map(({ test }) => patternOf(test));
  const args = [
    ...[join(directory, "node_modules/.bin/vitest"), "run"],
    ...[...projects].flatMap((project) => ["--project", project]),
    ...[...new Set(killers.map((killer) => killer.in))],
    ...["-t", titles.map((title) => `(?:${title})`).join("|")],
    ...["--config", join(directory, "vitest.config.ts"), "--root", directory],
    ...(projects.has("real") ? [] : [`--testTimeout=${TEST_LIMIT_MS}`]),
    ...["--minWorkers=1", "--maxWorkers=1", "--reporter=json", `--outputFile=${report}`],
  ];
  const out = await ran(directory, args, killers.length);
  let files: ReadonlyArray<TestFile> = [];
  try {
    files = JSON.parse(readFileSync(report, "utf8")).testResults;
  } catch {
    return killers.map(({ test }) => troubled(test, out));
  }
  return killers.map((killer) => verdictIn(files, killer, out));
};
