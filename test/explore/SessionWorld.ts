/**
 * SessionWorld: programs that call sessions on one home, as a world for the explorer.
 *
 * The real code runs on the fake tmux and the registry in memory; each program has actors of its
 * own. When every program has ended or crashed, one more program reconciles, then what hung is let
 * go, and tmux, rows, processes and claims must agree with each other and with what callers heard;
 * nothing is held for what has ended, and no value is told.
 */
import type {
  ProcessTable,
  Registry,
  ServerSocket,
  SessionRecord,
  Sessions,
  Snapshot,
} from "@troupe/core";
import {
  Explore,
  FakeSnapshots,
  FakeTmux,
  type FakeTmuxControl,
  type FakeTmuxOptions,
  type TransportFaults,
  type World,
} from "@troupe/testing";
import type { TmuxTransport } from "@troupe/tmux";
import { Cause, Context, Effect, Exit, identity, Layer } from "effect";
import { tellsValue } from "./Canary.js";
import { endingOf, type Machine, type WorldEnding } from "./EndingOf.js";
import { Happening } from "./Happening.js";
import { heldOfItsOwn, heldOfOthers } from "./HeldScopes.js";
import { leftToDo, readersDisagree } from "./ReadersAgree.js";
import { known, untruth } from "./Untruth.js";
import type { FilesExplored } from "./WorldFiles.js";
import { programOf, sessionsOf } from "./WorldProgram.js";
import { memoryStore, sqliteStore, type WorldStore } from "./WorldStore.js";
import { judgement, leaves, unmended } from "./WorldVerdict.js";

/** One call of a program, named for the table of steps. */
export interface Call {
  readonly name: string;
  readonly run: (
    sessions: Sessions["Type"],
    /** The other side of the fake: what a program in a pane does, say. */
    tmux: FakeTmuxControl,
  ) => Effect.Effect<unknown, unknown>;
  /** Whether it is nobody's call, and leaves rows behind that a reconcile has to put right. */
  readonly isAccident?: boolean;
  /** Whether its caller may be interrupted at any point. */
  readonly interruptible?: boolean;
  /** What of its answer is told; all of it, unless this is given. */
  readonly tells?: (value: unknown) => unknown;
}

/** What a world is made of. */
export interface SessionWorldOptions {
  readonly name: string;
  /** Done before anything is explored. */
  readonly before?: ReadonlyArray<Call>;
  /** For each program the calls that it makes at once. */
  readonly programs: ReadonlyArray<ReadonlyArray<Call>>;
  /** What may happen at any port call of these, one of it and once; no call of a program's. */
  readonly happens?: Call | ReadonlyArray<Call>;
  readonly faults?: TransportFaults;
  /** Whether any call of the registry may fail: before it did anything, or behind it. */
  readonly registryFaults?: boolean;
  /** How what is kept of terminals is explored: else no call about it is even a point. */
  readonly files?: FilesExplored;
  /** What is kept of terminals before anything is explored, beside what the calls kept. */
  readonly kept?: (sessions: ReadonlyArray<SessionRecord>) => ReadonlyArray<Snapshot>;
  /** Whether a list may be done only when everything else is over, its client long dead. */
  readonly lateEffects?: boolean;
  readonly crash?: boolean;
  readonly time?: boolean;
  readonly sometimes?: ReadonlyArray<string>;
  /** At the beginning of each run. */
  readonly onStart?: () => void;
  /** What else does not agree at the end of a run, in words. */
  readonly also?: (ending: WorldEnding) => string | null;
  /** What is held instead of the agreement, where tmux itself is out of reach at the end. */
  readonly instead?: (ending: WorldEnding) => string | null;
  /** Whether what lives of a session that is lost, and that nobody ended, may live on. */
  readonly lostMayLive?: boolean;
  /** Lines that say that something may be left to who comes next, beside those of any world. */
  readonly excuses?: RegExp;
  /** Names of calls that may not fail. */
  readonly succeeds?: ReadonlyArray<string>;
  /** Whether one more program reconciles in the end; else they leave agreement by themselves. */
  readonly recovers?: boolean;
  /** Whether a gc of every age comes behind it all, which may fail at nothing. */
  readonly collects?: boolean;
  /** Whether what hangs is let go before that, and not behind it. */
  readonly letGoFirst?: boolean;
  /** Whether the registry is the one in SQLite. */
  readonly sqlite?: boolean;
  /** What is different about the machine. */
  readonly machine?: FakeTmuxOptions;
  /** Whether no program was told the values of the sessions that there are. */
  readonly startsAnew?: boolean;
  /** The registry of each program; a twin with a guard removed gives another. */
  readonly registry?: (registry: Registry["Type"]) => Registry["Type"];
  /** The transport of each program; a twin with a guard removed gives another. */
  readonly transport?: (transport: TmuxTransport["Type"]) => TmuxTransport["Type"];
  /** The table of processes of each program. */
  readonly table?: (table: ProcessTable["Type"]) => ProcessTable["Type"];
  /** The socket as each program sees it. */
  readonly socket?: (socket: ServerSocket["Type"]) => ServerSocket["Type"];
}

const tellOf = (name: string, exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit)) return `${name}: ok ${JSON.stringify(exit.value)}`;
  const bug = Cause.dieOption(exit.cause);
  if (bug._tag === "Some") return `${name}: died: ${String(bug.value)}`;
  const failure = Cause.failureOption(exit.cause);
  const tagged = failure._tag === "Some" && failure.value instanceof Error;
  return `${name}: failed${tagged ? ` ${failure.value.name}` : ""}`;
};

/** What of a gc of every age, behind everything, has failed, in words. */
const collectedBy = (sessions: Sessions["Type"]) =>
  Effect.map(Effect.orDie(sessions.gc({ olderThanMs: 0 })), ({ failed }) =>
    failed.map(({ failure, what }) => `untrue: of ${what} ${failure.message}`),
  );

const adoptsIn = ({ before = [], programs }: SessionWorldOptions): boolean =>
  [...before, ...programs.flat()].some(({ name }) => name.startsWith("adopt"));

/** What is done behind the programs: a reconcile by one more, and what hangs is let go. */
const settled = Effect.fnUntraced(function* (
  options: SessionWorldOptions,
  machine: Machine,
  store: WorldStore,
  told: Array<string>,
) {
  const recovery = yield* sessionsOf(options, machine, store, "recovery", null);
  const reconcile = Effect.gen(function* () {
    if (options.recovers !== false) yield* Effect.orDie(recovery.reconcileAll);
    if (!told.some((line) => options.recovers === false && leaves.test(line))) {
      told.push(...(yield* leftToDo(recovery)));
    }
  });
  if (options.instead !== undefined && !options.collects)
    return yield* Explore.quietly(Effect.exit(recovery.reconcileAll));
  const letGo = Effect.zipRight(Context.get(machine, FakeTmux).release, Effect.sleep("1 second"));
  const [first, second] = options.letGoFirst ? [letGo, reconcile] : [reconcile, letGo];
  const all = Effect.gen(function* () {
    told.push(...(yield* readersDisagree(recovery)));
    yield* first;
    yield* second;
    if (options.collects) {
      const ending = yield* endingOf(machine, store, { told, adopts: adoptsIn(options) });
      const odd = judgement({ ...options, collects: false }, ending);
      if (odd !== null) told.push(`untrue: before it was collected, ${odd}`);
    }
    if (options.collects) told.push(...(yield* collectedBy(recovery)));
  });
  return yield* Explore.quietly(all);
});

/** How everything is before anything is explored. */
const begun = Effect.fnUntraced(function* (options: SessionWorldOptions) {
  const machine: Machine = yield* Explore.quietly(Layer.build(FakeTmux.layer(options.machine)));
  const store = yield* options.sqlite ? sqliteStore : memoryStore;
  const tmux = Context.get(machine, FakeTmux);
  const setUp = yield* programOf(options, machine, store, "before", null);
  yield* Explore.quietly(
    Effect.forEach(options.before ?? [], (call) => Effect.orDie(call.run(setUp.sessions, tmux))),
  );
  // A database takes its time, and there is nothing in it where nothing was done.
  const isAsked = options.before !== undefined && options.sqlite !== true;
  const known = isAsked ? (yield* Explore.quietly(store.remembered)).records : [];
  for (const one of options.kept?.(known) ?? []) {
    FakeSnapshots.keepIn(store.files.snapshots, one);
  }
  return { known, machine, setUp, store, tmux };
});

/** What callers hear, told line by line, and what of it is not so when they hear it. */
const ears = (machine: Machine, store: WorldStore, told: Array<string>) => ({
  heard: (name: string, run: Effect.Effect<unknown, unknown>) =>
    Effect.flatMap(known(store, name), (before) =>
      Effect.tap(run, (value) =>
        Effect.map(untruth(machine, store, { name, before }, value), (lines) =>
          told.push(...lines),
        ),
      ),
    ),
  tell: ({ name, tells }: Call, exit: Exit.Exit<unknown, unknown>) => {
    const line = tellOf(name, Exit.map(exit, tells ?? identity));
    told.push(line);
    if (tellsValue(exit)) told.push(`untrue: ${name} told of a value`);
    // How a call may end is a branch that a world can ask for.
    return Explore.reached(line.replace(/: (ok|died).*$/s, ": $1"));
  },
});

/** The world; see the module's own comment. */
export const sessionWorld = (options: SessionWorldOptions): World<WorldEnding> => ({
  name: options.name,
  ...(options.crash === undefined ? {} : { crash: options.crash }),
  ...(options.time === undefined ? {} : { time: options.time }),
  ...(options.sometimes === undefined ? {} : { sometimes: options.sometimes }),
  start: () => {
    options.onStart?.();
    let digest = "";
    const program = Effect.gen(function* () {
      const { known: there, machine, setUp, store, tmux } = yield* begun(options);
      const told: Array<string> = [];
      const { heard, tell } = ears(machine, store, told);
      const events = [options.happens ?? []].flat().map((call) => ({
        name: call.name,
        run: Effect.flatMap(Effect.exit(heard(call.name, call.run(setUp.sessions, tmux))), (exit) =>
          tell(call, exit),
        ),
      }));
      const happening = new Happening(events, yield* Effect.runtime());
      const runCall = (sessions: Sessions["Type"]) => (call: Call) => {
        const run = heard(call.name, call.run(sessions, tmux));
        const exit = call.interruptible
          ? Explore.interruptible(call.name, run)
          : Effect.exit(Explore.named(call.name)(run));
        return Effect.flatMap(exit, (e) => tell(call, e));
      };
      const programs = yield* Effect.forEach(options.programs, (calls, index) => {
        const owner = `program${index + 1}`;
        const body = Effect.gen(function* () {
          const holder = yield* programOf(options, machine, store, owner, happening, there);
          const { sessions } = holder;
          yield* Effect.forEach(calls, runCall(sessions), { concurrency: "unbounded" });
          told.push(...(yield* heldOfItsOwn(holder)));
        });
        return Explore.program(owner, Explore.scoped(body), {
          onCrash: store.crashed(owner),
        });
      });
      const endings = yield* Effect.forEach(programs, ({ ending }) => ending);
      const adopts = adoptsIn(options);
      const crashed = endings.some(({ _tag }) => _tag === "Crashed");
      const left = yield* Explore.quietly(endingOf(machine, store, { told, adopts }));
      told.push(...unmended(options, left, crashed));
      yield* settled(options, machine, store, told);
      told.push(...new Set(store.files.misdeeds));
      const ending = yield* endingOf(machine, store, { told, adopts });
      const isSettled = options.recovers !== false && options.instead === undefined;
      if (isSettled) told.push(...(yield* heldOfOthers(setUp, ending.records)));
      digest = JSON.stringify([
        ending.records.map((r) => [r.session, r.state, r.terminals.map((t) => t.state)]),
        ending.panes,
        told,
      ]);
      return ending;
    }).pipe(Explore.scoped, Effect.orDie, Effect.withTracerEnabled(false));
    return { program, check: (ending) => judgement(options, ending), state: () => digest };
  },
});
