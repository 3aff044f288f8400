/**
 * Quantity: a number that cannot have been meant is a bug of the caller, told before anything is
 * done.
 */
import { describe, expect, it } from "@effect/vitest";
import { Cause, Effect, Exit, Stream } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const a = { session: "a", ...sleep };
const bad = [-1, Number.NaN, Number.POSITIVE_INFINITY, "5"] as ReadonlyArray<number>;

type Call = (sessions: FakeHome["sessions"], given: number) => Effect.Effect<unknown, unknown>;

const calls: ReadonlyArray<readonly [what: string, made: boolean, call: Call]> = [
  ["startWindowMs of a create", false, (s, n) => s.create({ ...a, startWindowMs: n })],
  ["columns of a create", false, (s, n) => s.create({ ...a, columns: n })],
  ["rows of a create", false, (s, n) => s.create({ ...a, rows: n })],
  ["startWindowMs of a terminal", true, (s, n) => s.addTerminal({ ...a, startWindowMs: n })],
  ["startWindowMs of a restore", true, (s, n) => s.restore("a", { startWindowMs: n })],
  ["graceMs of a delete", true, (s, n) => s.delete("a", { graceMs: n })],
  ["graceMs of a terminal", true, (s, n) => s.deleteTerminal("a", "main", { graceMs: n })],
  ["since of the events", true, (s, n) => Stream.runDrain(s.events({ since: n, follow: false }))],
  ["lines of a capture", true, (s, n) => s.capture("a", { lines: n })],
];

const dies = Effect.fnUntraced(function* (call: Effect.Effect<unknown, unknown>) {
  const exit = yield* Effect.exit(pass(call));
  if (Exit.isSuccess(exit)) throw new Error("it was taken");
  expect(Cause.isDie(exit.cause)).toBe(true);
  return Cause.squash(exit.cause);
});

describe("a number that cannot have been meant", () => {
  for (const [what, made, call] of calls) {
    it.scoped(`is a RangeError where it is ${what}, and nothing is done`, () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        if (made) yield* pass(home.sessions.create(a));
        const before = [yield* home.inTmux, [...home.store.events]];
        const asked = (yield* home.tmux.requests).length;
        for (const given of bad) {
          const error = yield* dies(call(home.sessions, given));
          const [name] = what.split(" ");
          expect(error).toBeInstanceOf(RangeError);
          expect(String(error)).toMatch(new RegExp(`${name} must be .* not ${given}$`));
        }
        expect((yield* home.tmux.requests).slice(asked)).toEqual([]);
        expect([yield* home.inTmux, [...home.store.events]]).toEqual(before);
      }),
    );
  }

  it.scoped("is a part of a line, a column or a row, but not of a millisecond", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      yield* dies(home.sessions.create({ ...a, columns: 80.5 }));
      yield* pass(home.sessions.create({ ...a, startWindowMs: 0.5 }));
      yield* dies(home.sessions.capture("a", { lines: 1.5 }));
      yield* dies(Stream.runDrain(home.sessions.events({ since: 0.5, follow: false })));
      yield* pass(home.sessions.capture("a", { lines: 0 }));
      yield* pass(home.sessions.delete("a", { graceMs: 0 }));
    }),
  );
});
