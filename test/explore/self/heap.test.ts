/**
 * Goal: an exploration can go on for as long as one likes. Method: 20 000 runs that leave behind
 * crashed programs, sleepers and fibers that wait for ever; the heap must be level after the first
 * tenth of them.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Explore, type World } from "@troupe/testing";
import { Deferred, Effect } from "effect";
import { expect, it, vi } from "vitest";

vi.setConfig({ testTimeout: 60_000 });

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const megabytes = (): number => {
  collect();
  return process.memoryUsage().heapUsed / 1024 / 1024;
};

const wasteful: World<unknown> = {
  name: "leaves much behind",
  crash: true,
  time: true,
  start: () => {
    const ballast = new Array<number>(1_000).fill(0);
    const stuck = Effect.flatMap(Deferred.make<void>(), Deferred.await);
    const beat = Effect.forever(Effect.sleep("1 second"));
    const program = Effect.gen(function* () {
      yield* Explore.background(Effect.forkDaemon(Effect.uninterruptible(stuck)));
      yield* Explore.background(Effect.forkDaemon(beat));
      const work = Effect.gen(function* () {
        yield* Explore.point("first");
        yield* Effect.sleep("1 second");
        yield* Explore.point("second");
      });
      const ends = [yield* Explore.program("a", work), yield* Explore.program("b", work)];
      yield* Effect.forEach(ends, ({ ending }) => ending);
      return ballast.length;
    });
    return { program };
  },
};

it("keeps nothing of a run: the heap is level over 20 000 of them", () => {
  const walk = (seed: number) =>
    Explore.verify(wasteful, { cost: 0, uniformWalks: 1_999, seed }).schedules;
  expect(walk(0)).toBe(2_000);
  const level = megabytes();
  for (let seed = 1; seed < 10; seed++) walk(seed * 2_000);
  // A kept run holds more than 10 kB, 18 000 of them 180 MB.
  expect(megabytes() - level).toBeLessThan(5);
});
