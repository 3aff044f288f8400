/**
 * The live clock of awake time, on the kernel's: it follows it while nothing stops the program,
 * and the waits on it are as long as they say.
 */
import { expect, it } from "@effect/vitest";
import { AwakeClock, AwakeMillis } from "@troupe/core";
import { NodeAwakeClock } from "@troupe/node";
import { Effect, Fiber } from "effect";

const kernelMs = Effect.sync(() => Number(process.hrtime.bigint()) / 1e6);

it.scopedLive("follows the kernel's monotonic clock and never goes back", () =>
  Effect.gen(function* () {
    const clock = yield* AwakeClock;
    const start = yield* kernelMs;
    const first = yield* clock.now;
    let [seen, last, stalled] = [yield* kernelMs, first, 0];
    while (seen - start < 50) {
      const now = yield* clock.now;
      expect(now).toBeGreaterThanOrEqual(last);
      const at = yield* kernelMs;
      // What a machine under load took from us for so long is not counted as awake.
      stalled += Math.max(0, at - seen - 1_000);
      [seen, last] = [at, now];
    }
    expect(last - first).toBeLessThanOrEqual(seen - start);
    expect(last - first).toBeGreaterThan(25 - stalled);
  }).pipe(Effect.provide(NodeAwakeClock.layer)),
);

it.scopedLive("ends waits in order and none of them early, also over several of its looks", () =>
  Effect.gen(function* () {
    const clock = yield* AwakeClock;
    const start = yield* clock.now;
    const ends: Array<number> = [];
    const wait = (ms: number) =>
      Effect.fork(
        Effect.zipRight(
          clock.sleepUntil(AwakeMillis(start + ms)),
          Effect.map(clock.now, (now) => {
            expect(now - start).toBeGreaterThanOrEqual(ms);
            ends.push(ms);
          }),
        ),
      );
    const waits = yield* Effect.forEach([2_200, 40, 0, 80], wait);
    yield* Fiber.joinAll(waits);
    expect(ends).toEqual([0, 40, 80, 2_200]);
  }).pipe(Effect.provide(NodeAwakeClock.layer)),
);
