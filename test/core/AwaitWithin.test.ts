/**
 * A wait with a bound: it gives what comes in time, and is not cut short where it must not be.
 */
import { describe, expect, it } from "@effect/vitest";
import { AwakeClock, AwakeMillis } from "@troupe/core";
import { FakeAwakeClock } from "@troupe/testing";
import { Context, Deferred, Effect, Fiber, Layer, Option, TestClock } from "effect";
import { awaitWithin } from "../../packages/core/src/AwaitWithin.js";
import { runs, settle } from "./TurnHome.js";

/** A wait of five seconds for the gate. */
const waiting = Effect.gen(function* () {
  const awake = Context.get(yield* Layer.build(FakeAwakeClock.layer), AwakeClock);
  const gate = yield* Deferred.make<string>();
  const until = AwakeMillis((yield* awake.now) + 5_000);
  return { gate, wait: awaitWithin(awake, until, Deferred.await(gate)) };
});

describe("a wait within a bound", () => {
  it.scoped("gives what comes in time, and nothing at its end", () =>
    Effect.gen(function* () {
      const { gate, wait } = yield* waiting;
      const first = yield* Effect.fork(wait);
      const late = yield* Effect.fork(wait);
      yield* settle;
      yield* Deferred.succeed(gate, "in time");
      expect(yield* Fiber.join(first)).toEqual(Option.some("in time"));
      yield* Fiber.join(late);
      const other = yield* waiting;
      const never = yield* Effect.fork(other.wait);
      yield* TestClock.adjust("4999 millis");
      expect(yield* runs(never)).toBe(true);
      yield* TestClock.adjust("1 millis");
      expect(yield* Fiber.join(never)).toEqual(Option.none());
    }),
  );

  it.scoped("is as long for who was asked to stop and cannot be, and over at once for others", () =>
    Effect.gen(function* () {
      const { gate, wait } = yield* waiting;
      const given: Array<unknown> = [];
      const noted = Effect.tap(wait, (value) => void given.push(value));
      const stubborn = yield* Effect.fork(Effect.uninterruptible(noted));
      const other = yield* Effect.fork(wait);
      yield* settle;
      yield* Fiber.interruptFork(stubborn);
      yield* Fiber.interrupt(other);
      const behind = yield* Effect.fork(Effect.ensuring(Effect.never, wait));
      yield* settle;
      yield* Fiber.interruptFork(behind);
      yield* TestClock.adjust("4 seconds");
      expect([yield* runs(stubborn), yield* runs(behind)]).toEqual([true, true]);
      yield* Deferred.succeed(gate, "in time");
      yield* Fiber.await(behind);
      yield* Fiber.await(stubborn);
      expect(given).toEqual([Option.some("in time")]);
    }),
  );
});
