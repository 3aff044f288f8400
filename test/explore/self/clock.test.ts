/**
 * The virtual clock of plain tests: who wakes when time is advanced, and in which order.
 */
import { expect, it } from "@effect/vitest";
import { VirtualClock } from "@troupe/testing";
import { Clock, Effect, Fiber, Schedule } from "effect";

it.effect(
  "wakes whoever sleeps in the order of their ends, ties in the order of their begins",
  () =>
    Effect.gen(function* () {
      const clock = yield* VirtualClock;
      const woken: Array<string> = [];
      const sleeper = (name: string, millis: number) =>
        Effect.fork(
          Effect.zipRight(
            Effect.sleep(millis),
            Effect.sync(() => woken.push(name)),
          ),
        );
      yield* Effect.all([sleeper("c", 30), sleeper("a", 10), sleeper("b", 20), sleeper("b2", 20)]);
      yield* clock.advance(20);
      expect([woken.join(" "), yield* Clock.currentTimeMillis, yield* clock.next]).toEqual([
        "a b b2",
        20,
        30,
      ]);
      yield* clock.advance("1 second");
      expect([woken.join(" "), yield* clock.next]).toEqual(["a b b2 c", null]);
    }).pipe(Effect.provide(VirtualClock.layer)),
);

it.effect("lets a poll go on between two wakes, and times out at its end", () =>
  Effect.gen(function* () {
    const clock = yield* VirtualClock;
    let polls = 0;
    const poll = Effect.sync(() => ++polls);
    const repeated = Effect.repeat(poll, Schedule.spaced("100 millis"));
    const fiber = yield* Effect.fork(Effect.timeoutOption(repeated, "950 millis"));
    yield* clock.advance("2 seconds");
    expect([(yield* Fiber.join(fiber))._tag, polls]).toEqual(["None", 10]);
  }).pipe(Effect.provide(VirtualClock.layer)),
);

it.effect("ends what sleeps for a part of a millisecond at a whole one", () =>
  Effect.gen(function* () {
    const clock = yield* VirtualClock;
    const fiber = yield* Effect.fork(Effect.zipRight(Effect.sleep(10.4), Clock.currentTimeMillis));
    yield* clock.advance(10);
    expect(fiber.unsafePoll()).toBeNull();
    yield* clock.advance(1);
    expect(yield* Fiber.join(fiber)).toBe(11);
  }).pipe(Effect.provide(VirtualClock.layer)),
);
