/**
 * RegistryContractCommits: the cases about changes, and above all about changes that are refused.
 *
 * Whatever is refused, for whichever reason, leaves every record and the log as they were, and the
 * claim as current as before.
 */
import {
  type Change,
  canMove,
  isFinal,
  RESTORING,
  type Registry,
  type SessionState,
} from "@troupe/core";
import { Effect, Option } from "effect";
import type { RegistryCase } from "./RegistryContract.js";
import { present, refusal, refusedAsBug, same } from "./RegistryContractCheck.js";
import {
  begin,
  bring,
  build,
  claim,
  incarnation,
  message,
  moveTo,
  states,
  terminal,
  watch,
  withTerminal,
} from "./RegistryContractSample.js";

type Store = Registry["Type"];

const everything = (store: Store) =>
  Effect.all([store.list({ ended: true }), store.servers, store.events(0, 1000)]);

/** Runs what must be refused and checks that it changed nothing. */
const changesNothing = <A, E, R>(store: Store, refused: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* everything(store);
    const result = yield* refused;
    yield* same("after a refusal", yield* everything(store), before);
    return result;
  });

const tryMove = (store: Store, number: number, from: SessionState, to: SessionState) =>
  Effect.gen(function* () {
    const which = incarnation(number);
    yield* bring(store, build, which, from);
    const held = yield* claim(store, build);
    const move = store.commit(held, which, [moveTo(to)], { release: false });
    const what = `${from} to ${to}`;
    if (canMove(from, to)) yield* same(what, (yield* move).state, to);
    else yield* changesNothing(store, refusedAsBug(what, move));
    yield* store.release(held, { fenceDue: false });
  });

/** Ends whatever the name has, by moves that exist. */
const end = (store: Store, number: number) =>
  Effect.gen(function* () {
    const { state } = yield* present("record", yield* store.get(build));
    if (isFinal(state)) return;
    const way: ReadonlyArray<SessionState> =
      state === "creating"
        ? ["failed"]
        : state === "deleting"
          ? ["deleted"]
          : ["deleting", "deleted"];
    yield* message(
      store,
      build,
      incarnation(number),
      way.map((to) => moveTo(to)),
    );
  });

const ending: RegistryCase = {
  name: "a begin that ends the incarnation before it does both, in this order, or neither",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* bring(store, build, incarnation(1), "lost");
      const held = yield* claim(store, build);
      const over = (to: SessionState, which: number) =>
        store.commit(held, incarnation(which), [begin()], {
          release: false,
          ending: { incarnation: incarnation(1), changes: [moveTo(to, "restored")] },
        });
      yield* changesNothing(store, refusedAsBug("a move that is none", over("failed", 2)));
      const kept = yield* changesNothing(store, refusal("one that stays", over("running", 2)));
      yield* same("refused", kept._tag, "AlreadyExists");
      yield* changesNothing(store, refusedAsBug("one begun before", over("deleted", 1)));
      yield* same("begun", (yield* over("deleted", 2)).generation, 2);
      const old = yield* present("old", yield* store.find(incarnation(1)));
      yield* same("ended", [old.state, old.cause], ["deleted", "restored"]);
      const told = (yield* store.events(0, 100)).events.slice(-2);
      const states = told.map(({ body, generation }) => [generation, body]);
      yield* same("told", states, [
        [1, { type: "session", state: "deleted", cause: "restored" }],
        [2, { type: "session", state: "creating", cause: null }],
      ]);
    }),
};

const moves: RegistryCase = {
  name: "every move of the lifecycle is done and every other is refused as a bug",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const pairs = states.flatMap((from) => states.map((to) => [from, to] as const));
      for (const [number, [from, to]] of pairs.entries()) {
        yield* tryMove(store, number, from, to);
        yield* end(store, number);
      }
    }),
};

const restorations: RegistryCase = {
  name: "what a restore begins is told as that, and it alone may be lost before it ran",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const begun = { ...begin(), restores: true } as const;
      const first = yield* message(store, build, incarnation(1), [begun]);
      yield* same("begun", [first.state, first.cause], ["creating", RESTORING]);
      const lost = yield* message(store, build, incarnation(1), [moveTo("lost", "cut off")]);
      yield* same("lost", [lost.state, lost.cause], ["lost", "cut off"]);
      yield* same("told", yield* present("told", yield* store.get(build)), lost);
      const { events } = yield* store.events(0, 100);
      yield* same(
        "events",
        events.map(({ body }) => body),
        [
          { type: "session", state: "creating", cause: RESTORING },
          { type: "session", state: "lost", cause: "cut off" },
        ],
      );
      yield* end(store, 1);
      for (const [at, to] of (["running", "exited", "failed"] as const).entries()) {
        const number = at + 2;
        const other = yield* message(store, build, incarnation(number), [begun, moveTo(to)]);
        yield* same(to, [other.state, other.cause], [to, null]);
        yield* end(store, number);
      }
    }),
};

const heldName: RegistryCase = {
  name: "a name whose incarnation has not ended is refused to a second one, with the state",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      for (const [number, state] of states.filter((s) => !isFinal(s)).entries()) {
        yield* bring(store, build, incarnation(number), state);
        const held = yield* claim(store, build);
        const second = store.commit(held, incarnation(100), [begin()], { release: true });
        const error = yield* changesNothing(store, refusal(state, second));
        yield* same(state, error, { ...error, _tag: "AlreadyExists", session: build, state });
        yield* store.commit(held, incarnation(number), [], { release: true });
        yield* end(store, number);
      }
    }),
};

const generations: RegistryCase = {
  name: "the creations of a name are counted, each name by itself",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const counted = [
        yield* bring(store, build, incarnation(1), "failed"),
        yield* bring(store, build, incarnation(2), "deleted"),
        yield* bring(store, watch, incarnation(3), "running"),
        yield* bring(store, build, incarnation(4), "creating"),
      ];
      yield* same(
        "generations",
        counted.map((record) => record.generation),
        [1, 2, 1, 3],
      );
    }),
};

const bugs: ReadonlyArray<readonly [what: string, changes: ReadonlyArray<Change>, which: number]> =
  [
    ["an incarnation that is begun again", [begin()], 1],
    ["one that is begun twice in a commit", [begin(), begin()], 9],
    ["a move of one that does not exist", [moveTo("running")], 9],
    ["a terminal of one that does not exist", [withTerminal(terminal(1))], 9],
    ["no change of one that does not exist", [], 9],
    ["a change of another name's", [moveTo("deleting")], 2],
    ["a good change before a bad move", [withTerminal(terminal(1)), moveTo("running")], 1],
  ];

const refusedBugs: RegistryCase = {
  name: "what only a bug asks for is refused whole, and the claim stays good",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* bring(store, build, incarnation(1), "deleted");
      yield* bring(store, watch, incarnation(2), "running");
      for (const [what, changes, which] of bugs) {
        const held = yield* claim(store, build);
        const commit = store.commit(held, incarnation(which), changes, { release: true });
        yield* changesNothing(store, refusedAsBug(what, commit));
        yield* store.commit(held, incarnation(1), [], { release: true });
      }
      yield* same("unknown", Option.isNone(yield* store.find(incarnation(9))), true);
    }),
};

const process = (pid: number) => ({ pid, startTime: 7, bootId: "boot-1" });

const recorded = (...pids: ReadonlyArray<number>): Change => {
  return { _tag: "Processes", terminal: null, processes: pids.map(process) };
};

const kept: RegistryCase = {
  name: "terminals keep their order, processes are added once, a move keeps what it does not name",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* message(store, build, incarnation(1), [
        begin(),
        withTerminal(terminal(2)),
        withTerminal(terminal(1)),
        recorded(9, 3),
        { _tag: "Move", to: "running", cause: null, sessionId: "$1" },
      ]);
      const gone = terminal(2, { state: "gone" });
      const t1 = terminal(1).terminal;
      const written = yield* message(store, build, incarnation(1), [
        withTerminal(gone),
        { _tag: "Processes", terminal: t1, processes: [process(3), process(5)] },
        moveTo("lost", "reboot"),
      ]);
      yield* same("terminals", written.terminals, [gone, terminal(1)]);
      yield* same("processes", written.processes, [
        { ...process(9), terminal: null },
        { ...process(3), terminal: t1 },
        { ...process(5), terminal: t1 },
      ]);
      yield* same("session id", [written.sessionId, written.cause], ["$1", "reboot"]);
      yield* same("told", yield* present("told", yield* store.get(build)), written);
      const back = yield* message(store, build, incarnation(1), [moveTo("running")]);
      yield* same("cause", [back.sessionId, back.cause], ["$1", null]);
    }),
};

const spared: RegistryCase = {
  name: "what is spared stays recorded, and is as it was when it is recorded anew; nothing is told",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* message(store, build, incarnation(1), [begin(), recorded(3, 5, 9), moveTo("running")]);
      const before = yield* store.events(0, 100);
      const spares: Change = { _tag: "Spared", processes: [process(9), process(5), process(4)] };
      const written = yield* message(store, build, incarnation(1), [spares, recorded(5, 7)]);
      const told = [3, 5, 9, 7].map((pid) => ({ ...process(pid), terminal: null }));
      const expected = told.map((one) => (one.pid === 9 ? { ...one, spared: true } : one));
      yield* same("written", written.processes, expected);
      yield* same("told", yield* present("told", yield* store.get(build)), written);
      yield* same("events", yield* store.events(0, 100), before);
    }),
};

const saidAnew: RegistryCase = {
  name: "the cause of a delete is written anew, and of nothing else, and nothing is told of it",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* bring(store, build, incarnation(1), "running");
      const anew = (cause: string | null): Change => ({ _tag: "Cause", cause });
      const held = yield* claim(store, build);
      const commit = store.commit(held, incarnation(1), [anew("x")], { release: true });
      yield* changesNothing(store, refusedAsBug("a cause of what runs", commit));
      yield* store.commit(held, incarnation(1), [moveTo("deleting", "first")], { release: true });
      const before = yield* store.events(0, 100);
      const written = yield* message(store, build, incarnation(1), [anew("second")]);
      yield* same("written", [written.state, written.cause], ["deleting", "second"]);
      yield* same("told", yield* present("told", yield* store.get(build)), written);
      const last = yield* message(store, build, incarnation(1), [anew(null)]);
      yield* same("none", [last.state, last.cause], ["deleting", null]);
      yield* same("events", yield* store.events(0, 100), before);
    }),
};

/** The cases, those that succeed last. */
export const commitCases: ReadonlyArray<RegistryCase> = [
  moves,
  ending,
  restorations,
  heldName,
  refusedBugs,
  generations,
  kept,
  spared,
  saidAnew,
];
