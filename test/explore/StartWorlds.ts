/**
 * StartWorlds: a program that starts, and finishes what others left: what died in the middle of a
 * call, and what gave up. Behind it nothing is left to a reconcile.
 *
 * It comes when the other has ended, failed or crashed; what a living program is in the middle of
 * is left to that. What an adopt leaves is a mark, which is found by a reconcile of everything.
 */
import { reconcileUnfinished } from "@troupe/core";
import { Effect } from "effect";
import { disagreement } from "./Agreement.js";
import type { ListedWorld } from "./NamedWorld.js";
import { before, called } from "./Operations.js";
import { inProgram } from "./ProgramPorts.js";
import {
  adopt,
  anyFault,
  interrupted,
  later,
  reconcile,
  remove,
  removeFirst,
  replacing,
  restore,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

/** What it does first. */
export const starts: Call = {
  name: "a program starts",
  run: (s) =>
    Effect.map(inProgram(s, reconcileUnfinished(s)), (items) =>
      items.map(({ outcome, session }) => `${session} ${outcome._tag}`),
    ),
};

/** What leaves a row behind when it is cut off. */
const leaving: ReadonlyArray<Call> = [
  ...called.filter((call) => call !== adopt),
  replacing,
  removeFirst,
];

/** Where a restore comes, nothing else is to be written down. */
const first = (call: Call): ReadonlyArray<Call> =>
  call === restore ? [...before([call]), reconcile] : before([call]);

/** Behind whatever the other waits for. */
const BEHIND_MS = 20_000;

const behind = later(BEHIND_MS, starts);

const alone = { recovers: false, also: disagreement } as const;

const cutOff = (call: Call): ListedWorld => ({
  ...alone,
  name: `${call.name}, cut off, and a program that starts`,
  cost: 1,
  before: first(call),
  programs: [[call], [behind]],
  crash: true,
});

/** One that starts and is cut off itself leaves that to the next. */
const cutOffTwice: ListedWorld = {
  ...alone,
  name: `${remove.name}, cut off, and two programs that start`,
  cost: 2,
  before: first(remove),
  programs: [[remove], [behind], [later(2 * BEHIND_MS, starts)]],
  crash: true,
};

const inVain = (call: Call): ListedWorld => ({
  ...alone,
  name: `${call.name}, in vain, and a program that starts`,
  cost: 1,
  before: first(call),
  programs: [[interrupted(call)], [behind]],
  faults: anyFault,
  registryFaults: true,
  lateEffects: true,
});

const inTheMiddle = (call: Call): ListedWorld => ({
  name: `${call.name}, and a program that starts at any call of it`,
  cost: 1,
  before: first(call),
  programs: [[interrupted(call)]],
  happens: starts,
});

/** The worlds. */
export const startWorlds: ReadonlyArray<ListedWorld> = [
  ...leaving.flatMap((call) => [cutOff(call), inTheMiddle(call)]),
  // What a restore ended before it failed is not unfinished: it only needs a look.
  ...leaving.filter((call) => call !== restore).map(inVain),
  cutOffTwice,
];
