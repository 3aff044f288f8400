/**
 * Kill: what lies between the intent of a delete and its last row: how often it looks, what each
 * doubt leaves, and that nothing of the row goes before the proof.
 *
 * Method: the fake's server lags, lies or dies at a gate, or the registry fails; then the row, its
 * terminals, the log and tmux are compared with what they were.
 */
import { describe, expect, it } from "@effect/vitest";
import { type Registry, RegistryUnavailable } from "@troupe/core";
import { Fault } from "@troupe/testing";
import type { TmuxRequest } from "@troupe/tmux";
import { Clock, Effect, Fiber, TestClock } from "effect";
import { type FakeHome, fakeHome, pass, sleep } from "./FakeHome.js";

const kill = (request: TmuxRequest): boolean => request.attempted === "kill";
const look = (request: TmuxRequest): boolean => request.attempted === "delete";

const kills = (home: FakeHome) =>
  Effect.map(home.tmux.requests, (requests) => requests.filter(kill).length);

/** What the log tells to have ended, in order. */
const ends = (home: FakeHome) =>
  home.store.events
    .filter(({ body }) => /"(gone|deleted)"/.test(JSON.stringify(body)))
    .map(({ body }) => body.type);

const withSession = Effect.fnUntraced(function* (options: Parameters<typeof fakeHome>[0] = {}) {
  const home = yield* fakeHome(options);
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  return home;
});

/** A registry whose every commit and release fails without an effect while `failing` says so. */
const failingWrites = () => {
  const trouble = { failing: false };
  const refuse = new RegistryUnavailable({ session: "a", attempted: "write", detail: "locked" });
  const registry = (real: Registry["Type"]): Registry["Type"] => ({
    ...real,
    commit: (...args) => (trouble.failing ? Effect.fail(refuse) : real.commit(...args)),
    release: (...args) => (trouble.failing ? Effect.fail(refuse) : real.release(...args)),
  });
  return { trouble, registry };
};

/** The kill is held behind its effect, as a place where a test does something. */
const heldBehindKill = Effect.fnUntraced(function* (home: FakeHome) {
  const gate = yield* home.tmux.hold({ where: "after", matches: kill });
  const fiber = yield* Effect.fork(Effect.either(home.sessions.delete("a")));
  yield* gate.reached;
  return { gate, fiber };
});

describe("the looks of a kill", () => {
  const settings = { killBoundMs: 100, lookSpacingMs: 20 };
  // A session that lags for n more clients is seen by n + 1 of them; six looks are in the bound.
  for (const [lag, what, outcome] of [
    [4, "the last one, at the bound, believes that it is gone", "Right"],
    [5, "there is none behind the bound", "Left"],
  ] as const) {
    it.scoped(`are six at a bound of five times the spacing, and ${what}`, () =>
      Effect.gen(function* () {
        const home = yield* withSession({ settings });
        yield* home.tmux.linger(lag);
        const began = yield* Clock.currentTimeMillis;
        const timed = Effect.zip(Effect.either(home.sessions.delete("a")), Clock.currentTimeMillis);
        const [result, ended] = yield* pass(timed);
        expect([result._tag, ended - began, yield* kills(home)]).toEqual([outcome, 100, 6]);
        yield* home.tmux.linger(0);
        yield* pass(home.sessions.delete("a"));
        expect(yield* home.rows).toEqual(["a/1 deleted"]);
      }),
    );
  }

  it.scoped(
    "hold up nobody: other names, reads and creates are served while the clock stands",
    () =>
      Effect.gen(function* () {
        const home = yield* withSession();
        yield* pass(home.sessions.create({ session: "b", ...sleep }));
        yield* home.tmux.linger(10_000);
        const fiber = yield* Effect.fork(home.sessions.delete("a"));
        yield* TestClock.adjust("100 millis");
        expect(yield* kills(home)).toBeGreaterThan(1);
        yield* home.tmux.linger(0);
        expect((yield* home.sessions.get("a")).state).toBe("deleting");
        expect((yield* home.sessions.list()).sessions.length).toBe(2);
        yield* home.sessions.delete("b");
        yield* home.sessions.create({ session: "c", ...sleep, startWindowMs: 0 });
        expect(fiber.unsafePoll()).toBe(null);
        yield* Fiber.interruptFork(fiber);
        yield* TestClock.adjust("1 minute");
      }),
  );

  it.scoped(
    "that fail when one saw it alive leave it unconfirmed, although it is gone by now",
    () =>
      Effect.gen(function* () {
        const home = yield* withSession();
        yield* home.tmux.linger(1);
        const { fiber, gate } = yield* heldBehindKill(home);
        yield* home.inTmux;
        expect(yield* home.inTmux).toEqual([]);
        for (const matches of [kill, look]) {
          yield* home.tmux.inject({ fault: Fault.silent, matches, times: 999 });
        }
        yield* gate.release;
        yield* TestClock.adjust("1 minute");
        expect(yield* Fiber.join(fiber)).toMatchObject({ left: { _tag: "KillUnconfirmed" } });
        expect(yield* home.rows).toEqual(["a/1 deleting"]);
        yield* home.tmux.clearFaults;
        yield* pass(home.sessions.delete("a"));
        expect([yield* home.rows, yield* home.inTmux]).toEqual([["a/1 deleted"], []]);
      }),
  );

  it.scoped("do not take 'not there' for gone when the look that could tell why fails", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      const before = yield* home.record("a");
      const gate = yield* home.tmux.hold({ where: "before", matches: kill });
      const fiber = yield* Effect.fork(Effect.flip(home.sessions.delete("a")));
      yield* gate.reached;
      yield* home.tmux.crash;
      yield* home.tmux.inject({ fault: Fault.silent, matches: look, times: 999 });
      yield* gate.release;
      yield* TestClock.adjust("1 minute");
      expect((yield* Fiber.join(fiber))._tag).toBe("KillUnconfirmed");
      const { state, terminals } = yield* home.record("a");
      expect([state, terminals]).toEqual(["deleting", before.terminals]);
      yield* home.tmux.clearFaults;
      yield* pass(home.sessions.delete("a"));
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
    }),
  );
});

describe("a kill without an effect", () => {
  it.scoped("leaves every column of the row but those of the intent, and no event of an end", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      yield* home.tmux.client(["new-window", "-d", "-t", "=a:", "--", "sleep", "1000"]);
      const before = yield* home.record("a");
      yield* home.tmux.linger(10_000);
      const error = yield* Effect.flip(pass(home.sessions.delete("a")));
      expect(error._tag).toBe("KillUnconfirmed");
      const { claim, processes, updatedAt, ...after } = yield* home.record("a");
      const { claim: _claim, processes: known, updatedAt: _at, ...rest } = before;
      expect(after).toEqual({ ...rest, state: "deleting" });
      expect(processes).toEqual(expect.arrayContaining([...known]));
      expect(ends(home)).toEqual([]);
      expect((yield* home.sessions.get("a")).seen.state).toBe("present");
    }),
  );

  it.scoped("is told although the registry fails behind it as well", () =>
    Effect.gen(function* () {
      const { registry, trouble } = failingWrites();
      const home = yield* withSession({ registry });
      yield* home.tmux.linger(10_000);
      const { fiber, gate } = yield* heldBehindKill(home);
      trouble.failing = true;
      yield* gate.release;
      yield* TestClock.adjust("1 minute");
      expect(yield* Fiber.join(fiber)).toMatchObject({ left: { _tag: "KillUnconfirmed" } });
      trouble.failing = false;
      yield* home.tmux.linger(0);
      yield* pass(home.sessions.delete("a"));
      expect(yield* home.rows).toEqual(["a/1 deleted"]);
    }),
  );
});

describe("a kill", () => {
  it.scoped("of a session with several windows is one, and no window is killed by itself", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      for (const name of ["two", "three"]) {
        const window = ["new-window", "-d", "-t", "=a:", "-n", name, "--", "sleep", "1000"];
        yield* home.tmux.client(window);
      }
      yield* pass(home.sessions.delete("a"));
      const commands = yield* home.tmux.commands;
      expect([commands.get("kill-session")?.succeeded, yield* kills(home)]).toEqual([1, 1]);
      expect(commands.get("kill-window")).toBe(undefined);
      const sleeping = (yield* home.tmux.processes).filter((p) => p.program === "sleep");
      expect(sleeping.filter((p) => p.state === "running")).toEqual([]);
    }),
  );

  it.scoped("never reaches a session whose name begins with that of ours, ours being gone", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      yield* pass(home.sessions.create({ session: "ab", ...sleep }));
      const gate = yield* home.tmux.hold({ where: "before", matches: kill });
      const fiber = yield* Effect.fork(pass(home.sessions.delete("a")));
      yield* gate.reached;
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      yield* gate.release;
      yield* Fiber.join(fiber);
      yield* pass(home.sessions.delete("a"));
      expect([yield* home.inTmux, yield* home.rows]).toEqual([
        ["ab"],
        ["a/1 deleted", "ab/1 running"],
      ]);
    }),
  );

  it.scoped("behind which a stranger takes the name ends our row and leaves the stranger", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      const { fiber, gate } = yield* heldBehindKill(home);
      yield* home.tmux.client(["new-session", "-d", "-s", "a", "--", "sleep", "1000"]);
      yield* gate.release;
      yield* TestClock.adjust("1 minute");
      expect((yield* Fiber.join(fiber))._tag).toBe("Right");
      expect([yield* home.inTmux, yield* home.rows]).toEqual([["a"], ["a/1 deleted"]]);
    }),
  );

  it.scoped("behind which the name was taken over and made again ends nothing of the new one", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      const other = yield* home.program("other");
      const { fiber, gate } = yield* heldBehindKill(home);
      yield* pass(other.delete("a", { force: true }));
      yield* pass(other.create({ session: "a", ...sleep }));
      const made = yield* home.record("a");
      yield* gate.release;
      yield* TestClock.adjust("1 minute");
      expect(yield* Fiber.join(fiber)).toMatchObject({ left: { reason: "overtaken" } });
      expect(yield* home.record("a")).toEqual(made);
      expect([yield* home.inTmux, yield* home.rows]).toEqual([
        ["a"],
        ["a/1 deleted", "a/2 running"],
      ]);
    }),
  );
});

describe("a delete whose last write fails", () => {
  it.scoped("leaves the row whole, as deleting, and the next one ends it and tells it once", () =>
    Effect.gen(function* () {
      const { registry, trouble } = failingWrites();
      const home = yield* withSession({ registry });
      const { fiber, gate } = yield* heldBehindKill(home);
      const { terminals } = yield* home.record("a");
      trouble.failing = true;
      yield* gate.release;
      yield* TestClock.adjust("1 minute");
      expect(yield* Fiber.join(fiber)).toMatchObject({ left: { _tag: "RegistryUnavailable" } });
      expect(yield* home.record("a")).toMatchObject({ state: "deleting", terminals });
      trouble.failing = false;
      const result = yield* pass(home.sessions.delete("a"));
      expect(result.alreadyGone).toBe(true);
      expect(ends(home)).toEqual(["terminal", "session"]);
    }),
  );
});

describe("a delete that waited for its turn", () => {
  it.scoped("looks only then: what went with its last window meanwhile needs no kill", () =>
    Effect.gen(function* () {
      const home = yield* withSession();
      const matches = (request: TmuxRequest) => request.attempted === "reconcile";
      const gate = yield* home.tmux.hold({ where: "after", matches });
      const first = yield* Effect.fork(home.sessions.reconcile("a"));
      yield* gate.reached;
      const second = yield* Effect.fork(pass(home.sessions.delete("a")));
      yield* Effect.yieldNow();
      yield* home.tmux.client(["kill-window", "-t", "=a:"]);
      yield* gate.release;
      yield* Fiber.join(first);
      expect((yield* Fiber.join(second)).alreadyGone).toBe(true);
      expect([yield* kills(home), yield* home.rows]).toEqual([0, ["a/1 deleted"]]);
    }),
  );
});
