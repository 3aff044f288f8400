/**
 * Goal: everything that would make an exploration hang, lie or leak is a finding of its own.
 */
import { Explore, type World } from "@troupe/testing";
import { Effect } from "effect";
import { describe, expect, it } from "vitest";

const world = (program: Effect.Effect<unknown, unknown>, rules: Partial<World<unknown>> = {}) => ({
  name: "bounds",
  start: () => ({ program }),
  ...rules,
});

const findingOf = (program: Effect.Effect<unknown, unknown>, rules: Partial<World<unknown>> = {}) =>
  Explore.explore(world(program, rules), { cost: 1 }).failure;

describe("a run that", () => {
  it("runs something on the default scheduler has escaped, and the finding says where", () => {
    const escaping = Effect.sync(() => Effect.runFork(Effect.void));
    const finding = findingOf(escaping);
    expect(finding?.kind).toBe("escape");
    expect(finding?.message).toContain("bounds.test.ts");
  });

  it("never ends is ended at its bound of steps", () => {
    const forever = Effect.forever(Effect.yieldNow());
    expect(findingOf(forever, { maxSteps: 100 })).toMatchObject({
      kind: "step limit",
      message: "did not end within 100 steps; not ended: root",
    });
  });

  it("does not give way is ended too, and named", () => {
    const spin: Effect.Effect<void> = Effect.suspend(() => spin);
    expect(findingOf(Explore.named("busy")(spin))).toMatchObject({
      kind: "step limit",
      message: "busy does not give way",
    });
  });

  it("leaves a fiber behind has leaked it, unless it was declared", () => {
    const beat = Effect.forever(Effect.sleep("1 second"));
    const daemon = Effect.forkDaemon(Explore.named("heart")(beat));
    expect(findingOf(daemon)).toMatchObject({
      kind: "leak",
      message: "still alive at the end: heart",
    });
    expect(findingOf(Explore.background(daemon))).toBe(null);
  });

  it("waits for the real world is a deadlock", () => {
    const real = Effect.async<void>(() => undefined);
    expect(findingOf(Explore.named("waiting")(real))?.message).toContain("waiting");
  });

  it("fails or dies has failed, with the cause", () => {
    expect(findingOf(Effect.fail("no"))).toMatchObject({ kind: "program failed" });
    expect(findingOf(Effect.dieMessage("a bug"))?.message).toContain("a bug");
  });

  it("fails an assertion inside its check is violated", () => {
    const start = () => ({ program: Effect.succeed(1), check: (n: unknown) => expect(n).toBe(2) });
    const report = Explore.explore({ name: "assertion", start: start as World<unknown>["start"] });
    expect(report.failure).toMatchObject({ kind: "violated" });
  });
});

describe("an exploration that", () => {
  it("never reached what it must reach has failed", () => {
    const finding = findingOf(Effect.void, { sometimes: ["both waited"] });
    expect(finding).toMatchObject({ kind: "unreached", message: "never reached: both waited" });
  });

  it("meets a world that changes by itself says that it is not deterministic", () => {
    let starts = 0;
    const changing: World<unknown> = {
      name: "changing",
      start: () => {
        const points = Effect.repeatN(Explore.point("a"), ++starts % 3);
        return { program: Effect.all([points, points], { concurrency: 2 }) };
      },
    };
    expect(Explore.explore(changing, { cost: 2 }).failure?.kind).toBe("not deterministic");
  });

  it("meets its bound of schedules says so, and is not exhausted", () => {
    const points = Effect.repeatN(Explore.point("a"), 5);
    const wide = world(Effect.all([points, points, points], { concurrency: 3 }));
    const report = Explore.explore(wide, { cost: 5, maxSchedules: 50 });
    expect(report).toMatchObject({
      schedules: 50,
      failure: null,
      complete: false,
      stoppedBy: "maxSchedules (50)",
    });
    expect(report.budgets.at(-1)?.exhausted).toBe(false);
    expect(Explore.printReport(report)).toContain("stopped by maxSchedules (50)");
  });
});

describe("time", () => {
  const slow = (labels: Array<string>) =>
    Effect.gen(function* () {
      const call = Effect.zipRight(
        Effect.repeatN(Explore.point("call"), 2),
        Effect.succeed("done"),
      );
      const answer = yield* Effect.timeoutTo(call, {
        duration: "1 second",
        onSuccess: (text) => text,
        onTimeout: () => "timeout",
      });
      labels.push(answer);
    });

  it("passes when nothing else can, and early only where the world says so", () => {
    for (const time of [false, true]) {
      const labels: Array<string> = [];
      Explore.verify(
        world(
          Effect.suspend(() => slow(labels)),
          { time },
        ),
        { cost: 1 },
      );
      expect(new Set(labels)).toEqual(new Set(time ? ["done", "timeout"] : ["done"]));
    }
  });

  it("stands still while work is done, and moves to the end of each sleep", () => {
    const program = Effect.gen(function* () {
      yield* Effect.sleep("3 seconds");
      yield* Effect.yieldNow();
      const { currentTimeMillis } = yield* Effect.clock;
      return yield* currentTimeMillis;
    });
    Explore.verify({
      name: "time",
      start: () => ({ program, check: (n) => (n === 3000 ? null : `${n}`) }),
    });
  });
});
