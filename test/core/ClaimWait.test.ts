/**
 * ClaimWait: what waiting for a claim costs, how fair it is, and when it is over.
 *
 * Method: every call of the registry that waiting makes is counted with its time, on a virtual
 * clock; the holder is a row of a program that lives and does nothing, or the waiters themselves.
 */
import { describe, expect, it } from "@effect/vitest";
import { type Registry, SessionName } from "@troupe/core";
import { Clock, Effect, Fiber, TestClock } from "effect";
import { pauseOf, spacingOf } from "../../packages/core/src/ClaimWait.js";
import { fakeHome, pass, sleep } from "./FakeHome.js";

const a = SessionName.make("a");

/** A home with a session, and when its programs tried, looked, and asked whether one lives. */
const counted = (claimWaitMs = 5_000) =>
  Effect.gen(function* () {
    const calls = { tries: [] as number[], looks: [] as number[], lives: 0 };
    const registry = (memory: Registry["Type"]): Registry["Type"] => ({
      ...memory,
      claim: (...args) =>
        Effect.zipRight(
          Effect.map(Clock.currentTimeMillis, (at) => calls.tries.push(at)),
          memory.claim(...args),
        ),
      seeClaim: (session, options) =>
        Effect.zipRight(
          Effect.map(Clock.currentTimeMillis, (at) => {
            calls.looks.push(at);
            if (options.asksLife) calls.lives++;
          }),
          memory.seeClaim(session, options),
        ),
    });
    const home = yield* fakeHome({ registry, settings: { claimWaitMs } });
    yield* pass(home.sessions.create({ session: "a", ...sleep }));
    calls.tries.length = 0;
    yield* home.program("other");
    /** A claim of a program that lives and does nothing, as a stopped one. */
    const hold = (epoch: number, owner: string | null = "other") =>
      home.store.claims.set(a, { owner, epoch, fenceDue: false, generation: 1 });
    return { ...home, calls, hold };
  });

const pausesOf = (looks: ReadonlyArray<number>) =>
  looks.slice(1).map((at, index) => at - (looks[index] ?? 0));

describe("waiting for a claim that somebody keeps", () => {
  it.scoped("tries once, looks less and less often, and asks once a second whether he lives", () =>
    Effect.gen(function* () {
      const { calls, hold, sessions, tmux } = yield* counted();
      hold(7);
      const asked = (yield* tmux.requests).length;
      const error = yield* Effect.flip(pass(sessions.delete("a")));
      expect(error).toMatchObject({ _tag: "Busy", reason: "claimed", holder: "other" });
      expect(calls.tries.length).toBe(1);
      expect(calls.lives).toBeGreaterThanOrEqual(4);
      expect(calls.lives).toBeLessThanOrEqual(5);
      const pauses = pausesOf([...calls.tries, ...calls.looks]);
      expect(pauses.length).toBeGreaterThan(30);
      expect(pauses.length).toBeLessThan(70);
      expect(Math.max(...pauses.slice(0, 5))).toBeLessThanOrEqual(38);
      expect(Math.max(...pauses)).toBeLessThanOrEqual(300);
      expect(new Set(pauses).size).toBeGreaterThan(10);
      expect((yield* tmux.requests).length).toBe(asked);
    }),
  );

  it.scoped("costs in proportion to the time, however long that is, and ends with it", () =>
    Effect.gen(function* () {
      const { calls, hold, sessions } = yield* counted(50_000);
      hold(7);
      yield* Effect.flip(pass(sessions.delete("a")));
      expect(calls.tries.length).toBe(1);
      expect(calls.lives).toBeLessThanOrEqual(50);
      expect(calls.looks.length).toBeLessThan(10 * 50);
      expect((calls.looks.at(-1) ?? 0) - (calls.tries[0] ?? 0)).toBe(50_000);
    }),
  );

  it.scoped("takes it over within two seconds of his death, and not before", () =>
    Effect.gen(function* () {
      const { calls, hold, sessions, store } = yield* counted();
      hold(7);
      const fiber = yield* Effect.fork(sessions.addTerminal({ session: "a", ...sleep }));
      yield* TestClock.adjust("2500 millis");
      expect(calls.tries.length).toBe(1);
      yield* store.declare("other", "dead");
      yield* TestClock.adjust("2 seconds");
      yield* Fiber.join(fiber);
      expect(calls.tries.length).toBe(2);
    }),
  );

  it.scoped("takes it at the end of a wait that is too short to ask on the way", () =>
    Effect.gen(function* () {
      const { calls, hold, sessions, store } = yield* counted(300);
      hold(7);
      const fiber = yield* Effect.fork(sessions.addTerminal({ session: "a", ...sleep }));
      yield* TestClock.adjust("100 millis");
      yield* store.declare("other", "dead");
      yield* TestClock.adjust("1 minute");
      yield* Fiber.join(fiber);
      expect(calls.lives).toBe(1);
    }),
  );

  it.scoped("begins anew, closely, with everybody who takes it, and with each new epoch", () =>
    Effect.gen(function* () {
      const { calls, hold, sessions } = yield* counted(9_000);
      hold(7);
      const fiber = yield* Effect.fork(Effect.flip(sessions.delete("a")));
      yield* TestClock.adjust("4 seconds");
      hold(8);
      yield* TestClock.adjust("500 millis");
      calls.looks.length = 0;
      calls.lives = 0;
      yield* TestClock.adjust("200 millis");
      expect(Math.max(...pausesOf(calls.looks))).toBeLessThanOrEqual(100);
      // Whoever has only just taken it is not asked about at once.
      expect(calls.lives).toBe(0);
      yield* TestClock.adjust("1 minute");
      yield* Fiber.join(fiber);
      expect(calls.tries.length).toBe(1);
    }),
  );

  it.scoped("can be left at once", () =>
    Effect.gen(function* () {
      const { hold, sessions } = yield* counted();
      hold(7);
      const began = yield* Clock.currentTimeMillis;
      const fiber = yield* Effect.fork(sessions.delete("a"));
      yield* TestClock.adjust("1 second");
      yield* Fiber.interrupt(fiber);
      expect((yield* Clock.currentTimeMillis) - began).toBe(1000);
    }),
  );
});

describe("waiting for a claim that comes and goes", () => {
  it.scoped("gives each of ten programs its turn within the bound, one after the other", () =>
    Effect.gen(function* () {
      const { calls, program } = yield* counted();
      const owners = Array.from({ length: 10 }, (_, index) => `program-${index}`);
      const began = yield* Clock.currentTimeMillis;
      const turns = yield* Effect.forEach(owners, (owner) =>
        Effect.flatMap(program(owner), (sessions) =>
          Effect.fork(
            Effect.zip(
              sessions.addTerminal({ session: "a", ...sleep, startWindowMs: 200 }),
              Clock.currentTimeMillis,
            ),
          ),
        ),
      );
      yield* TestClock.adjust("1 minute");
      const ended = yield* Effect.forEach(turns, Fiber.join);
      const terminals = ended.map(([{ terminal }]) => terminal.terminal);
      expect(new Set(terminals).size).toBe(10);
      const last = Math.max(...ended.map(([, at]) => at)) - began;
      // Ten windows, and between two of them at most one pause.
      expect(last).toBeGreaterThanOrEqual(2_000);
      expect(last).toBeLessThan(2_000 + 10 * 38);
      // The first try of each, and one for each turn that is not the first; two may see it free.
      expect(calls.tries.length).toBeGreaterThanOrEqual(19);
      expect(calls.tries.length).toBeLessThan(30);
    }),
  );

  it("never keeps step with who comes and goes, whatever the time between", () => {
    for (const period of [25, 50, 75, 100, 125, 150, 175, 200, 250]) {
      const phases = new Set<number>();
      for (let at = 0, looks = 1; at < 5_000; looks++) {
        at += pauseOf(looks, at / 5_000, 25);
        phases.add(Math.floor(((at % period) / period) * 20));
      }
      expect(phases.size, `a period of ${period} ms`).toBe(20);
    }
  });

  it("spaces the looks by what was waited already, within bounds", () => {
    expect([0, 200, 400, 1_600, 60_000].map((ms) => spacingOf(ms, 25))).toEqual([
      25, 25, 50, 200, 200,
    ]);
  });

  it("looks more often the longer all of it takes", () => {
    expect(pauseOf(1, 0, 100)).toBeGreaterThan(pauseOf(1, 0.5, 100));
    expect(pauseOf(1, 1, 100)).toBe(pauseOf(1, 2, 100));
  });
});
