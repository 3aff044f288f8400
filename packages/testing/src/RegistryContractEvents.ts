/**
 * RegistryContractEvents: the cases about the log: what writes an event, what a page tells, how
 * much is kept, and how a reader at the end learns that there is more.
 *
 * A wait is seen to be one by a fiber that has not ended; nothing here depends on how much time
 * passes, so a store that waits for nobody and one that looks now and then are told apart by none.
 */
import { type Registry, Settings } from "@troupe/core";
import { Effect, Fiber, Option } from "effect";
import type { RegistryCase, RegistryHome } from "./RegistryContract.js";
import { present, same } from "./RegistryContractCheck.js";
import {
  begin,
  bring,
  build,
  incarnation,
  message,
  moveTo,
  terminal,
  watch,
  withTerminal,
} from "./RegistryContractSample.js";

type Store = Registry["Type"];

const numbersOf = (store: Store, since: number, limit: number) =>
  Effect.map(store.events(since, limit), ({ events, first, last }) => ({
    first,
    last,
    numbers: events.map(({ sequence }) => sequence),
  }));

const eventsTold: RegistryCase = {
  name: "each change writes its event in order, numbered from 1 without a gap",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const exit = { code: 0, signal: null };
      yield* message(store, build, incarnation(1), [
        begin(),
        withTerminal(terminal(1)),
        withTerminal(terminal(1, { panePid: 999 })),
        moveTo("running"),
        { _tag: "Processes", terminal: null, processes: [] },
        withTerminal(terminal(1, { state: "exited", exit })),
        moveTo("exited", "done"),
      ]);
      yield* bring(store, watch, incarnation(2), "failed");
      const { events, unreadable } = yield* store.events(0, 100);
      const first = { type: "terminal", terminal: "t1" };
      const bodies = events.map((event) => event.body);
      yield* same("bodies", bodies, [
        { type: "session", state: "creating", cause: null },
        { ...first, state: "running", exit: null },
        { type: "session", state: "running", cause: null },
        { ...first, state: "exited", exit },
        { type: "session", state: "exited", cause: "done" },
        { type: "session", state: "creating", cause: null },
        { type: "session", state: "failed", cause: null },
      ]);
      yield* same(
        "numbers",
        events.map((event) => event.sequence),
        [1, 2, 3, 4, 5, 6, 7],
      );
      yield* same("unreadable", unreadable, []);
      const last = events.at(-1);
      yield* same(
        "names",
        [last?.session, last?.generation, last?.incarnation],
        [watch, 1, incarnation(2)],
      );
    }),
};

const cursor: RegistryCase = {
  name: "events are told after a sequence number, at most as many as asked for",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* same("empty", yield* numbersOf(store, 0, 10), { first: 1, last: 0, numbers: [] });
      yield* bring(store, build, incarnation(1), "deleted");
      const kept = { first: 1, last: 4 };
      yield* same("middle", yield* numbersOf(store, 1, 2), { ...kept, numbers: [2, 3] });
      yield* same("end", yield* numbersOf(store, 3, 10), { ...kept, numbers: [4] });
      yield* same("after", yield* numbersOf(store, 4, 10), { ...kept, numbers: [] });
      yield* same("beyond", yield* numbersOf(store, 99, 10), { ...kept, numbers: [] });
      yield* same("none", yield* numbersOf(store, 0, 0), { ...kept, numbers: [] });
    }),
};

const late: RegistryCase = {
  name: "a late effect writes its event and leaves an incarnation that has ended as it was",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      yield* bring(store, build, incarnation(1), "deleted");
      const before = yield* store.find(incarnation(1));
      yield* message(store, build, incarnation(1), [{ _tag: "Late", cause: "seen again" }]);
      const after = yield* store.find(incarnation(1));
      const free = yield* present("before", before);
      const { claim } = yield* present("after", after);
      yield* same("record", Option.getOrNull(after), { ...free, claim });
      const { events } = yield* store.events(4, 10);
      yield* same(
        "events",
        events.map(({ body, sequence }) => [sequence, body]),
        [[5, { type: "late", cause: "seen again" }]],
      );
    }),
};

/** A program that keeps this many events. */
const keeping = (home: RegistryHome, eventsKept: number) =>
  Effect.flatMap(Settings, (settings) =>
    Effect.provideService(home.program, Settings, { ...settings, eventsKept }),
  );

const bounded: RegistryCase = {
  name: "the log keeps what it is to keep and at most a tenth more, and numbers go on",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* keeping(home, 20);
      for (let number = 1; number <= 16; number++) {
        yield* bring(store, build, incarnation(number), "failed");
        const { first, last } = yield* store.events(0, 0);
        yield* same("last", last, 2 * number);
        const kept = last - first + 1;
        const most = Math.min(last, 22);
        if (kept > most || kept < Math.min(last, 20)) {
          return yield* Effect.dieMessage(`${kept} of ${last} events are kept`);
        }
      }
      const told = yield* numbersOf(store, 3, 100);
      const numbers = Array.from({ length: 20 }, (_, index) => 13 + index);
      yield* same("the newest", told, { first: 13, last: 32, numbers });
      const one = yield* keeping(home, 0);
      yield* bring(one, build, incarnation(17), "failed");
      yield* same("the newest one", yield* numbersOf(one, 0, 100), {
        first: 34,
        last: 34,
        numbers: [34],
      });
      yield* bring(store, build, incarnation(18), "failed");
      yield* same("numbers go on", (yield* store.events(0, 0)).last, 36);
    }),
};

/** What the wait came to, once something was done that may end it. */
const during = <A, E, R>(store: Store, last: number, act: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const waiting = yield* Effect.fork(store.awaitEvents(last));
    yield* Effect.yieldNow();
    yield* same("waits", Option.isNone(yield* waiting.poll), true);
    yield* act;
    yield* Fiber.join(waiting);
  });

const awaited: RegistryCase = {
  name: "a wait for events ends with the next one, of this program or of another, also the first",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const other = yield* home.program;
      yield* during(store, 0, bring(store, build, incarnation(1), "creating"));
      yield* during(store, 1, bring(other, watch, incarnation(2), "failed"));
      yield* store.awaitEvents(1);
      yield* store.awaitEvents(0);
      yield* store.awaitEvents(99);
      const { last } = yield* store.events(0, 0);
      yield* same("last", last, 3);
    }),
};

const silent: RegistryCase = {
  name: "a wait for events does not end with a claim, nor with a change that writes no event",
  holds: (home) =>
    Effect.gen(function* () {
      const store = yield* home.program;
      const other = yield* home.program;
      yield* bring(store, build, incarnation(1), "running");
      const waiting = yield* Effect.fork(store.awaitEvents(2));
      const nothing = [{ _tag: "Processes", terminal: null, processes: [] }] as const;
      yield* message(store, build, incarnation(1), nothing);
      yield* message(other, build, incarnation(1), nothing);
      yield* Effect.yieldNow();
      yield* same("waits", Option.isNone(yield* waiting.poll), true);
      yield* Fiber.interrupt(waiting);
    }),
};

/** The cases, from what is written to who is told. */
export const eventCases: ReadonlyArray<RegistryCase> = [
  eventsTold,
  cursor,
  late,
  bounded,
  awaited,
  silent,
];
