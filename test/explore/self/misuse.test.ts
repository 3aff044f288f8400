/**
 * Goal: a world or a budget that is wrong itself is told so, with a finding or an error that says
 * what; it never passes, hangs or throws out of an exploration.
 */
import { type Budgets, Explore, type World } from "@troupe/testing";
import { Clock, Effect } from "effect";
import { describe, expect, it } from "vitest";

const world = (start: World<unknown>["start"], rules: Partial<World<unknown>> = {}) => ({
  name: "misuse",
  start,
  ...rules,
});

const findingOf = (start: World<unknown>["start"], rules: Partial<World<unknown>> = {}) =>
  Explore.explore(world(start, rules), { cost: 1 }).failure;

const thrower = (message: string) => () => {
  throw new Error(message);
};

describe("budgets", () => {
  it("that would run nothing are refused, for what is verified would be nothing", () => {
    const failing = world(() => ({ program: Effect.fail("no") }));
    const wrong: ReadonlyArray<readonly [Budgets, string]> = [
      [{ cost: Number.NaN }, "cost must be a whole number from 0, not NaN"],
      [{ cost: -1 }, "cost must be a whole number from 0, not -1"],
      [{ cost: 0.5 }, "cost must be a whole number from 0, not 0.5"],
      [{ maxSchedules: 0 }, "maxSchedules must be a whole number from 1, not 0"],
      [{ uniformWalks: Number.NaN }, "uniformWalks must be a whole number from 0, not NaN"],
    ];
    for (const [budgets, message] of wrong) {
      expect(() => Explore.verify(failing, budgets)).toThrow(new RangeError(message));
    }
  });
});

describe("a world whose own code", () => {
  it("throws at its start or for its state has a finding", () => {
    expect(findingOf(thrower("no disk"))).toMatchObject({
      kind: "violated",
      message: "start threw: no disk",
    });
    expect(findingOf(() => ({ program: Effect.void, state: thrower("no sum") }))).toMatchObject({
      kind: "violated",
      message: "state threw: no sum",
    });
  });

  it("fails as the kernel has one with the schedule of the crash", () => {
    const crashing = (onCrash: Effect.Effect<void>) => () => ({
      program: Effect.flatMap(
        Explore.program("p", Explore.point("work"), { onCrash }),
        ({ ending }) => ending,
      ),
    });
    const died = findingOf(crashing(Effect.dieMessage("no lock")), { crash: true });
    expect(died?.message).toMatch(/^onCrash of p failed: .*no lock/);
    expect(died?.table).toContain("crashes before work");
    const waits = findingOf(crashing(Effect.sleep("1 second")), { crash: true });
    expect(waits?.message).toMatch(/^onCrash of p failed: .*cannot be resolved synchronously/);
  });

  it("asks for the time as the kernel gets the time of the run", () => {
    const times: Array<number> = [];
    const onCrash = Effect.map(Clock.currentTimeMillis, (time) => void times.push(time));
    const program = Effect.gen(function* () {
      yield* Effect.sleep("5 seconds");
      const { ending } = yield* Explore.program("p", Explore.point("work"), { onCrash });
      yield* ending;
    });
    Explore.verify(
      world(() => ({ program }), { crash: true }),
      { cost: 1 },
    );
    expect(times).toEqual([5000]);
  });

  it("chooses from nothing has a bug", () => {
    const program = Effect.suspend(() => Explore.choose("which", [] as unknown as [number]));
    expect(findingOf(() => ({ program }))?.message).toContain("which: nothing to choose from");
  });

  it("runs something by itself as it judges has escaped", () => {
    const check = () => void Effect.runFork(Effect.void);
    expect(findingOf(() => ({ program: Effect.void, check }))?.kind).toBe("escape");
  });
});

describe("a program that", () => {
  it("starts a daemon by runSync asks for real time, and the finding says where", () => {
    const beat = Effect.forkDaemon(Effect.sleep("1 second"));
    const program = Effect.sync(() => Effect.runSync(beat));
    const finding = findingOf(() => ({ program }));
    expect(finding?.kind).toBe("escape");
    expect(finding?.message).toMatch(/^asked for real time by setTimeout, .*misuse\.test/);
  });

  it("runs a promise of Effect's is told from where, although that is deep in Effect", () => {
    const program = Effect.promise(() => Effect.runPromise(Effect.void));
    expect(findingOf(() => ({ program }))?.message).toContain("misuse.test.ts");
  });

  it("has an observer that throws has failed", () => {
    const program = Effect.gen(function* () {
      const fiber = yield* Effect.fork(Explore.point("work"));
      fiber.addObserver(thrower("not told"));
      yield* Effect.yieldNow();
    });
    expect(findingOf(() => ({ program }))).toMatchObject({
      kind: "program failed",
      message: "an observer of a fiber threw: not told",
    });
  });

  it("waits for ever is blocked and leaves no real timer, also where it is not interrupted", () => {
    const timers = () => process.getActiveResourcesInfo().filter((what) => what === "Timeout");
    const before = timers().length;
    const program = Effect.uninterruptible(Effect.never);
    expect(findingOf(() => ({ program }))?.kind).toBe("deadlock");
    expect(timers().length).toBe(before);
  });

  it("neither gives way nor lets itself be interrupted is ended all the same", () => {
    let turns = 0;
    const spin: Effect.Effect<void> = Effect.suspend(() => {
      turns++;
      return spin;
    });
    const child = Explore.named("child")(Effect.uninterruptible(spin));
    const finding = findingOf(() => ({ program: Effect.forkDaemon(child) }));
    expect(finding).toMatchObject({ kind: "step limit", message: "child does not give way" });
    // It is run twice, and turns a million times before each verdict.
    expect(turns).toBeLessThan(2_100_000);
  });

  it("has real timers again when the exploration is over", () => {
    const before = [setTimeout, setInterval, setImmediate];
    findingOf(thrower("no"));
    expect([setTimeout, setInterval, setImmediate]).toEqual(before);
  });
});

describe("what must be reached", () => {
  it("may be reached in a quiet part, and by one that goes on when the root has ended", () => {
    const late = Effect.zipRight(Explore.point("later"), Explore.reached("late"));
    const program = Effect.zipRight(
      Explore.quietly(Explore.reached("quiet")),
      Explore.background(Effect.forkDaemon(late)),
    );
    const sometimes = ["quiet", "late"];
    const { reached } = Explore.verify(
      world(() => ({ program }), { sometimes }),
      { cost: 1 },
    );
    expect(reached).toEqual(sometimes);
  });

  it("is not reached by what a crashed program gives back after the verdict", () => {
    const dying = Effect.ensuring(Explore.point("work"), Explore.reached("gave back"));
    const program = Effect.flatMap(Explore.program("p", dying), ({ ending }) => ending);
    const start = () => ({ program, check: (how: unknown) => JSON.stringify(how) });
    const { failure, reached } = Explore.explore(world(start, { crash: true }), { cost: 0 });
    expect([failure?.kind, reached]).toEqual(["violated", ["gave back"]]);
    const crashed: World<unknown> = {
      ...world(() => ({
        program: Effect.flatMap(program, (how) =>
          (how as { _tag: string })._tag === "Crashed" ? Effect.void : Effect.die("not crashed"),
        ),
      })),
      crash: true,
    };
    const { table } = Explore.replay(crashed, "0:1/2~13y1l8");
    expect(table).toContain("crashes before work");
    expect(table).not.toContain("gave back");
  });
});
