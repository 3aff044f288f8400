/**
 * SessionWorld: programs that call sessions on one home, as a world for the explorer.
 *
 * The real code runs on the fake tmux and the registry in memory; each program has actors of its
 * own. When every program has ended or crashed, one more program reconciles, then what hung is let
 * go, and tmux, rows, processes and claims must agree with each other and with what callers heard.
 */
import {
  isFinal,
  MemoryStore,
  ProcessTable,
  Registry,
  type SessionEvent,
  type SessionRecord,
  Sessions,
  Settings,
} from "@troupe/core";
import {
  CountedIds,
  Explore,
  exploredProcessTable,
  exploredRegistry,
  exploredTransport,
  FakeHost,
  FakeOutputFiles,
  FakeSnapshots,
  FakeTmux,
  type FakeTmuxControl,
  type TransportFaults,
  type World,
} from "@troupe/testing";
import { TmuxClient, type TmuxReply, TmuxTransport } from "@troupe/tmux";
import { Cause, Context, Effect, Exit, Layer } from "effect";
import { logDisagreement } from "../support/LogCheck.js";
import { failingRegistry } from "./FailingRegistry.js";
import { lateTransport } from "./LateTransport.js";
import { leftToDo, readersDisagree } from "./ReadersAgree.js";

/** One call of a program, named for the table of steps. */
export interface Call {
  readonly name: string;
  readonly run: (
    sessions: Sessions["Type"],
    /** The other side of the fake: what a program in a pane does, say. */
    tmux: FakeTmuxControl,
  ) => Effect.Effect<unknown, unknown>;
  /** Whether its caller may be interrupted at any point. */
  readonly interruptible?: boolean;
}

/** What a world is made of. */
export interface SessionWorldOptions {
  readonly name: string;
  /** Done before anything is explored. */
  readonly before?: ReadonlyArray<Call>;
  /** For each program the calls that it makes at once. */
  readonly programs: ReadonlyArray<ReadonlyArray<Call>>;
  readonly faults?: TransportFaults;
  /** Whether any call of the registry may fail: before it did anything, or behind it. */
  readonly registryFaults?: boolean;
  /** Whether a list may be done only when everything else is over, its client long dead. */
  readonly lateEffects?: boolean;
  readonly crash?: boolean;
  readonly time?: boolean;
  readonly sometimes?: ReadonlyArray<string>;
  /** At the beginning of each run. */
  readonly onStart?: () => void;
  /** What else does not agree at the end of a run, in words. */
  readonly also?: () => string | null;
  /** The registry of each program; a twin with a guard removed gives another. */
  readonly registry?: (registry: Registry["Type"]) => Registry["Type"];
  /** The transport of each program; a twin with a guard removed gives another. */
  readonly transport?: (transport: TmuxTransport["Type"]) => TmuxTransport["Type"];
}

/** Coarse, so that a wait is few steps; which bounds are in force is no part of any promise. */
const BOUNDS = { claimSpacingMs: 500, claimWaitMs: 2_000, lookSpacingMs: 100, startWindowMs: 100 };

type Machine = Context.Context<FakeTmux | TmuxTransport | ProcessTable>;

interface Ending {
  readonly records: ReadonlyArray<SessionRecord>;
  readonly events: ReadonlyArray<SessionEvent>;
  /** Incarnations of this home that tmux has. */
  readonly inTmux: ReadonlyArray<string>;
  /** Panes with our mark that tmux has, as `INCARNATION TERMINAL`. */
  readonly panes: ReadonlyArray<string>;
  /** Incarnations whose processes live. */
  readonly alive: ReadonlyArray<string>;
  readonly heldBy: ReadonlyArray<string>;
  readonly told: ReadonlyArray<string>;
}

/** Sessions of one program, with points at every port; `plain` has none. */
const sessionsOf = (
  options: SessionWorldOptions,
  machine: Machine,
  store: MemoryStore,
  owner: string,
  plain: boolean,
) => {
  const real = Context.get(machine, TmuxTransport);
  const late = options.lateEffects ? lateTransport(Context.get(machine, FakeTmux), real) : real;
  const transport = plain ? real : (options.transport?.(late) ?? late);
  const processes = Context.get(machine, ProcessTable);
  const explored = Layer.mergeAll(
    Layer.succeed(TmuxTransport, plain ? transport : exploredTransport(transport, options.faults)),
    Layer.succeed(ProcessTable, plain ? processes : exploredProcessTable(processes)),
  );
  const change = plain ? undefined : options.registry;
  const registry = Layer.map(Registry.layerMemory(store, { owner }), (context) => {
    const memory = Context.get(context, Registry);
    const changed = change === undefined ? memory : change(memory);
    const faulty = options.registryFaults === true && !plain ? failingRegistry(changed) : changed;
    return Context.make(Registry, plain ? changed : exploredRegistry(faulty));
  });
  const settings = Layer.effect(
    Settings,
    Effect.map(Settings, (s) => ({ ...s, home: "home1", ...BOUNDS })),
  );
  const ports = Layer.mergeAll(
    registry,
    FakeHost.layer(),
    FakeOutputFiles.layer(Context.get(machine, FakeTmux)),
    FakeSnapshots.layer(FakeSnapshots.make()),
    CountedIds.layer(owner),
    settings,
  );
  const tmux = Layer.provideMerge(TmuxClient.layer(), explored);
  const layer = Sessions.layer.pipe(Layer.provide(ports), Layer.provide(tmux));
  return Explore.quietly(Effect.map(Layer.build(layer), Context.get(Sessions)));
};

const tellOf = (name: string, exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit)) return `${name}: ok ${JSON.stringify(exit.value)}`;
  const bug = Cause.dieOption(exit.cause);
  return bug._tag === "Some" ? `${name}: died: ${String(bug.value)}` : `${name}: failed`;
};

/** Lines about sessions of ours: those of strangers begin with nothing. */
const linesOf = ({ exitCode, stdout }: TmuxReply): ReadonlyArray<string> =>
  exitCode === 0 ? stdout.split("\n").filter((line) => /^\S/.test(line)) : [];

const endingOf = Effect.fnUntraced(function* (
  machine: Machine,
  store: MemoryStore,
  told: ReadonlyArray<string>,
) {
  const tmux = Context.get(machine, FakeTmux);
  const listed = yield* Effect.orDie(tmux.client(["list-sessions", "-F", "#{@troupe-inc}"]));
  const paned = yield* Effect.orDie(
    tmux.client(["list-panes", "-a", "-F", "#{@troupe-inc} #{@troupe-pane}"]),
  );
  const running = (yield* tmux.processes).filter((p) => p.state === "running");
  const markOf = (name: string) => running.flatMap((p) => p.environment.get(name) ?? []);
  const alive = markOf("TROUPE_INCARNATION");
  const ending: Ending = {
    records: [...store.records.values()],
    events: store.events,
    inTmux: linesOf(listed),
    panes: [...linesOf(paned)].sort(),
    alive: [...new Set(alive)],
    // A claim of a program that crashed is proof of its death to whoever wants it next.
    heldBy: [...store.claims.values()].flatMap(({ owner }) =>
      owner !== null && store.owners.get(owner) !== "dead" ? [owner] : [],
    ),
    told,
  };
  return ending;
});

const newest = (records: ReadonlyArray<SessionRecord>): ReadonlyArray<SessionRecord> =>
  records.filter(
    (r) => !records.some((o) => o.session === r.session && o.generation > r.generation),
  );

/** What does not agree, in words. */
export const disagreement = (ending: Ending): string | null => {
  const shown = newest(ending.records)
    .filter((r) => r.state === "running" || r.state === "exited")
    .map((r): string => r.incarnation);
  const unsettled = ending.records.filter((r) => r.state === "creating" || r.state === "deleting");
  const [stale] = unsettled;
  if (stale !== undefined) return `a row is left ${stale.state}`;
  for (const incarnation of ending.inTmux) {
    if (!shown.includes(incarnation)) return `tmux has ${incarnation}, and no row says so`;
  }
  for (const incarnation of shown) {
    if (!ending.inTmux.includes(incarnation)) return `a row says that ${incarnation} is there`;
  }
  for (const incarnation of ending.alive) {
    if (!shown.includes(incarnation)) return `a process of ${incarnation} lives`;
  }
  const odd = terminalDisagreement(ending) ?? logDisagreement(ending.records, ending.events);
  if (odd !== null) return odd;
  if (ending.heldBy.length > 0) return `a claim is held by ${ending.heldBy.join(", ")}`;
  return lie(ending);
};

/** What does not agree about single terminals. */
const terminalDisagreement = ({ panes, records }: Ending): string | null => {
  const terminals = records.flatMap((r) =>
    r.terminals.map((t) => ({ ...t, pane: `${r.incarnation} ${t.terminal}` })),
  );
  const unsettled = terminals.find((t) => t.state === "creating" || t.state === "deleting");
  if (unsettled !== undefined) return `terminal ${unsettled.pane} is left ${unsettled.state}`;
  const shown = terminals.filter((t) => t.state !== "gone").map((t) => t.pane);
  const lost = shown.find((pane) => !panes.includes(pane));
  if (lost !== undefined) return `a row says that terminal ${lost} is there`;
  const unknown = panes.find((pane) => !shown.includes(pane));
  return unknown === undefined ? null : `tmux has terminal ${unknown}, and no row says so`;
};

/** What a caller was told of a terminal and is not so. */
const terminalLie = (records: ReadonlyArray<SessionRecord>, line: string): string | null => {
  const match = /^(add|delete a terminal)[^:]*: ok (.*)$/.exec(line);
  if (match === null) return null;
  const { generation, session, terminal } = JSON.parse(match[2] ?? "{}");
  const id = typeof terminal === "string" ? terminal : terminal.terminal;
  const row = records.find((r) => r.session === session && r.generation === generation);
  const known = row?.terminals.find((t) => t.terminal === id);
  if (known === undefined) return `a terminal ${id} was acknowledged, and no row has it`;
  if (match[1] === "add" || known.state === "gone") return null;
  return `a terminal's delete was acknowledged, and its row is ${known.state}`;
};

/** What a caller was told and is not so. */
const lie = ({ records, told }: Ending): string | null => {
  for (const line of told) {
    const bug = line.includes(": died: ") && !line.includes("explored bug");
    if (bug || line.startsWith("readers disagree")) return line;
    const odd = terminalLie(records, line);
    if (odd !== null) return odd;
    const match = /^(create|restore|delete(?! a))[^:]*: ok (.*)$/.exec(line);
    if (match === null) continue;
    const { generation, session } = JSON.parse(match[2] ?? "{}");
    const row = records.find((r) => r.session === session && r.generation === generation);
    if (match[1] !== "delete" && (row === undefined || row.state === "failed")) {
      return `a create was acknowledged, and its row is ${row?.state ?? "missing"}`;
    }
    if (match[1] === "delete" && !(row !== undefined && isFinal(row.state))) {
      return `a delete was acknowledged, and its row is ${row?.state ?? "missing"}`;
    }
  }
  return null;
};

/** The world; see the module's own comment. */
export const sessionWorld = (options: SessionWorldOptions): World<Ending> => ({
  name: options.name,
  ...(options.crash === undefined ? {} : { crash: options.crash }),
  ...(options.time === undefined ? {} : { time: options.time }),
  ...(options.sometimes === undefined ? {} : { sometimes: options.sometimes }),
  start: () => {
    options.onStart?.();
    let digest = "";
    const program = Effect.gen(function* () {
      const store = yield* MemoryStore.make;
      const machine: Machine = yield* Explore.quietly(Layer.build(FakeTmux.layer()));
      const tmux = Context.get(machine, FakeTmux);
      const setUp = yield* sessionsOf(options, machine, store, "before", true);
      yield* Explore.quietly(
        Effect.forEach(options.before ?? [], (call) => Effect.orDie(call.run(setUp, tmux))),
      );
      const told: Array<string> = [];
      const runCall = (sessions: Sessions["Type"]) => (call: Call) => {
        const run = call.run(sessions, tmux);
        const exit = call.interruptible
          ? Explore.interruptible(call.name, run)
          : Effect.exit(Explore.named(call.name)(run));
        return Effect.map(exit, (e) => told.push(tellOf(call.name, e)));
      };
      const programs = yield* Effect.forEach(options.programs, (calls, index) => {
        const owner = `program${index + 1}`;
        const body = Effect.gen(function* () {
          const sessions = yield* sessionsOf(options, machine, store, owner, false);
          yield* Effect.forEach(calls, runCall(sessions), { concurrency: "unbounded" });
        });
        return Explore.program(owner, Explore.scoped(body), {
          onCrash: store.declare(owner, "dead"),
        });
      });
      yield* Effect.forEach(programs, ({ ending }) => ending);
      const recovery = yield* sessionsOf(options, machine, store, "recovery", true);
      told.push(...(yield* Explore.quietly(readersDisagree(recovery))));
      yield* Explore.quietly(Effect.orDie(recovery.reconcileAll));
      told.push(...(yield* Explore.quietly(leftToDo(recovery))));
      yield* Explore.quietly(Effect.zipRight(tmux.release, Effect.sleep("1 second")));
      const ending = yield* endingOf(machine, store, told);
      digest = JSON.stringify([
        ending.records.map((r) => [r.session, r.state, r.terminals.map((t) => t.state)]),
        ending.panes,
        told,
      ]);
      return ending;
    }).pipe(Explore.scoped, Effect.orDie, Effect.withTracerEnabled(false));
    const check = (ending: Ending) => disagreement(ending) ?? options.also?.() ?? null;
    return { program, check, state: () => digest };
  },
});
