/**
 * TerminalsWorlds: a session of two terminals or three, with as much in each as in the first: what
 * ends the session ends all of them, what was begun with several is finished with each, and rows
 * and files are of every one.
 *
 * Each call that ends a whole session, with what lives in it cut off or lost before; all of it is
 * a product of lists.
 */
import { TERMINAL_VARIABLE } from "@troupe/core";
import { FakeTmux } from "@troupe/testing";
import { Effect } from "effect";
import { inVain } from "./BirthWorlds.js";
import { losses } from "./DaemonWorlds.js";
import type { WorldEnding } from "./EndingOf.js";
import { agreement, gcExited } from "./GcWorlds.js";
import { childOf, forkedTwice } from "./KillWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import { take } from "./Operations.js";
import {
  add,
  create,
  reconcile,
  remove,
  removeByForce,
  removeFirst,
  removeTerminal,
  replacing,
  restore,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

const children = [childOf("main"), childOf("t2")];
const daemons = [forkedTwice("main"), forkedTwice("t2")];

/** The program of every terminal ends; what it left behind lives. */
const programsEnd: Call = {
  name: "its programs end",
  isAccident: true,
  run: (_, tmux) =>
    Effect.flatMap(tmux.processes, (all) =>
      Effect.forEach(
        all.filter((p) => p.program === "sleep" && p.environment.has(TERMINAL_VARIABLE)),
        ({ pid }) => tmux.signal(pid, "KILL"),
      ),
    ),
};

const createLimited: Call = { name: "create", run: (s) => s.create({ ...spec, ttlMs: 1_000 }) };
const laterOn: Call = { name: "its time is over", run: () => Effect.sleep("2 seconds") };
const over: Call = { ...reconcile, name: "reconcile of what is over" };

/** What ends a whole session, what lives in it then, and who comes behind one that was cut off. */
interface Ender {
  readonly call: Call;
  readonly before: ReadonlyArray<Call>;
  readonly comers: ReadonlyArray<Call>;
}

const anybody: ReadonlyArray<Call> = [reconcile, add, removeTerminal, restore, removeByForce];

/**
 * A child is known by its parent alone, so none is left behind where that has ended. What a restore
 * has not ended when it is cut off is that of a lost session: whoever ends that ends it.
 */
const enders: ReadonlyArray<Ender> = [
  { call: remove, before: [create, add, ...children, ...daemons], comers: anybody },
  { call: replacing, before: [create, add, ...children, ...daemons], comers: anybody },
  {
    call: over,
    before: [createLimited, add, ...children, ...daemons, laterOn],
    comers: anybody,
  },
  {
    call: restore,
    before: [create, add, ...daemons, programsEnd],
    comers: [restore, removeByForce, replacing],
  },
  {
    call: gcExited,
    before: [create, add, ...daemons, programsEnd, reconcile],
    comers: [reconcile, add, removeTerminal, removeByForce],
  },
];

const judged = (call: Call) => (call === gcExited ? { instead: agreement } : {});

const cutOff = ({ before, call, comers }: Ender): ReadonlyArray<ListedWorld> =>
  comers.map((next) => ({
    ...judged(call),
    name: `${call.name}, of two terminals, cut off ∥ ${next.name}`,
    cost: 1,
    before,
    programs: [[call], [next]],
    crash: true,
  }));

/** What each forked twice is known by its mark alone, however the session went before. */
const behind = (call: Call): ReadonlyArray<ListedWorld> =>
  losses.flatMap((loss) =>
    [[], [reconcile]].map((written) => ({
      name: `${call.name}, of two terminals, behind ${[loss, ...written].map(({ name }) => name).join(" and ")}`,
      cost: 0,
      before: [create, add, ...daemons, loss, ...written],
      programs: [[call]],
    })),
  );

const inVainOf = (call: Call): Call => inVain(call, "kill a terminal");

/** Deletes of the second of two, and of two of three: what was begun with each is finished. */
const begunWith: ReadonlyArray<readonly [string, ReadonlyArray<Call>]> = [
  ["delete of the second terminal", [create, add, ...children, inVainOf(removeTerminal)]],
  [
    "deletes of two terminals",
    [create, add, add, ...children, inVainOf(removeTerminal), inVainOf(removeFirst)],
  ],
];

/** Whoever comes finishes all of it, be it that he ends more than that. */
const begun: ReadonlyArray<ListedWorld> = begunWith.flatMap(([what, before]) =>
  [reconcile, add, take, remove, replacing].map((next) => ({
    name: `${what}, in vain, and ${next.name}`,
    cost: next === reconcile ? 1 : 0,
    before,
    programs: [[next]],
    crash: true,
  })),
);

let saved: Array<string> = [];

/** Ends a while after it was asked to, the second later than the first. */
const agent = FakeTmux.program((run) =>
  run.onSignal("TERM", () => {
    const terminal = run.env.get(TERMINAL_VARIABLE) ?? "";
    run.after(terminal === "main" ? 50 : 150, () => {
      saved.push(terminal);
      run.exit(0);
    });
  }),
);

const agentSpec = { ...spec, command: ["agent"] };

const polite = (call: Call): ListedWorld => ({
  name: `${call.name}, of two terminals whose programs save when they are asked to end`,
  cost: 0,
  machine: { programs: { agent } },
  before: [
    { name: "create", run: (s) => s.create({ ...agentSpec, ttlMs: 1_000 }) },
    { name: "add", run: (s) => s.addTerminal(agentSpec) },
    ...(call === over ? [laterOn] : []),
  ],
  programs: [[call]],
  onStart: () => {
    saved = [];
  },
  also: () => (saved.length === 2 ? null : `of two programs there saved: ${saved.join(", ")}`),
});

const politeEnders: ReadonlyArray<Call> = [
  { name: "delete", run: (s) => s.delete("a", { graceMs: 400 }) },
  { name: "delete, sparing", run: (s) => s.delete("a", { graceMs: 400, spareDetached: true }) },
  replacing,
  over,
];

const printing = (word: string) => ({
  ...spec,
  command: ["sh", "-c", `echo ${word}; exec sleep 100000`],
});

/** Of each terminal is kept what it showed, where a call that ends the session was acknowledged. */
const shownOfBoth =
  ({ name }: Call) =>
  ({ snapshots, told }: WorldEnding): string | null => {
    if (!told.some((line) => line.startsWith(`${name}: ok`))) return null;
    const missing = ["main", "t2"].find(
      (terminal) => !snapshots.some((s) => s.terminal === terminal && s.text.startsWith(terminal)),
    );
    return missing === undefined ? null : `nothing is kept of what ${missing} showed`;
  };

const kept: ReadonlyArray<ListedWorld> = enders
  .filter(({ call }) => call !== gcExited)
  .map(({ call }) => ({
    name: `${call.name}, of two terminals that printed`,
    cost: 1,
    before: [
      { name: "create", run: (s) => s.create({ ...printing("main"), ttlMs: 1_000 }) },
      { name: "add", run: (s) => s.addTerminal(printing("t2")) },
      ...(call === over ? [laterOn] : []),
      ...(call === restore ? [programsEnd] : []),
    ],
    programs: [[call]],
    crash: true,
    also: shownOfBoth(call),
  }));

/** A second terminal of which nothing was ever recorded. */
const unrecorded: Call = {
  name: "a window that is marked and not recorded",
  run: (sessions, tmux) =>
    Effect.gen(function* () {
      const opens = ["new-window", "-d", "-P", "-F", "#{pane_id}", "-t", "=a:", "--", "cat"];
      const { stdout } = yield* tmux.client(opens);
      yield* tmux.client(["set-option", "-p", "-t", stdout.trim(), "@troupe-pane", "t2"]);
      yield* reconcile.run(sessions, tmux);
    }),
};

/** What may have printed since is not idle: of one terminal nobody knows. */
const idle: ListedWorld = {
  name: "reconcile of what is idle, and a terminal of which nothing is recorded",
  cost: 0,
  before: [
    { name: "create", run: (s) => s.create({ ...spec, idleTtlMs: 1_000 }) },
    unrecorded,
    laterOn,
  ],
  programs: [[over]],
  also: ({ records }) => {
    const [one] = records;
    const is = `${one?.state}, with ${one?.terminals.length} terminals`;
    return is === "running, with 2 terminals" ? null : `what is not known to be idle is ${is}`;
  },
};

let odd: ReadonlyArray<string> = [];

/** An early list; of which terminals it tells that they run, although their rows say otherwise. */
const earlyList: Call = {
  name: "an early list",
  run: (s) =>
    Effect.map(s.list({ early: true }), ({ sessions }) => {
      odd = sessions.flatMap(({ seen, terminals }) =>
        terminals
          .filter(({ state }) => state === "exited")
          .map(({ terminal }) => seen.terminals.find((now) => now.terminal === terminal))
          .flatMap((now) => (now?.exit === null ? [`${now.terminal} has ended, and runs`] : [])),
      );
    }),
};

/** The program of the terminal ends, and that is written down. */
const endIsWritten = (terminal: string): Call => ({
  name: `the program of ${terminal} ends, and a reconcile`,
  isAccident: true,
  run: (sessions, tmux) =>
    Effect.gen(function* () {
      const { terminals } = yield* sessions.get("a");
      const pane = terminals.find((one) => one.terminal === terminal)?.paneId ?? "";
      yield* tmux.exitProgram(pane, 0);
      yield* sessions.reconcile("a");
    }),
});

/** What was asked before it was written down counts for no terminal of which it is not so. */
const listed = ["main", "t2"].map(
  (terminal): ListedWorld => ({
    name: `${earlyList.name}, and at any call of it ${endIsWritten(terminal).name}`,
    cost: 1,
    before: [create, add],
    programs: [[earlyList]],
    happens: endIsWritten(terminal),
    onStart: () => {
      odd = [];
    },
    also: () => odd[0] ?? null,
    succeeds: [earlyList.name],
  }),
);

/** The worlds. */
export const terminalsWorlds: ReadonlyArray<ListedWorld> = [
  ...enders.flatMap(cutOff),
  ...[remove, replacing, restore].flatMap(behind),
  ...begun,
  ...politeEnders.map(polite),
  ...kept,
  idle,
  ...listed,
];
