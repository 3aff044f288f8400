/**
 * LateEffect: what appears of an incarnation that has ended is ended, and told once, when it is
 * shown to be gone.
 *
 * Method: a session with the mark of a deleted incarnation is put into tmux from outside; then each
 * verb that can meet it is called, while the kill works and while it does not.
 */
import { describe, expect, it } from "@effect/vitest";
import { Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Effect, Fiber, TestClock } from "effect";
import { logDisagreement } from "../support/LogCheck.js";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

/** A home where `a` was made and deleted. */
const bereft = Effect.gen(function* () {
  const home = yield* fakeHome({ settings: { killBoundMs: 100 } });
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  yield* pass(home.sessions.delete("a"));
  return home;
});

/** The deleted session is in tmux again, under this name. */
const haunt = Effect.fnUntraced(function* (home: FakeHome, name: string) {
  const ended = [...home.store.records.values()].find(({ state }) => state === "deleted");
  yield* home.tmux.client(["new-session", "-d", "-s", name, "--", "sleep", "1000"]);
  for (const [option, value] of [
    ["@troupe-inc", ended?.incarnation ?? ""],
    ["@troupe-home", "home1"],
    ["@troupe-gen", "1"],
  ] as const) {
    yield* home.tmux.client(["set-option", "-t", `=${name}:`, option, value]);
  }
});

const haunted = Effect.tap(bereft, (home) => haunt(home, "a"));

/** What the log tells behind the first delete. */
const later = (home: FakeHome) =>
  home.store.events.slice(6).map(({ body, generation, session }) => [session, generation, body]);

const late = ["a", 1, { type: "late", cause: "it appeared after it was deleted" }];

const settled = (home: FakeHome) => {
  const { events, records } = home.store;
  expect(logDisagreement([...records.values()], events)).toBe(null);
};

describe("a late effect", () => {
  const doors: ReadonlyArray<[string, (home: FakeHome) => Effect.Effect<unknown, unknown>]> = [
    ["a delete", ({ sessions }) => sessions.delete("a")],
    ["a reconcile", ({ sessions }) => sessions.reconcile("a")],
    ["a reconcile of every name", ({ sessions }) => sessions.reconcileAll],
  ];
  for (const [verb, call] of doors) {
    it.scoped(`that ${verb} ends is told once, and its row stays as it is`, () =>
      Effect.gen(function* () {
        const home = yield* haunted;
        const before = yield* home.record("a");
        yield* pass(call(home));
        yield* pass(call(home));
        expect([yield* home.inTmux, later(home)]).toEqual([[], [late]]);
        expect(yield* home.record("a")).toEqual(before);
        settled(home);
      }),
    );
  }

  it.scoped("that stands in the way of a create is told before the new incarnation", () =>
    Effect.gen(function* () {
      const home = yield* haunted;
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      const creating = ["a", 2, { type: "session", state: "creating", cause: null }];
      expect(later(home).slice(0, 2)).toEqual([late, creating]);
      expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 running"]);
      settled(home);
    }),
  );

  it.scoped("of an older generation is told as of that, beside one that lives", () =>
    Effect.gen(function* () {
      const home = yield* bereft;
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      yield* haunt(home, "ghost");
      yield* pass(home.sessions.reconcileAll);
      expect(later(home).at(-1)).toEqual(late);
      expect([yield* home.inTmux, yield* home.rows]).toEqual([
        ["a"],
        ["a/1 deleted", "a/2 running"],
      ]);
      settled(home);
    }),
  );

  it.scoped("whose kill is not confirmed is not told; the one that is confirmed tells it", () =>
    Effect.gen(function* () {
      const home = yield* haunted;
      yield* home.tmux.linger(10_000);
      const error = yield* Effect.flip(pass(home.sessions.reconcile("a")));
      expect([error._tag, later(home)]).toEqual(["KillUnconfirmed", []]);
      yield* home.tmux.linger(0);
      const again = yield* Effect.fork(home.sessions.reconcile("a"));
      yield* TestClock.adjust("1 minute");
      yield* Fiber.join(again);
      expect(later(home)).toEqual([late]);
    }),
  );

  it.scoped("that cannot be looked for is not told", () =>
    Effect.gen(function* () {
      const home = yield* haunted;
      const look = (request: TmuxRequest) => request.attempted === "reconcile";
      yield* home.tmux.inject({ fault: Fault.silent, matches: look });
      const error = yield* Effect.flip(pass(home.sessions.reconcile("a")));
      expect([error._tag, later(home)]).toEqual(["LookupFailed", []]);
    }),
  );
});
