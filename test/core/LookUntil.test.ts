/**
 * LookUntil: how often and when it looks, on a virtual clock.
 */
import { describe, expect, it } from "@effect/vitest";
import { lookUntil } from "@troupe/core";
import { Clock, Effect, Fiber, TestClock } from "effect";

const bound = { boundMs: 100, spacingMs: 30 };

/** Looks that are true from the n-th on; when each was made is collected. */
const looks = (trueFrom: number) => {
  const at: Array<number> = [];
  const look = Effect.map(Clock.currentTimeMillis, (now) => at.push(now) >= trueFrom);
  return { at, look };
};

const run = (trueFrom: number, firstMs?: number) =>
  Effect.gen(function* () {
    const { at, look } = looks(trueFrom);
    const fiber = yield* Effect.fork(lookUntil({ ...bound, firstMs }, look));
    yield* TestClock.adjust("1 second");
    return { at, held: yield* Fiber.join(fiber) };
  });

describe("looking until a bound", () => {
  it.effect("looks at once and needs no time when the fact holds", () =>
    Effect.map(run(1), (result) => expect(result).toEqual({ at: [0], held: true })),
  );

  it.effect("looks for the last time exactly at the bound", () =>
    Effect.map(run(99), (result) =>
      expect(result).toEqual({ at: [0, 30, 60, 90, 100], held: false }),
    ),
  );

  it.effect("looks sooner at first when told to, and then as seldom as ever", () =>
    Effect.map(run(99, 5), (result) =>
      expect(result).toEqual({ at: [0, 5, 15, 35, 65, 95, 100], held: false }),
    ),
  );

  it.effect("does not miss a fact that becomes true at the bound", () =>
    Effect.map(run(5), (result) => expect(result.held).toBe(true)),
  );
});
