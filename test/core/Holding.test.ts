/**
 * Holding: waiting for a claim, taking one over, and what an overtaken holder can still do.
 */
import { describe, expect, it } from "@effect/vitest";
import { type Registry, SessionName } from "@troupe/core";
import type { TmuxRequest } from "@troupe/tmux";
import { Clock, Effect, Fiber, TestClock } from "effect";
import { pauseOf } from "../../packages/core/src/Holding.js";
import { fakeHome, pass, sleep } from "./FakeHome.js";

const creation = (request: TmuxRequest) => String(request.stdin).includes("new-session");

/** Another program, held in the middle of its create of `a`. */
const contested = Effect.gen(function* () {
  const home = yield* fakeHome();
  const other = yield* home.program("other");
  const gate = yield* home.tmux.hold({ where: "before", matches: creation });
  const fiber = yield* Effect.fork(Effect.either(other.create({ session: "a", ...sleep })));
  yield* gate.reached;
  return { ...home, gate, fiber };
});

/** A claim of a program that lives and does nothing, as a stopped one. */
const heldByAnother = Effect.gen(function* () {
  const home = yield* fakeHome();
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  yield* home.program("other");
  const claim = { owner: "other", epoch: 7, fenceDue: false, generation: 0 };
  home.store.claims.set(SessionName.make("a"), claim);
  return home;
});

describe("a claim that another program holds", () => {
  it.scoped("is waited for to the bound, and then the name is Busy and its holder told", () =>
    Effect.gen(function* () {
      const home = yield* heldByAnother;
      const fiber = yield* Effect.fork(
        Effect.zip(Effect.flip(home.sessions.delete("a")), Clock.currentTimeMillis),
      );
      const began = yield* Clock.currentTimeMillis;
      yield* TestClock.adjust("2 seconds");
      expect(fiber.unsafePoll()).toBe(null);
      yield* TestClock.adjust("1 minute");
      const [error, at] = yield* Fiber.join(fiber);
      expect(error).toMatchObject({ _tag: "Busy", reason: "claimed", holder: "other" });
      expect(at - began).toBe(5000);
    }),
  );

  it.scoped("can be waited for by a caller that is interrupted at once", () =>
    Effect.gen(function* () {
      const home = yield* heldByAnother;
      const began = yield* Clock.currentTimeMillis;
      const fiber = yield* Effect.fork(home.sessions.delete("a"));
      yield* TestClock.adjust("1 second");
      yield* Fiber.interrupt(fiber);
      expect((yield* Clock.currentTimeMillis) - began).toBe(1000);
    }),
  );

  it.scoped("does not hold up another name", () =>
    Effect.gen(function* () {
      const home = yield* contested;
      yield* pass(home.sessions.create({ session: "b", ...sleep }));
      expect(yield* home.inTmux).toEqual(["b"]);
      yield* home.gate.release;
    }),
  );

  it.scoped("is taken over by force, and then tmux and the registry refuse its holder", () =>
    Effect.gen(function* () {
      const home = yield* contested;
      yield* pass(home.sessions.delete("a", { force: true }));
      yield* home.gate.release;
      yield* TestClock.adjust("1 minute");
      const outcome = yield* Fiber.join(home.fiber);
      expect(outcome).toMatchObject({ _tag: "Left", left: { reason: "overtaken" } });
      expect([yield* home.inTmux, yield* home.rows]).toEqual([[], ["a/1 failed"]]);
    }),
  );

  it.scoped("is taken over at once when its holder is dead, behind a raised fence", () =>
    Effect.gen(function* () {
      const home = yield* contested;
      yield* home.store.declare("other", "dead");
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      const made = yield* home.record("a");
      yield* home.gate.release;
      yield* TestClock.adjust("1 minute");
      expect(yield* home.inTmux).toEqual(["a"]);
      expect(yield* home.record("a")).toMatchObject({ incarnation: made.incarnation });
      const fence = yield* home.tmux.client(["show-options", "-sv", "@troupe-fence-a"]);
      expect(fence.stdout).toBe("2\n");
    }),
  );
});

/** When each try for a claim was made, of every program of a home. */
const counted = Effect.gen(function* () {
  const tries: Array<number> = [];
  const registry = (memory: Registry["Type"]): Registry["Type"] => ({
    ...memory,
    claim: (...args) =>
      Effect.zipRight(
        Effect.map(Clock.currentTimeMillis, (at) => tries.push(at)),
        memory.claim(...args),
      ),
  });
  const home = yield* fakeHome({ registry });
  yield* pass(home.sessions.create({ session: "a", ...sleep }));
  tries.length = 0;
  return { ...home, tries };
});

describe("waiting for a claim", () => {
  it.scoped("looks now and then, unevenly, more often at the end, and asks tmux nothing", () =>
    Effect.gen(function* () {
      const home = yield* counted;
      yield* home.program("other");
      const claim = { owner: "other", epoch: 7, fenceDue: false, generation: 0 };
      home.store.claims.set(SessionName.make("a"), claim);
      const asked = (yield* home.tmux.requests).length;
      expect((yield* Effect.flip(pass(home.sessions.delete("a"))))._tag).toBe("Busy");
      const pauses = home.tries.slice(1).map((at, index) => at - (home.tries[index] ?? 0));
      const inner = pauses.slice(0, -1);
      expect(home.tries.length).toBeGreaterThan(200);
      expect(home.tries.length).toBeLessThan(400);
      expect(Math.min(...inner)).toBeGreaterThanOrEqual(6);
      expect(Math.max(...inner)).toBeLessThanOrEqual(38);
      expect(new Set(inner).size).toBeGreaterThan(10);
      const half = home.tries.filter((at) => at - (home.tries[0] ?? 0) < 2_500).length;
      expect(home.tries.length - half).toBeGreaterThan(half);
      expect((yield* home.tmux.requests).length).toBe(asked);
    }),
  );

  it.scoped("gives each of ten programs its turn within the bound, one after the other", () =>
    Effect.gen(function* () {
      const home = yield* counted;
      const owners = Array.from({ length: 10 }, (_, index) => `program-${index}`);
      const began = yield* Clock.currentTimeMillis;
      const turns = yield* Effect.forEach(owners, (owner) =>
        Effect.flatMap(home.program(owner), (sessions) =>
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
    }),
  );

  it("never keeps step with who comes and goes, whatever the time between", () => {
    for (const period of [25, 50, 75, 100, 125, 150, 175, 200, 250]) {
      const phases = new Set<number>();
      for (let at = 0, tries = 1; at < 5_000; tries++) {
        at += pauseOf(tries, at / 5_000, 25);
        phases.add(Math.floor(((at % period) / period) * 20));
      }
      expect(phases.size, `a period of ${period} ms`).toBe(20);
    }
  });
});

describe("a claim that is ours", () => {
  it.scoped("is given back after success, failure and interruption", () =>
    Effect.gen(function* () {
      const home = yield* fakeHome();
      const owners = () => [...home.store.claims.values()].map((claim) => claim.owner);
      yield* pass(home.sessions.create({ session: "a", ...sleep }));
      expect(owners()).toEqual([null]);
      yield* Effect.flip(pass(home.sessions.create({ session: "a", ...sleep })));
      expect(owners()).toEqual([null]);
      const create = home.sessions.create({ session: "b", ...sleep, startWindowMs: 5000 });
      const fiber = yield* Effect.fork(create);
      yield* TestClock.adjust("1 second");
      expect(owners()).toEqual([null, "program"]);
      yield* Effect.fork(Fiber.interrupt(fiber));
      yield* TestClock.adjust("1 minute");
      expect(owners()).toEqual([null, null]);
    }),
  );
});
