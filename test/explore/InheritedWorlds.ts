/**
 * InheritedWorlds: a list that is late, the death of its program, and who comes then and raises no
 * fence: his answer is in the row alone, or tmux does not answer him. Behind him the fence is still
 * due, and the late list does nothing.
 *
 * Whoever comes by force comes while the holder lives. All of it is a product of lists.
 */
import { IncarnationId } from "@troupe/core";
import { FakeTmux, Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect } from "effect";
import type { ListedWorld } from "./NamedWorld.js";
import { before, send, take } from "./Operations.js";
import { add, adopt, create, later, remove, removeTerminal, restore } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

const other = IncarnationId.make("incarnation-of-another");

/** One that never was, so nothing is to be looked up. */
const removeOther: Call = {
  name: "delete of another incarnation",
  run: (s) => s.delete("a", { incarnation: other }),
};

const removeNone: Call = {
  name: "delete a terminal that never was",
  run: (s) => s.deleteTerminal("a", "t9", { graceMs: 0 }),
};

/**
 * The same by force, whatever came of it. What is overtaken is put right by a reconcile, as what is
 * cut off.
 */
const byForce: ReadonlyArray<Call> = [
  {
    name: "by force a delete of another incarnation",
    isAccident: true,
    run: (s) => Effect.either(s.delete("a", { incarnation: other, force: true })),
  },
  {
    name: "by force a delete of a terminal that never was",
    isAccident: true,
    run: (s) => Effect.either(s.deleteTerminal("a", "t9", { graceMs: 0, force: true })),
  },
];

/** What the program in the pane was given. */
let given = "";

const reader = FakeTmux.program((run) => {
  run.raw();
  run.onInput((text) => {
    given += text;
  });
});

const createReader: Call = {
  name: "create",
  run: (s) => s.create({ session: "a", command: ["reader"], cwd: "/" }),
};

/** Keys alone are one list. */
const press: Call = { name: "send", run: (s) => s.send("a", { keys: ["x"] }) };

/** A call, and which list of it is late. */
interface Late {
  readonly call: Call;
  readonly list: string;
}

const makes: Late = { call: create, list: "new-session" };
const adds: Late = { call: add, list: "new-window" };
const types: Late = { call: press, list: "send-keys" };
const makesAnew: Late = { call: restore, list: "new-session" };
/** What is left of the old one is ended before the new one is begun. */
const clears: Late = { call: restore, list: "kill-session" };

/** The same call; the list is done when its client is long dead. */
const late = ({ call, list }: Late): Call => ({
  ...call,
  run: (s, tmux) => {
    const matches = ({ stdin }: TmuxRequest) => `${stdin}`.includes(list);
    const isLate = tmux.inject({ fault: Fault.lateEffect, matches, times: 1 });
    return Effect.zipRight(isLate, call.run(s, tmux));
  },
});

let isDeaf = false;

/** The same call, and tmux answers no program any more, until somebody reconciles. */
const unheard = (call: Call): Call => ({
  name: `${call.name}, unheard`,
  run: (s, tmux) =>
    Effect.suspend(() => {
      isDeaf = true;
      return call.run(s, tmux);
    }),
});

/** When whoever was cut off has ended at any of its deadlines. */
const BEHIND_MS = 30_000;

/** While the list of the first is waited for. */
const BESIDE_MS = 500;

/** Who answers by the row alone; an adopt only where tmux has a session of the name. */
const byTheRow: ReadonlyArray<readonly [Late, ReadonlyArray<Call>]> = [
  [makes, [send, removeNone, removeOther]],
  [makesAnew, [send, removeNone, removeOther]],
  [clears, [adopt, removeNone, removeOther]],
  [adds, [adopt, removeNone, removeOther]],
  [types, [adopt, removeNone, removeOther]],
];

/** Who would raise the fence, if tmux answered. */
const asked: ReadonlyArray<Call> = [create, send, add, removeTerminal, remove, restore, take];

const nameOf = ({ call, list }: Late, how: string, next: ReadonlyArray<Call>): string =>
  [`${call.name}, whose ${list} is ${how}`, ...next.map(({ name }) => name)].join(", and ");

/** Somebody comes behind it, and then whoever comes behind him, too. */
const behind = (first: Late, ...next: ReadonlyArray<Call>): ListedWorld => ({
  name: nameOf(first, "late, cut off", next),
  cost: 1,
  before: first === types ? [createReader] : before([first.call]),
  programs: [[late(first)], ...next.map((one, at) => [later(BEHIND_MS * (at + 1), one)])],
  crash: true,
  machine: { programs: { reader } },
  onStart: () => {
    isDeaf = false;
    given = "";
  },
  transport: (transport) => ({
    ...transport,
    run: (request) =>
      isDeaf
        ? Effect.succeed({ exitCode: 1, stdout: "", stderr: "what?\n" })
        : transport.run(request),
  }),
  also: () => (given === "" ? null : `what was sent is typed at last: ${given}`),
});

/** Somebody comes beside it, and waits for nobody. */
const beside = (first: Late, next: Call): ListedWorld => ({
  ...behind(first),
  name: nameOf(first, "late", [next]),
  programs: [[late(first)], [later(BESIDE_MS, next)]],
});

/** The worlds. */
export const inheritedWorlds: ReadonlyArray<ListedWorld> = [
  {
    name: "create ∥ send, with a late list and a crash",
    cost: 2,
    programs: [[create], [later(BEHIND_MS, send)]],
    lateEffects: true,
    crash: true,
  },
  ...byTheRow.flatMap(([first, next]) => next.map((one) => behind(first, one))),
  ...asked.map((one) => behind(makes, unheard(one))),
  behind(makes, send, removeOther),
  behind(makes, unheard(remove), send),
  ...[makes, makesAnew, clears, adds, types].flatMap((first) =>
    byForce.map((next) => beside(first, next)),
  ),
];
