/**
 * Waiter: what a wait makes of an end that it does not wait for, of a tmux that cannot be asked,
 * and of what cannot be meant.
 *
 * On the fake tmux and a virtual clock, as for `Wait`.
 */
import { describe, expect, it } from "@effect/vitest";
import type { WaitCondition } from "@troupe/core";
import { Fault } from "@troupe/testing";
import { Effect, Exit, Fiber, Scope, TestClock } from "effect";
import { pass, sleep } from "./FakeHome.js";
import { cat, made, waiting } from "./WaitUnderWay.js";

const conditions: ReadonlyArray<WaitCondition> = [
  { text: "ready" },
  { regex: "ready" },
  { idleMs: 50_000 },
  { exit: true },
];

describe("a wait that can never come true any more", () => {
  it.scoped.each(conditions)(
    "for %j is NotFound at once when the session is deleted",
    (condition) =>
      Effect.gen(function* () {
        const home = yield* made();
        const other = yield* home.program("other");
        const own = yield* waiting(home, condition);
        yield* Effect.fork(home.sessions.delete("a", { graceMs: 0 }));
        yield* TestClock.adjust(0);
        expect(own.ended()).toEqual({ how: "NotFound", ms: 0 });
        yield* pass(home.sessions.create({ session: "a", ...cat }));
        const wait = yield* waiting(home, condition);
        yield* Effect.fork(other.delete("a", { graceMs: 0 }));
        yield* TestClock.adjust("300 millis");
        expect(wait.ended()?.how).toBe("NotFound");
      }),
  );

  it.scoped.each(conditions)("for %j is NotFound when somebody removed the session", (condition) =>
    Effect.gen(function* () {
      const home = yield* made();
      const wait = yield* waiting(home, condition);
      yield* home.tmux.client(["kill-session", "-t", "=a"]);
      yield* TestClock.adjust("300 millis");
      expect(wait.ended()?.how).toBe("NotFound");
    }),
  );

  it.scoped("is not the wait of a session that took the name meanwhile", () =>
    Effect.gen(function* () {
      const home = yield* made({}, { log: false });
      const other = yield* home.program("other");
      const wait = yield* waiting(home, { text: "new one" });
      yield* TestClock.adjust("3540 millis");
      const command = ["sh", "-c", "echo new one; exec sleep 1000"];
      yield* Effect.fork(
        other.create({ session: "a", cwd: "/", command, replace: true, startWindowMs: 0 }),
      );
      yield* TestClock.adjust("20 seconds");
      expect(wait.ended()).toEqual({ how: "NotFound", ms: 3_550 });
      expect((yield* home.record("a")).generation).toBe(2);
    }),
  );

  it.scoped("is NotFound for a name that never was, and of one that is deleted", () =>
    Effect.gen(function* () {
      const home = yield* made();
      const never = yield* Effect.flip(home.sessions.wait("b", { text: "x" }));
      expect(never).toMatchObject({ _tag: "NotFound", session: "b", terminal: null });
      yield* pass(home.sessions.delete("a"));
      const wait = yield* waiting(home, { exit: true });
      expect(wait.ended()).toEqual({ how: "NotFound", ms: 0 });
      expect(yield* wait.calls).toBe(0);
    }),
  );

  it.scoped("is Closing when the service closes", () =>
    Effect.gen(function* () {
      const home = yield* made();
      const scope = yield* Scope.make();
      const closed = yield* Scope.extend(home.program("closed"), scope);
      const fiber = yield* Effect.fork(Effect.flip(closed.wait("a", { text: "x" })));
      yield* TestClock.adjust("1 second");
      yield* Effect.fork(Scope.close(scope, Exit.void));
      yield* TestClock.adjust("1 second");
      expect((yield* Fiber.join(fiber))._tag).toBe("Closing");
    }),
  );
});

describe("a wait while tmux cannot be asked", () => {
  it.scoped.each([{ text: "x" }, { regex: "x" }, { exit: true }] as const)(
    "for %j says so at its deadline, however long a call may take, and holds when it can",
    (condition) =>
      Effect.gen(function* () {
        const home = yield* made();
        yield* home.tmux.stop;
        for (const timeoutMs of [500, 10_000]) {
          const wait = yield* waiting(home, condition, { timeoutMs });
          yield* TestClock.adjust(timeoutMs - 1);
          expect(wait.ended()).toBeNull();
          yield* TestClock.adjust(1);
          expect(wait.ended()).toEqual({ how: "LookupFailed", ms: timeoutMs });
          const failure = yield* Effect.flip(Fiber.join(wait.fiber));
          expect(failure).toMatchObject({ reason: "timeout", attempted: expect.any(String) });
        }
        const wait = yield* waiting(home, condition);
        yield* TestClock.adjust("10 seconds");
        yield* home.tmux.release;
        yield* home.tmux.type("a", "x");
        yield* home.tmux.exitProgram("a", 0);
        yield* TestClock.adjust("10 seconds");
        expect(wait.ended()?.how).toBe("Success");
      }),
  );

  it.scoped("is no timeout either when only the last looks failed", () =>
    Effect.gen(function* () {
      const home = yield* made();
      const wait = yield* waiting(home, { text: "x" }, { timeoutMs: 10_000 });
      yield* TestClock.adjust("5 seconds");
      yield* home.tmux.inject({ fault: Fault.refuse("what is that"), times: 1_000 });
      yield* TestClock.adjust("5 seconds");
      expect(wait.ended()).toEqual({ how: "LookupFailed", ms: 10_000 });
    }),
  );

  it.scoped("is known to have been noisy or quiet from what is recorded", () =>
    Effect.gen(function* () {
      const home = yield* made();
      yield* home.tmux.stop;
      const wait = yield* waiting(home, { idleMs: 8_000 });
      yield* TestClock.adjust("12 seconds");
      expect(wait.ended()?.how).toBe("Success");
    }),
  );
});

describe("any wait", () => {
  it.scoped.each([
    [{ text: "" }, "no text"],
    [{ text: "a\nb" }, "several"],
    [{ regex: "(" }, "(?i:unterminated|invalid)"],
    [{ regex: "" }, "no pattern"],
    [{ idleMs: 0 }, "idle"],
    [{ idleMs: Number.NaN }, "idle"],
    [{ text: "a", regex: "b" }, "exactly one"],
  ] as ReadonlyArray<readonly [WaitCondition, string]>)(
    "refuses %j and asks nobody",
    ([condition, why]) =>
      Effect.gen(function* () {
        const home = yield* made();
        const wait = yield* waiting(home, condition);
        expect(wait.ended()).toEqual({ how: "InvalidCondition", ms: 0 });
        expect(yield* wait.calls).toBe(0);
        const { message } = yield* Effect.flip(Fiber.join(wait.fiber));
        expect(message.toLowerCase()).toMatch(new RegExp(why.replace("(?i:", "(?:")));
      }),
  );

  it.scoped("looks once where it has no time", () =>
    Effect.gen(function* () {
      const home = yield* made();
      for (const condition of conditions) {
        const wait = yield* waiting(home, condition, { timeoutMs: 0 });
        expect(wait.ended()).toEqual({ how: "WaitTimeout", ms: 0 });
        expect(yield* wait.calls).toBeLessThanOrEqual(2);
        const { message } = yield* Effect.flip(Fiber.join(wait.fiber));
        expect(message).toMatch(/so far: it was looked at once$/);
      }
    }),
  );

  it.scoped("changes no row, however it ends, and leaves nothing when it is cut off", () =>
    Effect.gen(function* () {
      const home = yield* made({}, sleep);
      const rows = () => JSON.stringify([[...home.store.records], [...home.store.claims]]);
      const before = rows();
      for (const condition of conditions) {
        const cut = yield* waiting(home, condition);
        yield* TestClock.adjust("3 seconds");
        yield* Fiber.interrupt(cut.fiber);
        const calls = yield* cut.calls;
        yield* TestClock.adjust("6 seconds");
        expect(yield* cut.calls).toBe(calls);
        yield* waiting(home, condition, { timeoutMs: 5_000 });
        yield* TestClock.adjust("6 seconds");
      }
      expect(rows()).toBe(before);
      expect(yield* home.inTmux).toEqual(["a"]);
    }),
  );
});
