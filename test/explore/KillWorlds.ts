/**
 * KillWorlds: what lived in a session ends with it, all of it and nothing else, or it is said that
 * it did not. Each world is one delete, mostly, beside something that a delete must not miss.
 *
 * At the moment of the acknowledgement every session world looks at tmux and at the processes;
 * these say what there is to be seen.
 */
import type { RecordedProcess, Registry } from "@troupe/core";
import { FakeTmux, Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Option } from "effect";
import { type Ending, endedTooEarly, lie, newest } from "./Agreement.js";
import { OFFSPRING } from "./EndingOf.js";
import type { ListedWorld } from "./NamedWorld.js";
import { add, anyFault, create, remove, removeFirst, removeTerminal } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

/** Sessions that are killed from now on are listed for so many more clients. */
export const lingers = (clients: number): Call => ({
  name: `tmux lists what was killed for ${clients} more clients`,
  run: (_, tmux) => tmux.linger(clients),
});

/** A process of the terminal, which knows of it only by its parent; no hangup ends it. */
export const childOf = (terminal: string, options: { readonly stuck?: boolean } = {}): Call => ({
  name: `a child of ${terminal}`,
  run: (_, tmux) =>
    Effect.gen(function* () {
      const parent = (yield* tmux.processes).find(
        (p) => p.state === "running" && p.environment.get("TROUPE_TERMINAL") === terminal,
      );
      if (parent === undefined) return;
      const incarnation = parent.environment.get("TROUPE_INCARNATION") ?? "";
      yield* tmux.spawn({
        parent: parent.pid,
        program: "child",
        environment: { [OFFSPRING]: `${incarnation} ${terminal}` },
        ignoresHup: true,
        ...options,
      });
    }),
});

/** A process of the terminal that forked twice: it has the mark and no parent that is known. */
export const forkedTwice = (terminal: string): Call => ({
  name: `a process of ${terminal} that forked twice`,
  run: (_, tmux) =>
    Effect.gen(function* () {
      const program = (yield* tmux.processes).find(
        (p) => p.state === "running" && p.environment.get("TROUPE_TERMINAL") === terminal,
      );
      if (program === undefined) return;
      const environment = Object.fromEntries(program.environment);
      yield* tmux.spawn({ parent: 1, program: "daemon", environment, ignoresHup: true });
    }),
});

/** Somebody closes the window of the second terminal, whatever else its program left running. */
export const windowClosed: Call = {
  name: "a user closes the window",
  isAccident: true,
  run: (_, tmux) => tmux.client(["kill-window", "-t", "=a:t2"]),
};

/** A user's own tmux server, started inside the session, with a program below it. */
const serverInside: Call = {
  name: "a user starts a server inside",
  run: (_, tmux) =>
    Effect.gen(function* () {
      const pane = (yield* tmux.processes).find((p) => p.environment.has("TROUPE_INCARNATION"));
      const environment = Object.fromEntries(pane?.environment ?? []);
      const parent = pane?.pid ?? 1;
      yield* tmux.spawn({ parent, program: "tmux: server", environment, ignoresHup: true });
    }),
};

let bystander = { pid: 0, startTime: 0 };

/** The boot of a fake machine. */
const BOOT = "00000000-0000-4000-8000-000000000000";

/** A process of nobody's. */
const aBystander: Call = {
  name: "a bystander",
  run: (_, tmux) =>
    Effect.gen(function* () {
      const pid = yield* tmux.spawn({ parent: 1, program: "bystander" });
      const found = (yield* tmux.processes).find((process) => process.pid === pid);
      bystander = { pid, startTime: found?.startTicks ?? 0 };
    }),
};

/** A registry whose rows tell of one more process: one that had the bystander's pid before. */
const recording =
  (before: (now: typeof bystander) => Omit<RecordedProcess, "terminal">) =>
  (registry: Registry["Type"]): Registry["Type"] => ({
    ...registry,
    get: (session) =>
      Effect.map(
        registry.get(session),
        Option.map((record) => {
          const one = { ...before(bystander), terminal: null };
          return { ...record, processes: [...record.processes, one] };
        }),
      ),
  });

const bystanderLives = ({ programs }: Ending): string | null =>
  programs.includes("bystander") ? null : "a bystander was ended";

const OWN_PID = 4_000;

/** The program that asks, as a child of what it is about to end. */
const askedFromInside: Call = {
  name: "the program that asks is inside",
  run: (_, tmux) =>
    Effect.gen(function* () {
      const pane = (yield* tmux.processes).find((p) => p.environment.has("TROUPE_INCARNATION"));
      for (let pid = 0; pid < OWN_PID; ) {
        pid = yield* tmux.spawn({ parent: 1, program: "other" });
        if (pid < OWN_PID - 1) yield* tmux.signal(pid, "KILL");
        else if (pid === OWN_PID - 1) {
          const parent = pane?.pid ?? 1;
          pid = yield* tmux.spawn({ parent, program: "asker", ignoresHup: true });
        }
      }
    }),
};

let saved = false;

/** A program that ends a while after it was asked to. */
const agent = FakeTmux.program((run) =>
  run.onSignal("TERM", () =>
    run.after(50, () => {
      saved = true;
      run.exit(0);
    }),
  ),
);

const createAgent: Call = {
  name: "create",
  run: (sessions) => sessions.create({ ...spec, command: ["agent"] }),
};

const removePolitely: Call = {
  name: "delete",
  run: (sessions) => sessions.delete("a", { graceMs: 200 }),
};

/** A kill of a terminal that does not come through, and the same delete again. */
const removedTwice: Call = {
  name: "delete a terminal",
  run: (sessions, tmux) =>
    Effect.gen(function* () {
      const deletes = sessions.deleteTerminal("a", "t2", { graceMs: 0 });
      const matches = ({ attempted }: TmuxRequest) => attempted === "kill a terminal";
      yield* tmux.inject({ fault: Fault.silent, matches, times: 1_000 });
      yield* Effect.either(deletes);
      yield* tmux.clearFaults;
      return yield* deletes;
    }),
};

const stateOf = ({ records }: Ending): string | undefined => newest(records)[0]?.state;

/** What a delete ends. */
export const killWorlds: ReadonlyArray<ListedWorld> = [
  {
    name: "delete of a session that lingers",
    cost: 1,
    before: [create, lingers(3)],
    programs: [[remove]],
  },
  {
    name: "delete of a session that stays",
    cost: 0,
    before: [create, lingers(10_000)],
    programs: [[remove]],
    instead: (ending) => lie(ending) ?? endedTooEarly(ending),
  },
  {
    name: "delete, with a child and a crash",
    cost: 1,
    before: [create, childOf("main")],
    programs: [[remove]],
    crash: true,
  },
  {
    name: "delete a terminal, with a child and a crash",
    cost: 1,
    before: [create, add, childOf("t2")],
    programs: [[removeTerminal]],
    crash: true,
  },
  {
    name: "delete of what forked twice",
    cost: 0,
    before: [create, forkedTwice("main")],
    programs: [[remove]],
  },
  {
    name: "delete, with a child that nothing ends",
    cost: 0,
    before: [create, childOf("main", { stuck: true })],
    programs: [[remove]],
    instead: lie,
  },
  {
    name: "delete, with a user's server inside",
    cost: 0,
    before: [create, serverInside],
    programs: [[remove]],
    also: ({ servers }) => (servers === 2 ? null : "the user's server was ended"),
  },
  {
    name: "delete, asked for from inside the session",
    cost: 0,
    before: [create, askedFromInside],
    programs: [[remove]],
    machine: { ownPid: OWN_PID },
    also: ({ programs }) => (programs.includes("asker") ? null : "the one that asks was ended"),
  },
  {
    name: "delete, where the kernel gave a pid again",
    cost: 0,
    before: [create, aBystander],
    programs: [[remove]],
    registry: recording(({ pid }) => ({ pid, startTime: 1, bootId: BOOT })),
    also: bystanderLives,
  },
  {
    name: "delete, with the same pid in another boot",
    cost: 0,
    before: [create, aBystander],
    programs: [[remove]],
    registry: recording((now) => ({ ...now, bootId: "11111111-0000-4000-8000-000000000000" })),
    also: bystanderLives,
  },
  {
    name: "delete, whose snapshot fails",
    cost: 1,
    // Where a pane of the row is gone, the look shows nothing.
    before: [create, add, windowClosed],
    programs: [[remove]],
    faults: { ...anyFault, at: ({ attempted }) => attempted === "snapshot" },
    succeeds: ["delete"],
  },
  {
    name: "delete of a program that saves when it is asked to end",
    cost: 0,
    before: [createAgent],
    programs: [[removePolitely]],
    machine: { programs: { agent } },
    onStart: () => {
      saved = false;
    },
    also: () => (saved ? null : "the program was killed before it had saved"),
  },
  {
    name: "delete of the last terminal",
    cost: 0,
    before: [create],
    programs: [[removeFirst]],
    also: (ending) => (stateOf(ending) === "deleted" ? null : `the session is ${stateOf(ending)}`),
  },
  {
    name: "delete of a terminal that was cut off, and again",
    cost: 0,
    before: [create, add],
    programs: [[removedTwice]],
  },
];
