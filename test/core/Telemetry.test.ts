/**
 * Telemetry: each metric moves by what it is the measure of, and by nothing else.
 *
 * They count for the whole process, so each test looks at a difference.
 */
import { describe, expect, it } from "@effect/vitest";
import { makeMailboxes, Telemetry, timed } from "@troupe/core";
import { Fault } from "@troupe/testing";
import { Deferred, Effect, Exit, Fiber, Metric, Scope, TestClock } from "effect";
import { fakeHome, pass, sleep } from "./FakeHome.js";

const gauges = Effect.all([Metric.value(Telemetry.actors), Metric.value(Telemetry.mailboxDepth)]);

const levels = Effect.map(gauges, ([actors, depth]) => ({
  actors: actors.value,
  depth: depth.value,
}));

/** How often, and how many milliseconds in all. */
const durations = (metric: Metric.Metric.Histogram<number>, outcome: string) =>
  Effect.map(
    Metric.value(Metric.tagged(Metric.tagged(metric, "unit", "ms"), "outcome", outcome)),
    ({ count, sum }) => ({
      count,
      sum,
    }),
  );

const growth = <A, E, R>(
  metric: Metric.Metric.Histogram<number>,
  outcome: string,
  effect: Effect.Effect<A, E, R>,
) =>
  Effect.gen(function* () {
    const before = yield* durations(metric, outcome);
    yield* effect;
    const after = yield* durations(metric, outcome);
    return { count: after.count - before.count, sum: after.sum - before.sum };
  });

const settle = Effect.repeatN(Effect.yieldNow(), 50);

describe("actors and mailbox depth", () => {
  it.scoped("follow the messages, also those that are taken out", () =>
    Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(8);
      const before = yield* levels;
      const go = yield* Deferred.make<void>();
      const ask = (name: string) => Effect.fork(mailboxes.ask(name, "test", Deferred.await(go)));
      const fibers = yield* Effect.all([ask("a"), ask("a"), ask("a"), ask("b")]);
      yield* settle;
      const busy = yield* levels;
      expect([busy.actors - before.actors, busy.depth - before.depth]).toEqual([2, 2]);
      yield* Fiber.interrupt(fibers[2]);
      expect((yield* levels).depth - before.depth).toBe(1);
      yield* Deferred.succeed(go, undefined);
      yield* Fiber.joinAll([fibers[0], fibers[1], fibers[3]]);
      yield* settle;
      expect(yield* levels).toEqual(before);
    }),
  );

  it.effect("are what they were when the mailboxes close over messages that wait", () =>
    Effect.gen(function* () {
      const before = yield* levels;
      const scope = yield* Scope.make();
      const mailboxes = yield* Scope.extend(makeMailboxes(8), scope);
      const go = yield* Deferred.make<void>();
      const ask = Effect.fork(mailboxes.ask("a", "test", Deferred.await(go)));
      const fibers = yield* Effect.all([ask, ask]);
      yield* settle;
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void));
      yield* settle;
      yield* Deferred.succeed(go, undefined);
      yield* Effect.forEach(fibers, Fiber.await);
      yield* Fiber.join(closing);
      expect(yield* levels).toEqual(before);
    }),
  );
});

describe("a duration", () => {
  it.effect("is as long as the effect took, by how it ended", () =>
    Effect.gen(function* () {
      const of = <A, E>(effect: Effect.Effect<A, E>) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(Effect.exit(timed(Telemetry.kill, effect)));
          yield* TestClock.adjust("1 second");
          yield* Fiber.interrupt(fiber);
        });
      const slow = Effect.sleep("250 millis");
      const [ok, failed, left] = [
        of(slow),
        of(Effect.zipRight(slow, Effect.fail({ _tag: "Refused" }))),
        of(Effect.never),
      ];
      expect(yield* growth(Telemetry.kill, "ok", ok)).toEqual({ count: 1, sum: 250 });
      expect(yield* growth(Telemetry.kill, "Refused", failed)).toEqual({ count: 1, sum: 250 });
      expect(yield* growth(Telemetry.kill, "interrupted", left)).toEqual({ count: 1, sum: 1_000 });
    }),
  );

  it.scoped("of calls to tmux is recorded for each call", () =>
    Effect.gen(function* () {
      const { sessions, tmux } = yield* fakeHome();
      const asked = Effect.map(tmux.requests, ({ length }) => length);
      const before = yield* asked;
      const grown = yield* growth(
        Telemetry.tmuxCall,
        "ok",
        pass(sessions.create({ session: "a", ...sleep })),
      );
      expect(grown.count).toBeGreaterThan(1);
      expect(grown.count).toBe((yield* asked) - before);
      yield* tmux.inject({ fault: Fault.hang });
      const look = pass(Effect.exit(sessions.capture("a")));
      expect(yield* growth(Telemetry.tmuxCall, "timeout", look)).toEqual({ count: 1, sum: 3_000 });
    }),
  );

  for (const [what, fault, outcome, leastMs] of [
    ["a proof", { _tag: "Slow", beforeMs: 0, afterMs: 700 }, "ok", 700],
    ["a doubt", Fault.hang, "KillUnconfirmed", 3_000],
  ] as const) {
    it.scoped(`of a kill ends with ${what}`, () =>
      Effect.gen(function* () {
        const { sessions, tmux } = yield* fakeHome();
        yield* pass(sessions.create({ session: "a", ...sleep }));
        yield* tmux.inject({ fault, times: 99, matches: ({ attempted }) => attempted === "kill" });
        const grown = yield* growth(
          Telemetry.kill,
          outcome,
          pass(Effect.exit(sessions.delete("a", { snapshot: false }))),
        );
        expect(grown.count).toBe(1);
        expect(grown.sum).toBeGreaterThanOrEqual(leastMs);
      }),
    );
  }
});
