/**
 * Tellers: programs that say which values they found, and what has to be so of that in a run: for
 * worlds about the values that sessions are made with, are given later, and are made anew with.
 *
 * A value belongs to one incarnation: another that has the name behind it finds none of it. What
 * is noted here is of one run, and begins anew with each.
 */
import { FakeTmux } from "@troupe/testing";
import { env } from "./Canary.js";
import type { WorldEnding } from "./EndingOf.js";
import { programEnds, reconcile } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";
import { HOST_VALUE } from "./WorldProgram.js";

/** The value that sessions are made with here, by its name. */
export const [[MADE, made] = ["", ""]] = Object.entries(env);

/** Another one, that is given later. */
export const LATER = "EXPLORED_LATER";

/** Nobody is told of these either. */
export const values = { later: `${made}, later`, other: `${made}, in its place` };

const NAMES = [MADE, LATER, ...Object.keys(HOST_VALUE)];

/** What the programs of this run found, by incarnation and terminal. */
export const found = new Map<string, string>();

/** What is wrong so far, and how often the flaky one was started. */
let wrong: ReadonlyArray<string> = [];

/** Incarnations that may have been given something. */
export const mayHave = new Set<string | null>();

let starts = 0;

const find = (environment: ReadonlyMap<string, string>): void => {
  const of = (name: string) => environment.get(name) ?? "";
  const told = NAMES.map((name) => environment.get(name) ?? "-").join(" | ");
  found.set(`${of("TROUPE_INCARNATION")} ${of("TROUPE_TERMINAL")}`, told);
};

/** Says what it found, and stays. */
const teller = FakeTmux.program((run) => find(run.env));

/** The same, but when it is started for the second time. */
const flaky = FakeTmux.program((run) => {
  starts += 1;
  if (starts === 2) run.exit(1);
  else find(run.env);
});

/** What is found, as it is noted: the value, the later one, and that of the host. */
export const told = (...parts: ReadonlyArray<string | null>): string =>
  parts.map((part) => part ?? "-").join(" | ");

/** A session whose program says what it finds. */
export const spec = { session: "a", command: ["teller"], cwd: "/" };

/** Made with the value. */
export const createValued: Call = { name: "create", run: (s) => s.create({ ...spec, env }) };

/** One of which nothing is left to be written down. */
export const restored = { before: [createValued, programEnds, reconcile] };

/** Takes its place, without any value. */
export const replacing: Call = {
  name: "create, replacing",
  run: (s) => s.create({ ...spec, replace: true }),
};

/** Notes what is wrong. */
export const note = (line: string): void => {
  wrong = [...wrong, line];
};

/** Notes what was not found as it should have been. */
export const expect = (whose: string, is: string | undefined, expected: string): void => {
  if (is !== expected) note(`${whose} found ${is}, and not ${expected}`);
};
/** No program has a value of another incarnation, nor one where none was given. */
const unmixed = ({ records }: WorldEnding): string | null => {
  for (const [whose, what] of found) {
    const [incarnation = ""] = whose.split(" ");
    if (mayHave.has(incarnation) || !what.includes(made)) continue;
    const row = records.find((r) => r.incarnation === incarnation);
    if (row?.spec.envNames.length === 0) return `${whose} found ${what}`;
  }
  return null;
};

/** What these worlds have in common. */
export const world = {
  machine: { programs: { teller, flaky } },
  onStart: () => {
    found.clear();
    wrong = [];
    mayHave.clear();
    starts = 0;
  },
  also: (ending: WorldEnding) => wrong[0] ?? unmixed(ending),
} as const;
