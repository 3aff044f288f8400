/**
 * RegistryContractForgetting: the cases about what is forgotten: of incarnations that have ended,
 * and of names of which nothing is left.
 *
 * What has not ended cannot be forgotten, also not by mistake, and nothing else goes with it.
 */
import { type Change, type Registry, SessionName } from "@troupe/core";
import { Effect, Option } from "effect";
import type { RegistryCase } from "./RegistryContract.js";
import { refusal, refusedAsBug, same } from "./RegistryContractCheck.js";
import {
  begin,
  bring,
  build,
  claim,
  incarnation,
  message,
  moveTo,
  server,
  spec,
  states,
  terminal,
  watch,
  withTerminal,
} from "./RegistryContractSample.js";

type Store = Registry["Type"];

const named = (name: string, holds: RegistryCase["holds"]): RegistryCase => ({ name, holds });

const clean = { fenceDue: false };

const ended = (requestId: string): ReadonlyArray<Change> => [
  { _tag: "Server", record: server(1) },
  begin(requestId),
  withTerminal(terminal(1)),
  {
    _tag: "Processes",
    terminal: null,
    processes: [{ pid: 201, startTime: 1, bootId: "boot-1" }],
  },
  withTerminal(terminal(1, { state: "gone" })),
  moveTo("failed"),
];

/** Of whose incarnations the log tells, in order. */
const told = (store: Store) =>
  Effect.map(store.events(0, 100), ({ events }) => events.map((event) => event.incarnation));

const forget = (store: Store, number: number, servers = [server(1).server]) =>
  Effect.flatMap(claim(store, build), (held) =>
    Effect.ensuring(
      store.forget(held, incarnation(number), servers),
      Effect.ignore(store.release(held, clean)),
    ),
  );

const whole = named(
  "an incarnation is forgotten with its terminals, processes, request and events, and no other is",
  (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* message(store, build, incarnation(1), ended("first"));
      yield* message(store, build, incarnation(2), ended("second"));
      yield* bring(store, watch, incarnation(3), "running");
      const before = yield* store.find(incarnation(2));
      yield* forget(store, 1);
      yield* same("row", Option.isNone(yield* store.find(incarnation(1))), true);
      yield* same("request", Option.isNone(yield* store.findRequest("first")), true);
      yield* same("other request", Option.isSome(yield* store.findRequest("second")), true);
      const after = yield* store.find(incarnation(2));
      const text = Option.map(before, ({ claim: _, ...record }) => record);
      yield* same(
        "other row",
        Option.map(after, ({ claim: _, ...record }) => record),
        text,
      );
      const left = new Set(yield* told(store));
      yield* same("events", [...left], [incarnation(2), incarnation(3)]);
      const again = yield* message(store, build, incarnation(4), [begin()]);
      yield* same("the generation goes on", again.generation, 3);
    }),
);

const unended = named("what has not ended is not forgotten, whoever asks", (home) =>
  Effect.gen(function* () {
    const store = yield* home.program;
    const open = states.filter((state) => state !== "failed" && state !== "deleted");
    for (const [index, state] of open.entries()) {
      const session = SessionName.make(`open-${state}`);
      const record = yield* bring(store, session, incarnation(index), state);
      const held = yield* claim(store, session);
      yield* refusedAsBug(state, store.forget(held, record.incarnation, []));
      yield* same("row", Option.isSome(yield* store.find(record.incarnation)), true);
      yield* same("name", yield* store.forgetName(held), false);
      yield* store.release(held, clean);
    }
  }),
);

const ofAnother = named(
  "an incarnation is forgotten under the claim of its own name alone",
  (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* bring(store, build, incarnation(1), "deleted");
      const held = yield* claim(store, watch);
      yield* refusedAsBug("another name", store.forget(held, incarnation(1), []));
      yield* same("row", Option.isSome(yield* store.find(incarnation(1))), true);
      yield* store.release(held, clean);
      const old = yield* claim(store, build);
      yield* store.release(old, clean);
      const late = yield* refusal("an ended claim", store.forget(old, incarnation(1), []));
      yield* same("refused", late._tag, "Busy");
      const name = yield* refusal("an ended claim", store.forgetName(old));
      yield* same("refused", name._tag, "Busy");
      yield* same("still there", Option.isSome(yield* store.find(incarnation(1))), true);
    }),
);

const servers = named("a server is forgotten when it is named and no row is of it", (home) =>
  Effect.gen(function* () {
    const store = yield* home.program;
    const known = () => Effect.map(store.servers, (all) => all.map((each) => each.server));
    yield* message(store, build, incarnation(1), ended("first"));
    yield* message(store, build, incarnation(2), [
      { _tag: "Server", record: server(2) },
      { _tag: "Begin", spec, server: server(2).server, requestId: null },
      moveTo("failed"),
    ]);
    yield* forget(store, 1, [server(2).server]);
    yield* same("one in use", yield* known(), [server(2).server, server(1).server]);
    yield* forget(store, 2, [server(2).server]);
    yield* same("named and unused", yield* known(), [server(1).server]);
    yield* forget(store, 2, []);
    yield* same("again, unnamed", yield* known(), [server(1).server]);
  }),
);

const names = named(
  "a name is forgotten when no incarnation is known, and begins again from the first epoch",
  (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* bring(store, build, incarnation(1), "deleted");
      const held = yield* claim(store, build);
      yield* same("one is known", yield* store.forgetName(held), false);
      yield* store.forget(held, incarnation(1), []);
      yield* same("none is known", yield* store.forgetName(held), true);
      const late = store.commit(held, incarnation(2), [begin()], { release: true });
      yield* same("its claim ended", (yield* refusal("a commit", late))._tag, "Busy");
      yield* store.release(held, { fenceDue: true });
      const next = yield* claim(store, build);
      yield* same("next", [next.epoch, next.fenceDue], [1, false]);
      const record = yield* store.commit(next, incarnation(3), [begin()], { release: true });
      yield* same("generation", record.generation, 1);
    }),
);

const history = named(
  "the history has every generation of every name, and names without any",
  (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* same("at first", yield* store.history(null), {
        records: [],
        unreadable: [],
        bare: [],
      });
      yield* bring(store, watch, incarnation(1), "deleted");
      yield* bring(store, build, incarnation(2), "failed");
      yield* bring(store, build, incarnation(3), "running");
      const all = yield* store.history(null);
      const shown = all.records.map((r) => [r.session, r.generation, r.state]);
      yield* same("all", shown, [
        [build, 1, "failed"],
        [build, 2, "running"],
        [watch, 1, "deleted"],
      ]);
      const held = yield* claim(store, watch);
      yield* store.forget(held, incarnation(1), []);
      const own = { owner: held.owner, epoch: held.epoch, holder: "self", fenceDue: false };
      const { bare, records } = yield* store.history(watch);
      yield* same(
        "bare",
        { bare, records },
        { records: [], bare: [{ session: watch, claim: own }] },
      );
      const one = yield* store.history(build);
      yield* same("one name", [one.records.length, one.bare], [2, []]);
      yield* same("nothing is left beside", yield* store.leftovers({ remove: false }), []);
    }),
);

const newest = named("the newest event of all stays, so that no number is used again", (home) =>
  Effect.gen(function* () {
    const store = yield* home.program;
    yield* bring(store, build, incarnation(1), "failed");
    const { last } = yield* store.events(0, 1);
    yield* forget(store, 1);
    const page = yield* store.events(0, 100);
    const numbers = page.events.map((e) => e.sequence);
    yield* same("left", [page.first, page.last, numbers], [last, last, [last]]);
    yield* bring(store, watch, incarnation(2), "creating");
    const after = yield* store.events(last, 100);
    yield* same(
      "numbers",
      after.events.map(({ sequence }) => sequence),
      [last + 1],
    );
    yield* bring(store, build, incarnation(3), "failed");
    yield* forget(store, 3);
    const kept = (yield* store.events(0, 100)).events.map((event) => event.incarnation);
    yield* same("it goes with the next", kept, [incarnation(2), incarnation(3)]);
  }),
);

const next = named(
  "the event that stayed goes with the next, also where nothing is there",
  (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* bring(store, build, incarnation(1), "failed");
      yield* forget(store, 1);
      yield* bring(store, watch, incarnation(2), "creating");
      yield* forget(store, 3);
      const kept = (yield* store.events(0, 100)).events.map((event) => event.incarnation);
      yield* same("kept", kept, [incarnation(2)]);
    }),
);

/** The cases about forgetting. */
export const forgettingCases: ReadonlyArray<RegistryCase> = [
  whole,
  unended,
  ofAnother,
  servers,
  names,
  history,
  newest,
  next,
];
