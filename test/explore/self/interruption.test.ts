/**
 * Goal: an interruption is tried wherever Effect may take it, also between two operations of which
 * the second begins a region that cannot be interrupted. Method: a thing that is taken and noted.
 */
import { Explore, type World } from "@troupe/testing";
import { Effect } from "effect";
import { describe, expect, it } from "vitest";

const { uninterruptible, zipRight } = Effect;

/** Takes a thing and then notes it; `guarded` says what of it cannot be interrupted. */
type Guarded = (take: Effect.Effect<void>, note: Effect.Effect<void>) => Effect.Effect<void>;
const whole: Guarded = (take, note) => uninterruptible(zipRight(take, note));
const noting: Guarded = (take, note) => zipRight(take, uninterruptible(note));

const takes = (guarded: Guarded): World<unknown> => ({
  name: "take a thing, then note it",
  granularity: "visible",
  start: () => {
    let [taken, noted] = [0, 0];
    const take = Effect.sync(() => void taken++);
    const note = Effect.sync(() => void noted++);
    return {
      program: Explore.interruptible("taker", guarded(take, note)),
      check: () => (taken === noted ? null : `${taken} taken, ${noted} noted`),
      state: () => `${taken} ${noted}`,
    };
  },
});

describe("an interruption just before a region that cannot be interrupted", () => {
  it("is found, and said so", () => {
    const { failure } = Explore.explore(takes(noting), { cost: 1 });
    expect(failure).toMatchObject({ kind: "violated", message: "1 taken, 0 noted", cost: 1 });
    expect(failure?.table).toMatch(/taker +yields before it becomes uninterruptible +◀ chosen/);
    expect(Explore.replay(takes(noting), failure?.replay ?? "")._tag).toBe("Failed");
  });

  it("is not in the twin whose region is the whole, which it ends before or not at all", () => {
    const report = Explore.verify(takes(whole), { cost: Number.POSITIVE_INFINITY });
    expect(report).toMatchObject({ complete: true, states: 2 });
  });

  it("is not tried where the fiber cannot be interrupted already", () => {
    const nested = takes((take, note) => uninterruptible(noting(take, note)));
    const { schedules } = Explore.verify(nested, { cost: Number.POSITIVE_INFINITY });
    const flat = Explore.verify(takes(whole), { cost: Number.POSITIVE_INFINITY });
    expect(schedules).toBe(flat.schedules);
  });
});

it("a point that an interrupted fiber does not get to is not told as if it did", () => {
  let done = false;
  const world: World<unknown> = {
    name: "an interrupted use",
    start: () => {
      done = false;
      const use = Effect.zipRight(
        Explore.point("use it"),
        Effect.sync(() => {
          done = true;
        }),
      );
      return {
        program: Explore.interruptible("user", use),
        check: () => (done ? null : "not used"),
      };
    },
  };
  const { failure } = Explore.explore(world, { cost: 1 });
  expect(failure?.table).toMatch(/user +ends, and does not use it/);
  expect(failure?.table).not.toMatch(/user +use it/);
});
