/**
 * ListWorlds: lists beside calls that make something, however the list asks: what nobody takes away
 * is never told to be away, nor is anything of it.
 *
 * In trouble a list tells of every row all the same. What is taken away between the two questions
 * of a list is nobody's lie, so nothing is deleted here.
 */
import type { SessionList } from "@troupe/core";
import { Effect } from "effect";
import { createOther } from "./GcWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import { accidents, notMissed } from "./Operations.js";
import { add, anyFault, create, programEnds, reconcile, restore } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

let odd: Array<string> = [];

/** What a list tells to be away although its row says that it is there. */
const judge = ({ sessions }: SessionList): void => {
  for (const { seen, session, state, terminals } of sessions) {
    if (state !== "running") continue;
    if (seen.state === "absent") odd.push(`${session} runs and is told to be away`);
    if (seen.state !== "present") continue;
    const missing = terminals.find(
      (one) =>
        one.state === "running" && !seen.terminals.some((now) => now.terminal === one.terminal),
    );
    if (missing !== undefined) odd.push(`${missing.terminal} runs and is told to be away`);
  }
};

const lists = (early: boolean): Call => ({
  name: early ? "an early list" : "list",
  run: (s) => Effect.map(s.list({ all: true, early }), judge),
});

const beside = (call: Call, before: ReadonlyArray<Call>, early: boolean): ListedWorld => ({
  name: `${lists(early).name}, and ${call.name} at any call of it`,
  cost: 1,
  before,
  programs: [[lists(early)]],
  happens: call,
  onStart: () => {
    odd = [];
  },
  also: () => odd[0] ?? null,
  succeeds: [lists(early).name],
});

const met: ReadonlyArray<readonly [Call, ReadonlyArray<Call>]> = [
  // A server that nobody started yet is asked again in any case.
  [create, [createOther]],
  [add, [create]],
  [restore, [create, programEnds, reconcile]],
];

/** Who lists in trouble is told of the row, and never that it is missing. */
const inTrouble = (early: boolean, trouble: Partial<ListedWorld>): ListedWorld => ({
  name: `${lists(early).name}, and ${trouble.happens ? "an accident at" : "a fault of"} any call of it`,
  cost: 1,
  before: [create],
  programs: [
    [
      {
        name: "list",
        run: (s) =>
          Effect.map(s.list({ early }), ({ sessions }) => {
            if (sessions.length !== 1) odd.push(`${sessions.length} sessions are told`);
          }),
      },
    ],
  ],
  ...trouble,
  onStart: () => {
    odd = [];
  },
  also: (ending) => odd[0] ?? notMissed(ending),
  succeeds: ["list"],
});

/** The worlds. */
export const listWorlds: ReadonlyArray<ListedWorld> = [
  ...[false, true].flatMap((early) => met.map(([call, before]) => beside(call, before, early))),
  ...[false, true].flatMap((early) => [
    inTrouble(early, { happens: accidents }),
    inTrouble(early, { faults: anyFault }),
  ]),
];
