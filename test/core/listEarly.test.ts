/**
 * An early list: tmux is asked before the rows are read, and whatever happens between the two is
 * told as if it had been asked behind them.
 */
import { describe, expect, it } from "@effect/vitest";
import type { SessionList } from "@troupe/core";
import { Fault } from "@troupe/testing";
import { Effect, Fiber, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

/** A home with `a`, of two terminals, and what is done there before rows are read the next time. */
const setting = Effect.gen(function* () {
  let between: Effect.Effect<unknown, unknown> = Effect.void;
  const home = yield* fakeHome({
    registry: (store) => ({
      ...store,
      list: (options) =>
        Effect.suspend(() => {
          const now = between;
          between = Effect.void;
          return Effect.zipRight(Effect.orDie(now), store.list(options));
        }),
    }),
  });
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  yield* pass(home.sessions.addTerminal({ session: "a", ...sleep }));
  const asked = Effect.map(home.tmux.requests, (all) =>
    all.filter(({ attempted }) => attempted === "list"),
  );
  /** What an early list tells when this happens behind its listing, and how often it asked. */
  const told = Effect.fnUntraced(function* (what: typeof between) {
    between = what;
    const before = (yield* asked).length;
    const listing = yield* Effect.fork(home.sessions.list({ all: true, early: true }));
    yield* TestClock.adjust("1 minute");
    return { list: yield* Fiber.join(listing), calls: (yield* asked).length - before };
  });
  return { home, told };
});

/** What was told, but for when. */
const but = ({ sessions, ...rest }: SessionList) => ({
  ...rest,
  sessions: sessions.map(({ seen, ...view }) => ({ ...view, seen: { ...seen, at: 0 } })),
});

/** The program of the first terminal ends. */
const mainEnds = ({ record, tmux }: FakeHome) =>
  Effect.flatMap(record("a"), ({ terminals }) => tmux.exitProgram(terminals[0]?.paneId ?? "", 7));

const cases: ReadonlyArray<readonly [string, (home: FakeHome) => Effect.Effect<unknown, unknown>]> =
  [
    ["a session is made", ({ sessions }) => sessions.create({ session: "b", ...sleep })],
    ["a terminal is added", ({ sessions }) => sessions.addTerminal({ session: "a", ...sleep })],
    ["a terminal is deleted", ({ sessions }) => sessions.deleteTerminal("a", "t2")],
    ["the session is deleted", ({ sessions }) => sessions.delete("a")],
    [
      "it is replaced",
      ({ sessions }) => sessions.create({ session: "a", ...sleep, replace: true }),
    ],
    [
      "its program ends, and that is recorded",
      (home) => Effect.zipRight(mainEnds(home), home.sessions.reconcile("a")),
    ],
  ];

describe("an early list", () => {
  it.scoped("costs one question, also where a program has ended that no row tells of", () =>
    Effect.gen(function* () {
      const { home, told } = yield* setting;
      for (let programs = 2; programs > 0; programs--) {
        const { calls, list } = yield* told(Effect.void);
        expect(calls).toBe(1);
        expect(but(list)).toEqual(but(yield* home.sessions.list({ all: true })));
        yield* mainEnds(home);
      }
    }),
  );

  for (const [what, happens] of cases) {
    it.scoped(`asks again when, behind its question, ${what}`, () =>
      Effect.gen(function* () {
        const { home, told } = yield* setting;
        const { calls, list } = yield* told(happens(home));
        expect(calls).toBe(2);
        expect(but(list)).toEqual(but(yield* home.sessions.list({ all: true })));
      }),
    );
  }

  it.scoped("asks again where its question was not answered", () =>
    Effect.gen(function* () {
      const { home, told } = yield* setting;
      yield* home.tmux.inject({ fault: Fault.shortened });
      const { calls, list } = yield* told(Effect.void);
      expect([calls, list.unasked]).toEqual([2, null]);
      expect(list.sessions).toMatchObject([{ seen: { state: "present" } }]);
    }),
  );

  it.scoped("does not ask again where tmux did not answer in time, and tells that", () =>
    Effect.gen(function* () {
      const { home, told } = yield* setting;
      yield* home.tmux.inject({ fault: Fault.hang, times: 2 });
      const { calls, list } = yield* told(Effect.void);
      expect([calls, list.unasked?.reason]).toEqual([1, "timeout"]);
      expect(list.sessions).toMatchObject([{ seen: { state: "unknown" } }]);
    }),
  );

  it.scoped("where there is nothing finds nothing, and makes nothing", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const empty = { sessions: [], unreadable: [], unasked: null };
      expect(yield* home.sessions.list({ all: true, early: true })).toEqual(empty);
      expect((yield* home.tmux.processes).length).toBe(0);
    }),
  );
});
