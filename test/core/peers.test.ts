/**
 * Peers: what happens to the other terminals of a session when one is added, deleted or undone.
 *
 * Method: a session with a terminal is made first. Then a write, a program, or a call to tmux of a
 * further terminal fails or is held at a gate, while something happens to the first one.
 */
import { describe, expect, it } from "@effect/vitest";
import { type Registry, RegistryUnavailable } from "@troupe/core";
import type { TmuxRequest } from "@troupe/tmux";
import { Cause, Effect, Exit, Fiber, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const command = sleep.command;
const failing = ["sh", "-c", "exit 3"];
const addition = (request: TmuxRequest): boolean => String(request.stdin).includes("new-window");
const killWindow = (request: TmuxRequest): boolean => String(request.stdin).includes("kill-window");

/** Lets every fiber that can go on do so, while no time passes. */
const settle = Effect.repeatN(Effect.yieldNow(), 200);

const add = (home: FakeHome, options: object = {}) =>
  home.sessions.addTerminal({ session: "a", command, ...options });

const terminals = (home: FakeHome) =>
  Effect.map(home.record("a"), (record) => record.terminals.map((t) => `${t.terminal} ${t.state}`));

const panes = (home: FakeHome) =>
  Effect.map(
    home.tmux.client(["list-panes", "-a", "-F", "#{@troupe-pane} #{pane_pid} #{pane_dead}"]),
    ({ stdout }) => stdout.split("\n").filter((line) => line !== ""),
  );

/** A home with the session, and how its one pane stands in tmux. */
const withPeer = Effect.fnUntraced(function* (home: FakeHome) {
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  return { home, peer: yield* panes(home) };
});

const expectFree = (home: FakeHome): void =>
  expect([...home.store.claims.values()].filter(({ owner }) => owner !== null)).toEqual([]);

const unavailable = new RegistryUnavailable({
  session: "a",
  attempted: "write",
  detail: "database is locked",
});

/** A home whose registry does this in place of its `at`th write; a create has two. */
const brokenAt = (at: number, broken: Registry["Type"]["commit"]) => {
  let writes = 0;
  return fakeHome({
    registry: (registry) => ({
      ...registry,
      commit: (...args) => (++writes === at ? broken(...args) : registry.commit(...args)),
    }),
  });
};

describe("a write of a further terminal that fails", () => {
  for (const [at, which, rows] of [
    [3, "its intent", ["main running"]],
    [4, "its last row", ["main running", "t2 gone"]],
  ] as const) {
    it.scoped(`at ${which} takes its window alone, and the failure comes out as it was`, () =>
      Effect.gen(function* () {
        const { home, peer } = yield* withPeer(yield* brokenAt(at, () => unavailable));
        expect(yield* Effect.flip(pass(add(home)))).toEqual(unavailable);
        expect([yield* terminals(home), yield* panes(home)]).toEqual([rows, peer]);
        expect(yield* home.rows).toEqual(["a/1 running"]);
        expectFree(home);
      }),
    );

    it.scoped(`at ${which} with a defect takes its window alone, and the defect comes out`, () =>
      Effect.gen(function* () {
        const broken = () => Effect.die("a bug of the test");
        const { home, peer } = yield* withPeer(yield* brokenAt(at, broken));
        const exit = yield* Effect.exit(pass(add(home)));
        expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toBe("a bug of the test");
        expect([yield* terminals(home), yield* panes(home)]).toEqual([rows, peer]);
        expectFree(home);
      }),
    );
  }
});

describe("a terminal that is undone", () => {
  /** Held in the kill of its window, which the rollback sent. */
  const undoing = Effect.gen(function* () {
    const { home } = yield* withPeer(yield* fakeHome());
    const gate = yield* home.tmux.hold({ where: "before", matches: killWindow });
    const adding = yield* Effect.fork(Effect.flip(add(home, { command: failing })));
    yield* settle;
    yield* TestClock.adjust("100 millis");
    yield* gate.reached;
    return { home, gate, adding };
  });

  it.scoped("while the program of its peer ends leaves the row of that as it is then", () =>
    Effect.gen(function* () {
      const { adding, gate, home } = yield* undoing;
      yield* home.tmux.exitProgram("%0", 5);
      yield* gate.release;
      yield* TestClock.adjust("1 minute");
      expect(yield* Fiber.join(adding)).toMatchObject({ _tag: "StartFailed", code: 3 });
      expect([yield* terminals(home), yield* home.rows]).toEqual([
        ["main exited", "t2 gone"],
        ["a/1 exited"],
      ]);
      expect((yield* home.sessions.reconcile("a")).changed).toBe(false);
    }),
  );

  it.scoped(
    "while the window of its peer is closed ends the session, and no row is left over",
    () =>
      Effect.gen(function* () {
        const { adding, gate, home } = yield* undoing;
        yield* home.tmux.client(["kill-window", "-t", "=a:main"]);
        yield* gate.release;
        yield* TestClock.adjust("1 minute");
        expect(yield* Fiber.join(adding)).toMatchObject({ _tag: "StartFailed", code: 3 });
        expect(yield* home.inTmux).toEqual([]);
        expect([yield* terminals(home), yield* home.rows]).toEqual([
          ["main gone", "t2 gone"],
          ["a/1 lost"],
        ]);
        expect((yield* home.sessions.reconcile("a")).changed).toBe(false);
      }),
  );

  it.scoped("by a program that was overtaken meanwhile touches nothing of whoever came", () =>
    Effect.gen(function* () {
      const { home } = yield* withPeer(yield* fakeHome());
      const other = yield* home.program("other");
      const late = { command: ["sh", "-c", "sleep 5; exit 3"], startWindowMs: 10_000 };
      const adding = yield* Effect.fork(Effect.flip(add(home, late)));
      yield* settle;
      // In no time, so that the first one still stands in its start window.
      yield* other.delete("a", { force: true });
      yield* other.create({ session: "a", ...sleep, startWindowMs: 0 });
      yield* other.addTerminal({ session: "a", command, startWindowMs: 0 });
      const [rows, before] = [yield* terminals(home), yield* panes(home)];
      expect(adding.unsafePoll()).toBe(null);
      yield* TestClock.adjust("1 minute");
      yield* Fiber.join(adding);
      expect([yield* terminals(home), yield* panes(home)]).toEqual([rows, before]);
      expect(yield* home.rows).toEqual(["a/1 deleted", "a/2 running"]);
    }),
  );
});

describe("a terminal that is deleted while another is added", () => {
  it.scoped("waits until that is there, and is then not the last", () =>
    Effect.gen(function* () {
      const { home } = yield* withPeer(yield* fakeHome());
      const gate = yield* home.tmux.hold({ where: "after", matches: addition });
      const adding = yield* Effect.fork(add(home));
      yield* gate.reached;
      const deleting = yield* Effect.fork(home.sessions.deleteTerminal("a", "main"));
      yield* settle;
      expect((yield* home.tmux.requests).filter(killWindow)).toEqual([]);
      yield* gate.release;
      yield* TestClock.adjust("1 minute");
      yield* Fiber.join(adding);
      yield* Fiber.join(deleting);
      expect(yield* terminals(home)).toEqual(["main gone", "t2 running"]);
      expect([yield* home.inTmux, (yield* panes(home)).length]).toEqual([["a"], 1]);
    }),
  );

  it.scoped("before it, as the last, takes the session; then there is nothing to add to", () =>
    Effect.gen(function* () {
      const { home } = yield* withPeer(yield* fakeHome());
      const gate = yield* home.tmux.hold({
        where: "before",
        matches: (request) => /kill-(window|session)/.test(String(request.stdin)),
      });
      const deleting = yield* Effect.fork(home.sessions.deleteTerminal("a", "main"));
      yield* gate.reached;
      const adding = yield* Effect.fork(Effect.flip(add(home)));
      yield* settle;
      expect((yield* home.tmux.requests).filter(addition)).toEqual([]);
      yield* gate.release;
      yield* TestClock.adjust("1 minute");
      yield* Fiber.join(deleting);
      expect((yield* Fiber.join(adding))._tag).toBe("NotFound");
      expect([yield* home.inTmux, yield* home.rows]).toEqual([[], ["a/1 deleted"]]);
    }),
  );
});
