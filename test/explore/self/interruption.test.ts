/**
 * Goal: an interruption is tried wherever Effect may take it, also between two operations of which
 * the second begins a region that cannot be interrupted. Method: a thing that is taken and noted.
 */
import { Explore, type World } from "@troupe/testing";
import { Effect } from "effect";
import { describe, expect, it } from "vitest";

/** Takes a thing and then notes it, uninterruptibly; `whole` is the taking and the noting. */
const takes = (whole: boolean): World<unknown> => ({
  name: "take a thing, then note it",
  granularity: "visible",
  start: () => {
    let [taken, noted] = [0, 0];
    const take = Effect.sync(() => void taken++);
    const note = Effect.sync(() => void noted++);
    const both = whole
      ? Effect.uninterruptible(Effect.zipRight(take, note))
      : Effect.zipRight(take, Effect.uninterruptible(note));
    return {
      program: Explore.interruptible("taker", both),
      check: () => (taken === noted ? null : `${taken} taken, ${noted} noted`),
      state: () => `${taken} ${noted}`,
    };
  },
});

describe("an interruption just before a region that cannot be interrupted", () => {
  it("is found, and said so", () => {
    const { failure } = Explore.explore(takes(false), { cost: 1 });
    expect(failure).toMatchObject({ kind: "violated", message: "1 taken, 0 noted", cost: 1 });
    expect(failure?.table).toMatch(/taker +yields before it becomes uninterruptible +◀ chosen/);
    expect(Explore.replay(takes(false), failure?.replay ?? "")._tag).toBe("Failed");
  });

  it("is not in the twin whose region is the whole, which it ends before or not at all", () => {
    const report = Explore.verify(takes(true), { cost: Number.POSITIVE_INFINITY });
    expect(report).toMatchObject({ complete: true, states: 2 });
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
