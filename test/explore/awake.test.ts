/**
 * Goal: grace is awake time: a suspend never takes it from one who would have come back. Method:
 * a machine that may be suspended at any step, a session that is reaped after 20 s without its
 * client, and a client that comes back after 15 s awake; in the twin the grace is a plain sleep.
 */
import { AwakeClock, AwakeMillis } from "@troupe/core";
import { Explore, FakeAwakeClock, type World } from "@troupe/testing";
import { Effect, Fiber } from "effect";
import { describe, expect, it } from "vitest";

const awakeIn = (ms: number) =>
  Effect.gen(function* () {
    const clock = yield* AwakeClock;
    yield* clock.sleepUntil(AwakeMillis((yield* clock.now) + ms));
  });

const orphan = (awake: boolean): World<unknown> => ({
  name: "a reap and a return, on a machine that may be suspended",
  sometimes: awake ? ["suspended", "came back after a suspend"] : [],
  start: () => {
    let [attached, reaped, suspended] = [false, false, false];
    const reaper = Effect.gen(function* () {
      yield* awake ? awakeIn(20_000) : Effect.sleep("20 seconds");
      yield* Explore.point("reap, if nobody is attached");
      if (!attached) reaped = true;
    });
    const client = Effect.gen(function* () {
      yield* awakeIn(15_000);
      yield* Explore.point("attach");
      attached = true;
      if (suspended) yield* Explore.reached("came back after a suspend");
    });
    const machine = Effect.forEach([5, 6, 7], () =>
      Effect.gen(function* () {
        const { suspend } = yield* FakeAwakeClock;
        const sleeps = yield* Explore.choose("the lid", ["open", "closed"]);
        if (sleeps === "closed") {
          suspended = true;
          yield* Explore.reached("suspended");
          yield* suspend("10 minutes");
        }
        yield* awakeIn(5_000);
      }),
    );
    const program = Effect.gen(function* () {
      const fibers = yield* Effect.forEach(
        [Explore.named("reaper")(reaper), Explore.named("client")(client)],
        Effect.fork,
      );
      yield* Explore.named("machine")(machine);
      yield* Fiber.joinAll(fibers);
    });
    return {
      program: Effect.provide(program, FakeAwakeClock.layer),
      check: () => (reaped ? "reaped before its client could come back" : null),
    };
  },
});

describe("grace", () => {
  it("in awake time is not used up by suspends, in any order", () => {
    const report = Explore.verify(orphan(true), { cost: Number.POSITIVE_INFINITY });
    expect(report.complete).toBe(true);
  });

  it("in a plain sleep is used up by one, which the table tells", () => {
    const { failure } = Explore.explore(orphan(false), { cost: 1 });
    expect(failure).toMatchObject({ kind: "violated", cost: 1 });
    expect(failure?.table).toContain("the machine was suspended for 10m");
  });
});
