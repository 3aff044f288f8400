/**
 * AdoptedWorlds: a session whose registry was lost, adopted by its mark: its row tells of no
 * process, and of younger ones alone where a terminal is added then. What forked twice before that
 * is known by its mark and nothing else, and ends with whatever ends what it lived in.
 *
 * Its programs, the session or the server have gone by then, or none of them. Bystanders, as old as
 * it and younger, live on. All of it is a product of lists.
 */
import {
  MARK_VARIABLE,
  type ProcessTable,
  type ServerSocket,
  TERMINAL_VARIABLE,
} from "@troupe/core";
import { FakeTmux } from "@troupe/testing";
import type { TmuxTransport } from "@troupe/tmux";
import { Context, Effect } from "effect";
import { OFFSPRING, type WorldEnding } from "./EndingOf.js";
import { gcExited } from "./GcWorlds.js";
import { forkedTwice } from "./KillWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import { accidents, enders, serverDies, serverRestarts, userHurt } from "./Operations.js";
import { inProgram } from "./ProgramPorts.js";
import {
  adopt as adoptByName,
  reconcile,
  remove,
  removedByUser,
  removeTerminal,
  restore,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";
import { programOf } from "./WorldProgram.js";
import { memoryStore } from "./WorldStore.js";

const spec = { session: "a", command: ["sleep", "100000"], cwd: "/" };

/** Longer than two processes may have begun at one tick of the kernel. */
const passes: Call = { name: "a while", run: () => Effect.sleep("1 second") };

/** Behind the time limit of what is adopted, however long it was there before. */
const laterOn: Call = { name: "its time is over", run: () => Effect.sleep("10 seconds") };

/** What it starts begins at the tick of its server. */
const create: Call = {
  name: "create",
  run: (s) => s.create({ ...spec, ttlMs: 5_000, startWindowMs: 0 }),
};

const add: Call = { name: "add", run: (s) => s.addTerminal(spec) };

/** It is nobody's. */
const bystander: Call = {
  name: "a bystander",
  run: (_, tmux) => tmux.spawn({ parent: 1, program: "bystander", ignoresHup: true }),
};

/** Done by a program whose registry is lost behind it, with all that was ever written there. */
const lost = (calls: ReadonlyArray<Call>): Call => ({
  name: "its registry is lost",
  run: (sessions, tmux) => {
    const done = Effect.gen(function* () {
      const ports = yield* Effect.context<TmuxTransport | ProcessTable | ServerSocket>();
      const machine = Context.add(ports, FakeTmux, tmux);
      const before = yield* programOf({}, machine, yield* memoryStore, "lost", null);
      for (const call of calls) yield* call.run(before.sessions, tmux);
    });
    return inProgram(sessions, Effect.scoped(done));
  },
});

/** A reconcile finds its mark. */
const adopted: Call = { ...reconcile, name: "adopt" };

const SERVER = "tmux: server";
const isServer = ({ program, state }: { readonly program: string; readonly state: string }) =>
  state === "running" && program.startsWith(SERVER);

/** Every program of these terminals ends, or of all. */
const end = (...terminals: ReadonlyArray<string>): Call => ({
  name: terminals.length === 0 ? "its programs end" : "its first programs end",
  isAccident: true,
  run: (_, tmux) =>
    Effect.flatMap(tmux.processes, (all) =>
      Effect.forEach(
        all.filter(({ environment, program, state }) => {
          const terminal = environment.get(TERMINAL_VARIABLE);
          const isAsked = terminals.length === 0 || terminals.includes(terminal ?? "");
          return state === "running" && program === "sleep" && terminal !== undefined && isAsked;
        }),
        ({ pid }) => tmux.signal(pid, "KILL"),
      ),
    ),
});

/** The server dies, and the kernel gives its pid to a user's own, of another socket. */
const pidAgain: Call = {
  name: "another server has its pid",
  isAccident: true,
  run: (sessions, tmux) =>
    Effect.gen(function* () {
      const servers = (yield* tmux.processes).filter(isServer);
      yield* serverDies.run(sessions, tmux);
      for (const { pid } of servers) yield* tmux.spawn({ pid, parent: 1, program: SERVER });
    }),
};

const firstEnd = end("main", "t2");
const allEnd = end();

/** What ends it or a terminal of it, and what may have gone before. */
interface Ender {
  readonly call: Call;
  readonly behind: ReadonlyArray<Call | null>;
}

/** What it deletes is not forgotten. */
const gcOfExited: Call = { ...gcExited, run: (s) => s.gc({ exitedMs: 0 }) };

const over: Call = { ...reconcile, name: "reconcile of what is over" };

const losses = [firstEnd, removedByUser, ...accidents, pidAgain];

/** What is lost stays until it is deleted, with what lives of it; what collects is about others. */
const all: ReadonlyArray<Ender> = [
  ...[...enders, restore].map((call) => ({ call, behind: [null, ...losses] })),
  { call: over, behind: [null, firstEnd, allEnd] },
  { call: gcOfExited, behind: [allEnd] },
];

const bystandersLive = ({ programs }: WorldEnding): string | null => {
  const living = programs.filter((program) => program === "bystander").length;
  return living === 2 ? null : "a bystander was ended";
};

/** What its row tells of is what was added. */
const rows: ReadonlyArray<ReadonlyArray<Call>> = [[], [add]];

/** What each that forked twice has started is known by its parent alone. */
const children: Call = {
  name: "children of what forked twice",
  run: (_, tmux) =>
    Effect.gen(function* () {
      for (const { environment, pid, program } of yield* tmux.processes) {
        if (program !== "daemon") continue;
        const whose = [MARK_VARIABLE, TERMINAL_VARIABLE].map((name) => environment.get(name));
        const child = { [OFFSPRING]: whose.join(" ") };
        yield* tmux.spawn({ parent: pid, program: "child", environment: child, ignoresHup: true });
      }
    }),
};

/** There is a second terminal where that one is ended. It forks twice at once, and again later. */
const made = (call: Call): ReadonlyArray<Call> => {
  const daemon = forkedTwice(call === removeTerminal ? "t2" : "main");
  return [create, ...(call === removeTerminal ? [add] : []), daemon, passes, daemon, children];
};

const world = (call: Call, behind: ReadonlyArray<Call>): ListedWorld => ({
  name: `${call.name} of what forked twice, adopted${behind.map(({ name }) => `, ${name}`).join("")}`,
  cost: 0,
  before: [
    lost([...made(call), bystander]),
    passes,
    adopted,
    ...behind,
    bystander,
    ...(call === over ? [laterOn] : []),
  ],
  programs: [[call]],
  also: (ending) =>
    bystandersLive(ending) ?? (behind.includes(serverRestarts) ? userHurt(ending) : null),
});

/** The same, taken up by its name: it bears the mark of its own home. */
const byName = (call: Call): ListedWorld => {
  const listed = world(call, []);
  const before = listed.before?.map((one) => (one === adopted ? adoptByName : one)) ?? [];
  return { ...listed, name: `${listed.name} by its name`, before };
};

/** Whoever comes behind one that was cut off ends it as well. */
const cutOff = (call: Call): ListedWorld => {
  const listed = world(call, [add, firstEnd]);
  return { ...listed, name: `${listed.name}, cut off`, cost: 1, crash: true };
};

/** The worlds. */
export const adoptedWorlds: ReadonlyArray<ListedWorld> = [
  ...all.flatMap(({ behind, call }) =>
    behind.flatMap((loss) => rows.map((row) => world(call, loss === null ? row : [...row, loss]))),
  ),
  ...[remove, removeTerminal, over].map(cutOff),
  ...[...enders, over].map(byName),
];
