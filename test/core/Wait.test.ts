/**
 * Wait: a condition is told as soon as it holds, or that it never will, or at the deadline to the
 * millisecond; tmux is asked seldom, and nothing is changed.
 *
 * On the fake tmux and a virtual clock. There are no hints there: what is recorded is looked at
 * every 200 ms.
 */
import { describe, expect, it } from "@effect/vitest";
import type { WaitCondition } from "@troupe/core";
import { Effect, Fiber, TestClock } from "effect";
import { pass } from "./FakeHome.js";
import { made, waiting } from "./WaitUnderWay.js";

describe("a wait for text", () => {
  it.scoped("holds at once where the text is there already, and asks tmux once", () =>
    Effect.gen(function* () {
      const home = yield* made();
      yield* home.tmux.type("a", "one\ndone\n");
      const wait = yield* waiting(home, { text: "don" });
      expect(wait.ended()).toEqual({ how: "Success", ms: 0 });
      expect(yield* wait.calls).toBe(1);
      const waited = yield* Fiber.join(wait.fiber);
      const told = { session: "a", generation: 1, terminal: "main", condition: { text: "don" } };
      expect(waited).toEqual({ ...told, line: "done", number: 4, exit: null, waitedMs: 0 });
    }),
  );

  it.scoped("holds when it is printed, as soon as what is recorded tells", () =>
    Effect.gen(function* () {
      const home = yield* made();
      const wait = yield* waiting(home, { text: "ready" });
      yield* TestClock.adjust("10 seconds");
      expect(wait.ended()).toBeNull();
      yield* home.tmux.type("a", "ready");
      yield* TestClock.adjust("200 millis");
      expect(wait.ended()).toEqual({ how: "Success", ms: 10_100 });
    }),
  );

  it.scoped("is of joined lines, finds a blank at the end, and what scrolled away", () =>
    Effect.gen(function* () {
      const script = `echo ${"x".repeat(18)}yz%; ${"echo 1; ".repeat(30)}exec sleep 1000`;
      const how = { command: ["sh", "-c", script], columns: 20, rows: 10 };
      const home = yield* made({}, how);
      const holds = (condition: WaitCondition) =>
        Effect.map(waiting(home, condition, { timeoutMs: 0 }), (wait) => wait.ended()?.how);
      expect(yield* holds({ text: "xyz%" })).toBe("Success");
      expect(yield* holds({ text: "yz% " })).toBe("Success");
      expect(yield* holds({ text: "xyz%y" })).toBe("WaitTimeout");
      expect(yield* holds({ regex: "^x+yz% $" })).toBe("Success");
      expect(yield* holds({ regex: "^x+yz%$" })).toBe("Success");
      expect(yield* holds({ regex: "^yz" })).toBe("WaitTimeout");
    }),
  );

  it.scoped("is over at its deadline to the millisecond, with the screen, and few calls", () =>
    Effect.gen(function* () {
      const home = yield* made();
      yield* home.tmux.type("a", "one");
      const wait = yield* waiting(home, { text: "two" }, { timeoutMs: 12_345 });
      yield* TestClock.adjust("12344 millis");
      expect(wait.ended()).toBeNull();
      yield* TestClock.adjust("1 millis");
      expect(wait.ended()).toEqual({ how: "WaitTimeout", ms: 12_345 });
      const failure = yield* Effect.flip(Fiber.join(wait.fiber));
      expect(failure).toMatchObject({
        condition: { text: "two" },
        screen: "one",
        waitedMs: 12_345,
      });
      expect(failure).toMatchObject({ reason: "deadline", terminal: "main", exit: null });
      expect(yield* wait.calls).toBeLessThanOrEqual(14);
    }),
  );

  it.scoped("holds at a hint that something was printed, and many hints cost few reads", () =>
    Effect.gen(function* () {
      let reads = 0;
      const hints = yield* Effect.makeLatch();
      const home = yield* made({
        output: (files) => ({
          ...files,
          read: (...args) => {
            reads++;
            return files.read(...args);
          },
          watch: () => Effect.succeed(Effect.zipRight(hints.close, hints.await)),
        }),
      });
      const wait = yield* waiting(home, { text: "ready" });
      yield* TestClock.adjust("1030 millis");
      yield* home.tmux.type("a", "ready");
      yield* hints.open;
      yield* TestClock.adjust(0);
      expect(wait.ended()).toEqual({ how: "Success", ms: 1_030 });
      const exit = yield* waiting(home, { exit: true });
      reads = 0;
      for (let i = 0; i < 100; i++) {
        yield* home.tmux.type("a", "x");
        yield* hints.open;
        yield* TestClock.adjust("5 millis");
      }
      expect(exit.ended()).toBeNull();
      expect(reads).toBeLessThanOrEqual(25);
    }),
  );

  it.scoped("takes few looks while a lot is printed, and finds it all the same", () =>
    Effect.gen(function* () {
      const home = yield* made();
      const wait = yield* waiting(home, { text: "end of it" }, { timeoutMs: 60_000 });
      for (let i = 0; i < 250; i++) {
        yield* home.tmux.type("a", `line ${i}\n`);
        yield* TestClock.adjust("20 millis");
      }
      expect(yield* wait.calls).toBeGreaterThan(5);
      expect(yield* wait.calls).toBeLessThanOrEqual(20);
      yield* TestClock.adjust("10 seconds");
      yield* home.tmux.type("a", "soon\n");
      yield* TestClock.adjust("200 millis");
      yield* home.tmux.type("a", "end of it\n");
      yield* TestClock.adjust("250 millis");
      expect(wait.ended()?.how).toBe("Success");
    }),
  );

  it.scoped("of a session that is not recorded is looked for with pauses that double", () =>
    Effect.gen(function* () {
      const home = yield* made({}, { log: false });
      const wait = yield* waiting(home, { text: "ready" });
      yield* TestClock.adjust("10 seconds");
      expect(yield* wait.calls).toBeLessThanOrEqual(25);
      yield* home.tmux.type("a", "ready");
      yield* TestClock.adjust("1 second");
      expect(wait.ended()?.how).toBe("Success");
    }),
  );

  it.scoped("fails at once when the program has ended without it, and not where it is there", () =>
    Effect.gen(function* () {
      const home = yield* made();
      const never = yield* waiting(home, { text: "ready" });
      const last = yield* waiting(home, { text: "bye" });
      yield* home.tmux.type("a", "bye");
      yield* home.tmux.exitProgram("a", 7);
      yield* TestClock.adjust("250 millis");
      expect(never.ended()).toMatchObject({ how: "WaitTimeout" });
      expect(last.ended()).toMatchObject({ how: "Success" });
      const failure = yield* Effect.flip(Fiber.join(never.fiber));
      expect(failure).toMatchObject({ reason: "ended", exit: { code: 7, signal: null } });
      const after = yield* waiting(home, { text: "ready" });
      expect(after.ended()).toEqual({ how: "WaitTimeout", ms: 0 });
    }),
  );

  it.scoped("is looked for once more when the end is what is seen first", () =>
    Effect.gen(function* () {
      const home = yield* made({}, { log: false });
      const wait = yield* waiting(home, { text: "bye" });
      yield* TestClock.adjust("4600 millis");
      yield* home.tmux.type("a", "bye");
      yield* home.tmux.exitProgram("a", 0);
      yield* TestClock.adjust("600 millis");
      expect(wait.ended()).toEqual({ how: "Success", ms: 4_750 });
    }),
  );

  it.scoped("is of the terminal that is named, and of the first one else", () =>
    Effect.gen(function* () {
      const home = yield* made();
      yield* pass(
        home.sessions.addTerminal({ session: "a", command: ["sh", "-c", "echo two; cat"] }),
      );
      const second = yield* waiting(home, { text: "two" }, { terminal: "t2", timeoutMs: 0 });
      expect(second.ended()?.how).toBe("Success");
      const first = yield* waiting(home, { text: "two" }, { timeoutMs: 0 });
      expect(first.ended()?.how).toBe("WaitTimeout");
      const third = yield* waiting(home, { text: "two" }, { terminal: "t3" });
      expect(third.ended()).toEqual({ how: "NotFound", ms: 0 });
    }),
  );
});

describe("a wait for silence", () => {
  it.scoped("counts from its beginning, and anew from what is printed", () =>
    Effect.gen(function* () {
      const home = yield* made();
      yield* home.tmux.type("a", "one");
      const wait = yield* waiting(home, { idleMs: 2_000 });
      yield* TestClock.adjust("1500 millis");
      yield* home.tmux.type("a", "two");
      yield* TestClock.adjust("2 seconds");
      expect(wait.ended()).toBeNull();
      yield* TestClock.adjust("200 millis");
      expect(wait.ended()?.how).toBe("Success");
      const quiet = yield* waiting(home, { idleMs: 2_000 });
      yield* TestClock.adjust("2 seconds");
      expect(quiet.ended()).toEqual({ how: "Success", ms: 2_000 });
      expect(yield* quiet.calls).toBeLessThanOrEqual(6);
    }),
  );

  it.scoped("is never had from a program that prints on, also where nothing is recorded", () =>
    Effect.gen(function* () {
      for (const log of [true, false]) {
        const home = yield* made({}, { log });
        const wait = yield* waiting(home, { idleMs: 1_000 }, { timeoutMs: 10_000 });
        for (let i = 0; i < 21; i++) {
          yield* home.tmux.type("a", "x");
          yield* TestClock.adjust("500 millis");
        }
        expect(wait.ended()).toEqual({ how: "WaitTimeout", ms: 10_000 });
        const quiet = yield* waiting(home, { idleMs: 1_000 });
        yield* TestClock.adjust("1100 millis");
        expect(quiet.ended()?.how).toBe("Success");
      }
    }),
  );

  it.scoped("waits for a recorder that may not have written everything, up to a bound", () =>
    Effect.gen(function* () {
      const home = yield* made({
        output: (files) => ({
          ...files,
          read: (...args) =>
            Effect.map(files.read(...args), (range) => ({ ...range, recorder: "recording" })),
        }),
      });
      const wait = yield* waiting(home, { idleMs: 1_000 });
      yield* TestClock.adjust("5900 millis");
      expect(wait.ended()).toBeNull();
      yield* TestClock.adjust("200 millis");
      expect(wait.ended()?.how).toBe("Success");
    }),
  );

  it.scoped("of more than the usual bound is bounded by so much more", () =>
    Effect.gen(function* () {
      const home = yield* made();
      const wait = yield* waiting(home, { idleMs: 40_000 });
      yield* TestClock.adjust("40 seconds");
      expect(wait.ended()).toEqual({ how: "Success", ms: 40_000 });
    }),
  );
});

describe("a wait for the end of a program", () => {
  it.scoped("tells how it ended, when it ends and when it has", () =>
    Effect.gen(function* () {
      const home = yield* made();
      const wait = yield* waiting(home, { exit: true });
      yield* TestClock.adjust("6 seconds");
      expect(wait.ended()).toBeNull();
      yield* home.tmux.exitProgram("a", 3);
      yield* TestClock.adjust("200 millis");
      expect(wait.ended()).toEqual({ how: "Success", ms: 6_100 });
      expect(yield* Fiber.join(wait.fiber)).toMatchObject({ exit: { code: 3, signal: null } });
      const after = yield* waiting(home, { exit: true });
      expect(after.ended()).toEqual({ how: "Success", ms: 0 });
      expect(yield* after.calls).toBe(1);
    }),
  );

  it.scoped("has the server reap a program that it missed, and tells how that ended", () =>
    Effect.gen(function* () {
      const home = yield* made();
      const wait = yield* waiting(home, { exit: true });
      yield* home.tmux.exitProgram("a", 3, { unreaped: true });
      yield* TestClock.adjust("900 millis");
      expect(yield* Fiber.join(wait.fiber)).toMatchObject({ exit: { code: 3, signal: null } });
    }),
  );

  it.scoped("does not wait for it for ever, where the server cannot be told", () =>
    Effect.gen(function* () {
      const home = yield* made();
      const wait = yield* waiting(home, { exit: true });
      yield* home.tmux.exitProgram("a", 3, { unreaped: true });
      yield* home.tmux.failProcessTable("permission");
      yield* TestClock.adjust("900 millis");
      expect(wait.ended()).toBeNull();
      yield* TestClock.adjust("5 seconds");
      expect(yield* Fiber.join(wait.fiber)).toMatchObject({ exit: { code: null, signal: null } });
    }),
  );

  it.scoped("is noticed also where nothing is recorded", () =>
    Effect.gen(function* () {
      const home = yield* made({}, { log: false });
      const wait = yield* waiting(home, { exit: true });
      yield* home.tmux.exitProgram("a", 0);
      yield* TestClock.adjust("200 millis");
      expect(wait.ended()?.how).toBe("Success");
    }),
  );
});
