/**
 * Goal: a crash loses exactly what a killed process loses. Method: programs over one file of two
 * lines, which must never be half written when somebody reads it; and what is left of a crash.
 */
import { Explore, type World } from "@troupe/testing";
import { Effect } from "effect";
import { describe, expect, it } from "vitest";

/** A transfer in two writes, after its intent when it is `safe`; then whoever finds it mends it. */
const transfers = (safe: boolean): World<string> => ({
  name: "a transfer in two writes",
  crash: true,
  sometimes: ["crashed"],
  start: () => {
    const disk = { from: 1, to: 0, intent: false };
    const write = (label: string, change: Partial<typeof disk>) =>
      Effect.zipRight(
        Explore.point(label),
        Effect.sync(() => void Object.assign(disk, change)),
      );
    const transfer = Effect.gen(function* () {
      if (safe) yield* write("write the intent", { intent: true });
      yield* write("take it from one", { from: 0 });
      yield* write("give it to the other", { to: 1 });
      if (safe) yield* write("end the intent", { intent: false });
    });
    const mend = Effect.suspend(() => (disk.intent ? transfer : Effect.void));
    const program = Effect.gen(function* () {
      const first = yield* Explore.program("first", transfer);
      const ending = yield* first.ending;
      if (ending._tag === "Crashed") yield* Explore.reached("crashed");
      yield* (yield* Explore.program("second", mend, { mayCrash: false })).ending;
      return `${disk.from} and ${disk.to}`;
    });
    const good = (sum: string) => sum === "1 and 0" || sum === "0 and 1";
    return {
      program,
      check: (sum) => (good(sum) ? null : `there is ${sum}`),
      state: () => JSON.stringify(disk),
    };
  },
});

describe("a crash between two writes", () => {
  it("is found, and the table says where", () => {
    const { failure } = Explore.explore(transfers(false), { cost: 1 });
    expect(failure).toMatchObject({ kind: "violated", message: "there is 0 and 0", cost: 1 });
    expect(failure?.table).toMatch(/first +first +crashes before give it to the other +◀ chosen/);
  });

  it("is mended in the twin that writes its intent first, wherever it crashes", () => {
    const report = Explore.verify(transfers(true), { cost: Number.POSITIVE_INFINITY });
    expect(report).toMatchObject({ complete: true, schedules: 5, states: 2 });
  });
});

/** A program that crashes at its second point, and what can be seen afterwards. */
const crashAtSecond = (seen: Array<string>): World<unknown> => ({
  name: "what a crash leaves",
  crash: true,
  time: true,
  start: () => {
    seen.length = 0;
    const says = (text: string) => Effect.sync(() => void seen.push(text));
    const victim = Effect.gen(function* () {
      yield* Effect.addFinalizer(() => says("finalizer"));
      yield* Effect.fork(Effect.zipRight(Effect.sleep("1 second"), says("child")));
      yield* Effect.forkDaemon(Effect.zipRight(Effect.sleep("1 second"), says("daemon")));
      yield* Explore.outside(
        Effect.forkDaemon(Effect.zipRight(Effect.sleep("1 second"), says("outside"))),
      );
      yield* Explore.point("first");
      yield* says("first");
      yield* Explore.point("second");
      yield* says("second");
      yield* Effect.sleep("2 seconds");
    });
    const onCrash = says("kernel");
    const program = Effect.gen(function* () {
      const { ending } = yield* Explore.program("victim", Effect.scoped(victim), { onCrash });
      yield* says((yield* ending)._tag);
      yield* Effect.sleep("5 seconds");
    });
    return { program, check: () => (seen.includes("kernel") ? seen.join(" ") : null) };
  },
});

describe("after a crash", () => {
  it("nothing of the program runs, what the kernel does is done, and others go on", () => {
    const seen: Array<string> = [];
    const { failure } = Explore.explore(crashAtSecond(seen), { cost: 1 });
    expect(failure?.message).toBe("kernel Crashed outside");
    const later: World<unknown> = {
      ...crashAtSecond(seen),
      start: () => {
        const { program } = crashAtSecond(seen).start();
        return {
          program,
          check: () => (seen[0] === "first" && seen[1] === "kernel" ? seen.join(" ") : null),
        };
      },
    };
    const second = Explore.explore(later, { cost: 1 }).failure;
    expect(second?.message).toBe("first kernel Crashed outside");
  });

  it("the finalizers run only when the run has been judged", () => {
    const seen: Array<string> = [];
    Explore.explore(crashAtSecond(seen), { cost: 1 });
    expect(seen).toContain("finalizer");
    expect(seen.indexOf("finalizer")).toBeGreaterThan(seen.indexOf("outside"));
  });
});
