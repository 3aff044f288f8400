/**
 * LogWatch: everybody who waits is told, for the price of one look now and then.
 *
 * Method: a look that counts itself and gives a number that the test sets, or fails; the clock
 * moves when the test says so.
 */
import { describe, expect, it } from "@effect/vitest";
import { makeLogWatch } from "@troupe/sqlite";
import { Effect, Fiber, Option, TestClock } from "effect";

const watched = Effect.gen(function* () {
  const log = { last: 0, looks: 0, failing: false };
  const look = Effect.suspend(() => {
    log.looks++;
    return log.failing ? Effect.fail("unreadable") : Effect.succeed(log.last);
  });
  const { awaitOther, wake } = yield* makeLogWatch(look, 100);
  /** Waiters that are where they wait. */
  const waiters = (count: number) =>
    Effect.zipLeft(
      Effect.replicateEffect(Effect.fork(Effect.either(awaitOther(log.last))), count),
      TestClock.adjust(0),
    );
  return { log, awaitOther, wake, waiters };
});

const done = (fibers: ReadonlyArray<Fiber.RuntimeFiber<unknown>>) =>
  Effect.map(
    Effect.forEach(fibers, (fiber) => fiber.poll),
    (exits) => exits.filter(Option.isSome).length,
  );

describe("a watch", () => {
  it.scoped("costs one look in a spacing, however many wait, and none when nobody does", () =>
    Effect.gen(function* () {
      const { log, waiters } = yield* watched;
      const fibers = yield* waiters(10);
      expect(log.looks).toBe(10);
      yield* TestClock.adjust("1 second");
      expect([log.looks, yield* done(fibers)]).toEqual([20, 0]);
      yield* Fiber.interruptAll(fibers);
      yield* TestClock.adjust("1 second");
      expect(log.looks).toBe(20);
      yield* Fiber.interruptAll(yield* waiters(1));
    }),
  );

  it.scoped("tells all of them at its next look, and those who come back of the next one", () =>
    Effect.gen(function* () {
      const { awaitOther, log, waiters } = yield* watched;
      for (const last of [1, 2, 3]) {
        const fibers = yield* waiters(3);
        log.last = last;
        yield* TestClock.adjust("99 millis");
        expect(yield* done(fibers)).toBe(0);
        yield* TestClock.adjust("1 millis");
        expect(yield* done(fibers)).toBe(3);
      }
      yield* awaitOther(2);
      const { looks } = log;
      yield* waiters(3);
      yield* TestClock.adjust("1 second");
      expect(log.looks - looks).toBe(3 + 10);
    }),
  );

  it.scoped("tells at once who is woken, and lets wait who was woken for nothing", () =>
    Effect.gen(function* () {
      const { log, waiters, wake } = yield* watched;
      const fibers = yield* waiters(2);
      yield* wake;
      yield* TestClock.adjust(0);
      expect(yield* done(fibers)).toBe(0);
      log.last = 1;
      yield* wake;
      yield* TestClock.adjust(0);
      expect(yield* done(fibers)).toBe(2);
    }),
  );

  it.scoped("ends in the failure of a look for everybody, and goes on behind it", () =>
    Effect.gen(function* () {
      const { log, waiters } = yield* watched;
      const fibers = yield* waiters(2);
      log.failing = true;
      yield* TestClock.adjust("100 millis");
      const ends = yield* Effect.forEach(fibers, Fiber.join);
      expect(ends.map((end) => end._tag)).toEqual(["Left", "Left"]);
      log.failing = false;
      const again = yield* waiters(1);
      log.last = 1;
      yield* TestClock.adjust("100 millis");
      expect(yield* done(again)).toBe(1);
    }),
  );
});
