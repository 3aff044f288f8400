/**
 * Looks: pauses double up to a bound, a look that takes long is seldom taken, and what could not be
 * looked at is known.
 */
import { describe, expect, it } from "@effect/vitest";
import { LookupFailed } from "@troupe/core";
import { Clock, Effect, Fiber, TestClock } from "effect";
import { Looks } from "../../packages/core/src/Looks.js";

const failure = new LookupFailed({
  session: "a",
  attempted: "wait",
  source: "tmux",
  reason: "permission",
  detail: "no",
});

describe("looks", () => {
  it.effect("are further and further apart, up to a bound, and near again behind a long rest", () =>
    Effect.gen(function* () {
      const looks = new Looks(0, 50, 300);
      const pauses: Array<number> = [];
      for (let i = 0; i < 5; i++) {
        yield* looks.take(Effect.void);
        const now = yield* Clock.currentTimeMillis;
        pauses.push(looks.dueMs - now);
        yield* TestClock.setTime(looks.dueMs);
        looks.rest(looks.dueMs + 299);
      }
      expect(pauses).toEqual([50, 100, 200, 300, 300]);
      looks.rest(looks.dueMs + 300);
      yield* looks.take(Effect.void);
      expect(looks.dueMs - (yield* Clock.currentTimeMillis)).toBe(50);
    }),
  );

  it.effect("take a fifth of the time at most", () =>
    Effect.gen(function* () {
      const looks = new Looks(0, 50, 300);
      const fiber = yield* Effect.fork(looks.take(Effect.sleep("1 second")));
      yield* TestClock.adjust("1 second");
      expect(yield* Fiber.join(fiber)).toEqual({ told: undefined });
      expect(looks.dueMs).toBe(5_000);
    }),
  );

  it.effect("leave a doubt when none was had, the last one failed, or one takes long", () =>
    Effect.gen(function* () {
      const looks = new Looks(0, 50, 300);
      const doubt = Effect.map(Clock.currentTimeMillis, (now) => looks.doubt(now, "a", "wait"));
      expect(yield* doubt).toMatchObject({ _tag: "LookupFailed", reason: "timeout" });
      expect(yield* looks.take(Effect.succeed(7))).toEqual({ told: 7 });
      expect(yield* doubt).toBeNull();
      expect(yield* looks.take(Effect.fail(failure))).toBeNull();
      expect(yield* doubt).toBe(failure);
      yield* looks.take(Effect.void);
      const fiber = yield* Effect.fork(looks.take(Effect.never));
      yield* TestClock.adjust("249 millis");
      expect(yield* doubt).toBeNull();
      yield* TestClock.adjust("1 millis");
      expect(yield* doubt).toMatchObject({ _tag: "LookupFailed", reason: "timeout" });
      yield* Fiber.interrupt(fiber);
    }),
  );
});
