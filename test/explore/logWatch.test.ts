/**
 * wait ∥ write ∥ wake: whoever waits for a number to change is woken by the write, and not only by
 * a look that comes later.
 *
 * Two who wait until they have seen the change, one who writes and wakes, points around each look
 * and before the write; then the same with a switch before every operation that can be seen. Time
 * may not pass: a wake that is lost would be made good by it. The twin wakes before it writes.
 */
import { makeLogWatch } from "@troupe/sqlite";
import { Explore, type World } from "@troupe/testing";
import { Clock, Effect } from "effect";
import { describe, expect, it, vi } from "vitest";

vi.setConfig({ testTimeout: 120_000 });

const world = (
  name: string,
  granularity: "ports" | "visible",
  write: (wake: Effect.Effect<void>, change: Effect.Effect<void>) => Effect.Effect<void>,
): World<number> => ({
  name,
  granularity,
  start: () => {
    let last = 0;
    const look = Explore.point("look").pipe(
      Effect.zipRight(Effect.sync(() => last)),
      Effect.zipLeft(Explore.point("told")),
    );
    const change = Effect.zipRight(
      Explore.point("write"),
      Effect.sync(() => void last++),
    );
    const program = Effect.gen(function* () {
      const { awaitOther, wake } = yield* makeLogWatch(look, 100);
      const waiter = Effect.gen(function* () {
        let seen = 0;
        while (seen === 0) {
          yield* awaitOther(seen);
          seen = yield* look;
        }
      });
      const all = [
        Explore.named("writer")(write(wake, change)),
        Explore.named("first")(waiter),
        Explore.named("second")(waiter),
      ];
      yield* Effect.all(all, { concurrency: "unbounded" });
      return yield* Clock.currentTimeMillis;
    });
    return {
      program: Explore.scoped(program),
      check: (ms) => (ms === 0 ? null : `somebody was told only after ${ms} ms`),
    };
  },
});

describe("wait ∥ write ∥ wake", () => {
  for (const [granularity, cost] of [
    ["ports", 3],
    ["visible", 2],
  ] as const) {
    it(`tells everybody by the write, whoever comes first, with ${granularity}`, () => {
      const name = `wait ∥ write ∥ wake, ${granularity}`;
      const right = world(name, granularity, (wake, change) => Effect.zipRight(change, wake));
      const report = Explore.verify(right, { cost });
      console.log(Explore.printReport(report));
      expect(report.budgets.every(({ exhausted }) => exhausted)).toBe(true);
    });
  }

  it("does not when the wake comes before the write", () => {
    const flawed = (wake: Effect.Effect<void>, change: Effect.Effect<void>) =>
      Effect.zipRight(wake, change);
    const twin = world("wait ∥ write ∥ wake, twin", "ports", flawed);
    const { failure } = Explore.explore(twin, { cost: 3, priorityWalks: 2_000 });
    expect(failure?.message).toMatch(/^somebody was told only after/);
  });
});
