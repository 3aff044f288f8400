/**
 * Sessions: the main path of every method, on the fake.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Fiber, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

/** A method as far as its failure matters. */
type Method = (session: string) => Effect.Effect<unknown, { readonly _tag: string }>;

describe("a session", () => {
  it.scoped("is created, told, listed, read and deleted", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const { sessions } = home;
      const command = ["sh", "-c", "echo hello; exec sleep 1000"];
      const made = yield* pass(sessions.create({ session: "a", cwd: "/", command }));
      expect(made).toMatchObject({ session: "a", generation: 1, state: "running" });
      expect(made.seen.state).toBe("present");
      expect(yield* sessions.get("a")).toMatchObject({ state: "running" });
      const { sessions: listed, unasked, unreadable } = yield* sessions.list();
      expect([listed.map((s) => s.session), unasked, unreadable]).toEqual([["a"], null, []]);
      expect((yield* sessions.capture("a")).text).toBe("hello");
      expect(yield* home.inTmux).toEqual(["a"]);
      const deleted = yield* pass(sessions.delete("a"));
      expect(deleted).toMatchObject({ session: "a", generation: 1, alreadyGone: false });
      expect(yield* home.inTmux).toEqual([]);
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
      expect((yield* pass(sessions.delete("a"))).alreadyGone).toBe(true);
      expect((yield* sessions.list()).sessions).toEqual([]);
      expect((yield* sessions.list({ all: true })).sessions.map((s) => s.state)).toEqual([
        "deleted",
      ]);
    }),
  );

  it.scoped("whose name is in no row is NotFound to every method, and tmux is not changed", () =>
    Effect.gen(function* () {
      const { sessions, tmux } = yield* fakeHome();
      const { capture, get, reconcile } = sessions;
      const methods: ReadonlyArray<Method> = [get, sessions.delete, reconcile, capture];
      for (const method of methods) {
        expect((yield* Effect.flip(method("a")))._tag).toBe("NotFound");
      }
      const asked = yield* tmux.requests;
      expect(asked.filter((request) => request.startsServer)).toEqual([]);
    }),
  );

  it.scoped("with a bad name is InvalidName to every method, and tmux is not asked", () =>
    Effect.gen(function* () {
      const { sessions, tmux } = yield* fakeHome();
      const create = (session: string) => sessions.create({ session, ...sleep });
      const { capture, get, reconcile } = sessions;
      const methods: ReadonlyArray<Method> = [get, sessions.delete, reconcile, capture, create];
      for (const method of methods) {
        expect((yield* Effect.flip(method("a.b")))._tag).toBe("InvalidName");
      }
      expect(yield* tmux.requests).toEqual([]);
    }),
  );
});

describe("a caller that is interrupted while tmux hangs", () => {
  const calls: ReadonlyArray<
    readonly [string, (home: FakeHome) => Effect.Effect<unknown, unknown>]
  > = [
    ["create", ({ sessions }) => sessions.create({ session: "b", ...sleep })],
    ["delete", ({ sessions }) => sessions.delete("a")],
    ["reconcile", ({ sessions }) => sessions.reconcile("a")],
  ];
  for (const [verb, call] of calls) {
    it.scoped(`is let go when the deadline of the ${verb}'s call to tmux has passed`, () =>
      Effect.gen(function* () {
        const home = yield* fakeHome();
        yield* pass(home.sessions.create({ session: "a", ...sleep }));
        yield* home.tmux.stop;
        const caller = yield* Effect.fork(call(home));
        yield* TestClock.adjust("1 second");
        const interrupting = yield* Effect.fork(Fiber.interrupt(caller));
        yield* TestClock.adjust("1500 millis");
        expect(interrupting.unsafePoll()).toBe(null);
        yield* TestClock.adjust("500 millis");
        expect(interrupting.unsafePoll()).not.toBe(null);
        yield* home.tmux.release;
        expect(yield* home.rows).toEqual(["a/1 running"]);
      }),
    );
  }
});

describe("the number of calls to tmux", () => {
  it.scoped("is four for the first create, one for a list, and two for a delete", () =>
    Effect.gen(function* () {
      const { sessions, tmux } = yield* fakeHome();
      const count = Effect.map(tmux.requests, (requests) => requests.length);
      yield* pass(sessions.create({ session: "a", ...sleep }));
      const created = yield* count;
      yield* sessions.list();
      const listed = yield* count;
      yield* pass(sessions.delete("a"));
      // The look, the boot, the creation, and the look at the end of the start window; and of the
      // delete the look, with what all terminals show, and the kill with its look.
      expect([created, listed - created, (yield* count) - listed]).toEqual([4, 1, 2]);
    }),
  );
});

describe("a program that starts anew beside sessions that another made", () => {
  it.scoped("reads, reconciles and deletes them, and adds to them, as the other did", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const script = ["sh", "-c", "echo ready; exec sleep 100000"];
      yield* Effect.scoped(
        Effect.flatMap(home.program("before"), (gone) =>
          pass(gone.create({ session: "a", command: script, cwd: "/" })),
        ),
      );
      yield* home.store.declare("before", "dead");
      const { sessions } = home;
      expect(yield* sessions.get("a")).toMatchObject({ seen: { state: "present" } });
      expect(yield* pass(sessions.reconcile("a"))).toMatchObject({ changed: false });
      expect((yield* sessions.capture("a")).text).toBe("ready");
      yield* pass(sessions.addTerminal({ session: "a", ...sleep }));
      yield* pass(sessions.delete("a"));
      expect([yield* home.inTmux, yield* home.rows]).toEqual([[], ["a/1 deleted"]]);
    }),
  );
});
