/**
 * EventSubscription: what subscribers are told, and that nobody waits for them.
 *
 * Method: each subscriber writes what it is told into a list of its own, or stops, or dies, while
 * calls go on; then its list is compared with the log. The store in memory wakes without time, so
 * time passes only for the calls.
 */
import { describe, expect, it } from "@effect/vitest";
import {
  type EventsOptions,
  type LogEntry,
  type Registry,
  RegistryUnavailable,
  type Sessions,
} from "@troupe/core";
import { Deferred, Effect, Exit, Fiber, Logger, Scope, Stream, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

type Service = Sessions["Type"];

/** A session made and deleted. */
const life = (sessions: Service, session: string) =>
  pass(Effect.zipRight(sessions.create({ session, ...sleep }), sessions.delete(session)));

const short = (entry: LogEntry): string => {
  if (entry.type === "gap") return `${entry.after}..${entry.first}`;
  if (entry.type === "unreadable") return `${entry.sequence} unreadable`;
  const { body, sequence } = entry;
  return `${sequence} ${body.type === "late" ? "late" : body.state}`;
};

/** The log as the store has it, from a number on. */
const logOf = (home: FakeHome, first = 1): ReadonlyArray<string> =>
  home.store.events
    .filter(({ sequence }) => sequence >= first)
    .map((event) => short({ type: "event", ...event }));

/** A place to come back from. */
const absence = Effect.map(Deferred.make<void>(), (back) => ({
  over: Deferred.await(back),
  comeBack: Effect.zipRight(Deferred.succeed(back, undefined), TestClock.adjust(0)),
}));

/** What a subscriber was told so far; it stays until the scope closes. */
const listen = (sessions: Service, options?: EventsOptions) =>
  Effect.gen(function* () {
    const told: Array<string> = [];
    const each = (entry: LogEntry) => Effect.sync(() => void told.push(short(entry)));
    const fiber = yield* Effect.forkScoped(Stream.runForEach(sessions.events(options), each));
    yield* TestClock.adjust(0);
    return { told, fiber };
  });

/** Everything that there is to be told now. */
const all = (sessions: Service, options: EventsOptions = {}) =>
  Effect.map(Stream.runCollect(sessions.events({ ...options, follow: false })), (entries) =>
    Array.from(entries, short),
  );

describe("a subscriber", () => {
  it.scoped("is told what was before it and what comes behind it, each once and in order", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      const { told } = yield* listen(home.sessions);
      expect(told).toEqual(["1 creating", "2 running", "3 running"]);
      yield* pass(home.sessions.delete("a"));
      expect(told.slice(3)).toEqual(["4 deleting", "5 gone", "6 deleted"]);
      expect(told).toEqual(logOf(home));
    }),
  );

  it.scoped("is told the same of another program on the home, without time passing", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const other = yield* home.program("other");
      const here = yield* listen(home.sessions);
      const there = yield* listen(other);
      yield* life(other, "a");
      yield* life(home.sessions, "b");
      expect(here.told).toHaveLength(12);
      expect(here.told).toEqual(logOf(home));
      expect(there.told).toEqual(here.told);
    }),
  );

  it.scoped("waits where troupe never ran, and is told of the first event there", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      expect(yield* all(home.sessions)).toEqual([]);
      const { told } = yield* listen(home.sessions, { since: 0 });
      expect([told, yield* home.tmux.requests]).toEqual([[], []]);
      yield* life(home.sessions, "a");
      expect(told).toEqual(logOf(home));
    }),
  );

  it.scoped("with a cursor is told only what is behind it", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* life(home.sessions, "a");
      expect(yield* all(home.sessions, { since: 4 })).toEqual(["5 gone", "6 deleted"]);
      expect(yield* all(home.sessions, { since: 6 })).toEqual([]);
      expect(yield* all(home.sessions, { since: 7 })).toEqual(["7..1", ...logOf(home)]);
    }),
  );

  it.scoped("of one name is told of that alone, also before it was ever used", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const { told } = yield* listen(home.sessions, { session: "b" });
      yield* life(home.sessions, "a");
      expect(told).toEqual([]);
      yield* life(home.sessions, "b");
      expect(told).toEqual(logOf(home, 7));
      const wrong = yield* Effect.flip(all(home.sessions, { session: "x.y" }));
      expect(wrong._tag).toBe("InvalidName");
    }),
  );

  it.scoped("gets a long log in pages, whole", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* life(home.sessions, "a");
      const { events } = home.store;
      const more = Array.from({ length: 1234 }, (_, index) => ({ sequence: 7 + index }));
      events.push(...events.slice(0, 1).flatMap((event) => more.map((m) => ({ ...event, ...m }))));
      expect(yield* all(home.sessions)).toEqual(logOf(home));
    }),
  );

  it.scoped("whose cursor is older than what is kept is told of a gap, with the first number", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome({ settings: { eventsKept: 10 } });
      for (const session of ["a", "b", "c"]) yield* life(home.sessions, session);
      expect(yield* all(home.sessions)).toEqual(["0..9", ...logOf(home, 9)]);
      expect(yield* all(home.sessions, { since: 3 })).toEqual(["3..9", ...logOf(home, 9)]);
      expect(yield* all(home.sessions, { since: 8 })).toEqual(logOf(home, 9));
      expect(yield* all(home.sessions, { session: "c" })).toEqual(["0..9", ...logOf(home, 13)]);
    }),
  );
});

describe("a subscriber that takes its time", () => {
  it.scoped("holds no call up, and is told everything in order when it comes back", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const { comeBack, over } = yield* absence;
      const told: Array<string> = [];
      const slowly = (entry: LogEntry) => Effect.map(over, () => told.push(short(entry)));
      const events = home.sessions.events();
      yield* Effect.forkScoped(Stream.runForEach(events, slowly));
      const { told: quick } = yield* listen(home.sessions);
      yield* life(home.sessions, "a");
      yield* life(home.sessions, "b");
      expect([told, quick]).toEqual([[], logOf(home)]);
      yield* comeBack;
      expect(told).toEqual(logOf(home));
    }),
  );

  it.scoped("longer than the log is kept is told where the gap is, and goes on behind it", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome({ settings: { eventsKept: 5 } });
      const { comeBack, over } = yield* absence;
      const told: Array<string> = [];
      const slowly = (entry: LogEntry) => {
        told.push(short(entry));
        return over;
      };
      yield* Effect.forkScoped(Stream.runForEach(home.sessions.events(), slowly));
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      for (const session of ["b", "c"]) yield* life(home.sessions, session);
      expect(told).toEqual(["1 creating"]);
      yield* comeBack;
      expect(told).toEqual(["1 creating", "1..11", ...logOf(home, 11)]);
    }),
  );

  it.scoped("may ask the actor of the very name that it is told of, and is served", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const deleted = yield* Deferred.make<string>();
      const endIt = (entry: LogEntry) =>
        entry.type === "event" && entry.body.type === "session" && entry.body.state === "running"
          ? Effect.flatMap(home.sessions.delete(entry.session), ({ session }) =>
              Deferred.succeed(deleted, session),
            )
          : Effect.void;
      yield* Effect.forkScoped(Stream.runForEach(home.sessions.events(), endIt));
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* TestClock.adjust("1 minute");
      expect(yield* Deferred.await(deleted)).toBe("a");
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
    }),
  );
});

describe("a subscriber that dies", () => {
  it.scoped("fails no call, and hides nothing from another", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const poisoned = Stream.runForEach(home.sessions.events(), ({ type }) =>
        Effect.dieMessage(`it cannot take ${type}`),
      );
      const dying = yield* Effect.forkScoped(Effect.exit(poisoned));
      const { told } = yield* listen(home.sessions);
      yield* life(home.sessions, "a");
      expect(Exit.isFailure(yield* Fiber.join(dying))).toBe(true);
      expect(told).toEqual(logOf(home));
      expect(home.store.waiting.size).toBe(1);
    }),
  );

  it.scoped("with its program loses nothing: its cursor goes on in the next one", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const scope = yield* Scope.make();
      const doomed = yield* Scope.extend(home.program("doomed"), scope);
      const { told } = yield* Scope.extend(listen(doomed), scope);
      yield* pass(doomed.create({ session: "a", ...sleep }));
      const seen = told.length;
      // Nobody of that program hears of what is written from here on.
      yield* Scope.close(scope, Exit.void);
      yield* pass(home.sessions.delete("a"));
      expect(told).toHaveLength(seen);
      const next = yield* home.program("next");
      expect([...told, ...(yield* all(next, { since: seen }))]).toEqual(logOf(home));
    }),
  );
});

describe("a subscription ends", () => {
  it.scoped("at once when it is interrupted, wherever it is, and leaves nothing waiting", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* life(home.sessions, "a");
      const fibers = yield* Effect.replicateEffect(listen(home.sessions), 10);
      expect(home.store.waiting.size).toBe(10);
      yield* Fiber.interruptAll(fibers.map(({ fiber }) => fiber));
      expect(home.store.waiting.size).toBe(0);
    }),
  );

  it.scoped("with Closing when its program closes, also one that begins then", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const scope = yield* Scope.make();
      const closing = yield* Scope.extend(home.program("closing"), scope);
      const { fiber, told } = yield* listen(closing);
      yield* life(home.sessions, "a");
      yield* Scope.close(scope, Exit.void);
      const error = yield* Effect.flip(Fiber.join(fiber));
      expect(error._tag).toBe("Closing");
      yield* life(home.sessions, "b");
      expect(told).toEqual(logOf(home).slice(0, 6));
      expect((yield* Effect.flip(all(closing)))._tag).toBe("Closing");
    }),
  );

  it.effect("once with what the registry failed with: it logs nothing and asks no more", () =>
    Effect.gen(function* () {
      let asked = 0;
      const detail = "the disk is gone";
      const failure = new RegistryUnavailable({ session: null, attempted: "read", detail });
      const registry = (real: Registry["Type"]): Registry["Type"] => ({
        ...real,
        events: (...args) => (++asked > 2 ? Effect.fail(failure) : real.events(...args)),
      });
      const lines: Array<unknown> = [];
      const logger = Logger.make(({ message }) => void lines.push(message));
      const ends = Effect.gen(function* () {
        const home = yield* fakeHome({ registry });
        const { fiber } = yield* listen(home.sessions);
        yield* life(home.sessions, "a");
        const error = yield* Effect.flip(Fiber.join(fiber));
        yield* TestClock.adjust("1 hour");
        return [error._tag, asked];
      });
      const quiet = Effect.scoped(ends).pipe(
        Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
      );
      expect(yield* quiet).toEqual(["RegistryUnavailable", 3]);
      expect(lines).toEqual([]);
    }),
  );
});
