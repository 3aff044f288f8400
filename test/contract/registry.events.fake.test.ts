/**
 * The log of a SQLite home: what only a file can show of it: waiting for other programs, a home
 * that is not there or not the same any more, lines that cannot be read, and what is forgotten.
 *
 * The clock is virtual and moves only when a test says so, so it is known who was told by a commit
 * and who by looking again. Damage is done from outside, by somebody who knows SQLite.
 */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { type Registry, SessionName, Settings, toldAfter } from "@troupe/core";
import Sqlite from "better-sqlite3";
import { Effect, Exit, Fiber, Option, Scope, TestClock } from "effect";
import { begin, incarnation, sqlitePrograms, take, temporaryDirectory } from "./registryHomes.js";

type Store = Registry["Type"];

const failed = { _tag: "Move", to: "failed", cause: null } as const;

/** A session that begins and fails: two events. */
const fail = (store: Store, number: number) =>
  Effect.gen(function* () {
    const session = SessionName.make(`a${number}`);
    const claim = yield* take(store, session);
    yield* store.commit(claim, incarnation(number), [begin, failed], { release: true });
  });

const isWaiting = <A, E>(fiber: Fiber.RuntimeFiber<A, E>) => Effect.map(fiber.poll, Option.isNone);

/** Two programs on a home that does not exist yet. */
const twoPrograms = Effect.gen(function* () {
  const home = path.join(yield* temporaryDirectory, "home");
  const program = sqlitePrograms(home);
  return { home, store: yield* program(), other: yield* program() };
});

const tamper = (home: string, ...statements: ReadonlyArray<string>) => {
  const other = new Sqlite(path.join(home, "registry.db"));
  for (const statement of statements) other.exec(statement);
  other.close();
};

describe("a wait for events", () => {
  it.scoped("ends with a commit of its own program, although no time passes", () =>
    Effect.gen(function* () {
      const { store } = yield* twoPrograms;
      const waiting = yield* Effect.fork(store.awaitEvents(0));
      yield* TestClock.adjust(0);
      expect(yield* isWaiting(waiting)).toBe(true);
      yield* fail(store, 1);
      yield* Fiber.join(waiting);
    }),
  );

  it.scoped("ends within its spacing after a commit of another program, and not without", () =>
    Effect.gen(function* () {
      const { other, store } = yield* twoPrograms;
      yield* fail(store, 1);
      const waiting = yield* Effect.fork(store.awaitEvents(2));
      yield* TestClock.adjust("1 second");
      yield* fail(other, 2);
      yield* TestClock.adjust("99 millis");
      expect(yield* isWaiting(waiting)).toBe(true);
      yield* TestClock.adjust("1 millis");
      yield* Fiber.join(waiting);
    }),
  );

  it.scoped("makes nothing where there is no home, and ends when another program made it", () =>
    Effect.gen(function* () {
      const { home, other, store } = yield* twoPrograms;
      const waiting = yield* Effect.fork(store.awaitEvents(0));
      yield* TestClock.adjust("5 seconds");
      expect([fs.existsSync(home), yield* isWaiting(waiting)]).toEqual([false, true]);
      yield* fail(other, 1);
      yield* TestClock.adjust("100 millis");
      yield* Fiber.join(waiting);
      expect((yield* store.events(0, 10)).last).toBe(2);
    }),
  );

  it.scoped("ends at once when it is interrupted, and keeps nobody from closing", () =>
    Effect.gen(function* () {
      const home = path.join(yield* temporaryDirectory, "home");
      const scope = yield* Scope.make();
      const store = yield* Scope.extend(sqlitePrograms(home)(), scope);
      yield* fail(store, 1);
      const waiting = yield* Effect.replicateEffect(Effect.fork(store.awaitEvents(2)), 10);
      yield* TestClock.adjust(0);
      yield* Fiber.interruptAll(waiting);
      yield* Scope.close(scope, Exit.void);
    }),
  );

  it.scoped("ends in a typed failure when the file is not a registry any more", () =>
    Effect.gen(function* () {
      const { home, store } = yield* twoPrograms;
      yield* fail(store, 1);
      const waiting = yield* Effect.fork(Effect.flip(store.awaitEvents(2)));
      yield* TestClock.adjust(0);
      fs.rmSync(path.join(home, "registry.db"));
      fs.writeFileSync(path.join(home, "registry.db"), "no database\n".repeat(1000));
      yield* TestClock.adjust("100 millis");
      expect((yield* Fiber.join(waiting))._tag).toBe("RegistryCorrupt");
    }),
  );
});

describe("a home that was removed and made anew", () => {
  it.scoped("is told to an old cursor as a gap, and from its first event on", () =>
    Effect.gen(function* () {
      const { home, other, store } = yield* twoPrograms;
      for (const number of [1, 2, 3]) yield* fail(store, number);
      const waiting = yield* Effect.fork(store.awaitEvents(6));
      yield* TestClock.adjust(0);
      fs.rmSync(home, { recursive: true });
      yield* TestClock.adjust("1 second");
      yield* fail(other, 4);
      yield* TestClock.adjust("100 millis");
      yield* Fiber.join(waiting);
      const { cursor, entries } = toldAfter(6, yield* store.events(6, 10));
      expect([cursor, entries]).toEqual([0, [{ type: "gap", after: 6, first: 1 }]]);
      expect((yield* store.events(cursor, 10)).events).toHaveLength(2);
    }),
  );
});

describe("an event that cannot be read", () => {
  for (const [what, damage] of [
    ["of a kind that this program does not know", `body = '{"type":"newer"}'`],
    ["whose body is of another shape", "body = '[]'"],
    ["whose session is no name", "session = 'a b'"],
  ] as const) {
    it.scoped(`${what} is told in its place, and hides no other`, () =>
      Effect.gen(function* () {
        const { home, store } = yield* twoPrograms;
        for (const number of [1, 2]) yield* fail(store, number);
        const drop = "DROP TRIGGER event_stays_itself";
        tamper(home, drop, `UPDATE events SET ${damage} WHERE sequence = 2`);
        const page = yield* store.events(0, 10);
        expect(page.events.map(({ sequence }) => sequence)).toEqual([1, 3, 4]);
        expect(page.unreadable).toMatchObject([{ sequence: 2 }]);
        expect(page.unreadable[0]?.detail).not.toBe("");
        const { cursor, entries } = toldAfter(0, page);
        const types = entries.map(({ type }) => type);
        expect([cursor, types]).toEqual([4, ["event", "unreadable", "event", "event"]]);
      }),
    );
  }
});

describe("what is forgotten", () => {
  /** A home whose programs each keep this many events. */
  const keeping = Effect.map(temporaryDirectory, (home) => {
    const program = sqlitePrograms(home);
    return (eventsKept: number) =>
      Effect.flatMap(Settings, (settings) =>
        Effect.provideService(program(), Settings, { ...settings, eventsKept }),
      );
  });

  it.scoped("goes with the commit that writes what is newer, or stays with one that fails", () =>
    Effect.gen(function* () {
      const store = yield* (yield* keeping)(4);
      for (const number of [1, 2]) yield* fail(store, number);
      const claim = yield* take(store);
      const commit = (to: "failed" | "deleted") => {
        const move = { _tag: "Move", to, cause: null } as const;
        return store.commit(claim, incarnation(3), [begin, move], { release: false });
      };
      expect(Exit.isFailure(yield* Effect.exit(commit("deleted")))).toBe(true);
      expect(yield* store.events(0, 0)).toMatchObject({ first: 1, last: 4 });
      yield* commit("failed");
      expect(yield* store.events(0, 0)).toMatchObject({ first: 3, last: 6 });
    }),
  );

  it.scoped("of a log that was kept longer before is all that is beyond the bound, at once", () =>
    Effect.gen(function* () {
      const program = yield* keeping;
      const store = yield* program(100);
      for (let number = 1; number <= 6; number++) yield* fail(store, number);
      const other = yield* program(2);
      yield* fail(other, 7);
      expect(yield* other.events(0, 0)).toMatchObject({ first: 13, last: 14 });
    }),
  );
});
