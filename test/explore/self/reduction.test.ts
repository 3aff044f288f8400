/**
 * Goal: no schedule is run that cannot differ from another. Method: worlds whose number of
 * different schedules is known from the orders of their points; and what is quiet chooses nothing.
 */
import { Explore, type World } from "@troupe/testing";
import { Deferred, Effect, type Exit, Scope } from "effect";
import { describe, expect, it } from "vitest";

const all = { cost: Number.POSITIVE_INFINITY };

/** Fibers that hand on to each other without a point. */
const handingOn = Effect.all([Effect.yieldNow(), Effect.yieldNow(), Effect.yieldNow()], {
  concurrency: 3,
});

const labels = (who: string, log: Array<string>) =>
  Effect.forEach([1, 2], (n) =>
    Explore.point(`${who}${n}`).pipe(
      Effect.zipRight(Effect.sync(() => log.push(`${who}${n}`))),
      Effect.zipRight(Effect.yieldNow()),
    ),
  );

describe("two programs", () => {
  it("interleave at their points alone: two points each are six orders", () => {
    const world: World<unknown> = {
      name: "two points each",
      start: () => {
        const log: Array<string> = [];
        const program = Effect.gen(function* () {
          const programs = [
            yield* Explore.program("a", labels("a", log)),
            yield* Explore.program("b", labels("b", log)),
          ];
          yield* Effect.forEach(programs, ({ ending }) => ending);
        });
        return { program, state: () => log.join(" ") };
      },
    };
    expect(Explore.verify(world, all)).toMatchObject({ complete: true, schedules: 10, states: 6 });
  });

  it("are explored inside: the fibers of one program meet in every order", () => {
    const world: World<unknown> = {
      name: "inside a program",
      start: () => {
        const log: Array<string> = [];
        const both = Effect.all([labels("x", log), labels("y", log)], { concurrency: 2 });
        const program = Effect.flatMap(Explore.program("a", both), ({ ending }) => ending);
        return { program, state: () => log.join(" ") };
      },
    };
    expect(Explore.verify(world, all)).toMatchObject({ complete: true, states: 6 });
  });
});

describe("what is quiet", () => {
  const world = (program: Effect.Effect<unknown>): World<unknown> => ({
    name: "quiet",
    crash: true,
    granularity: "visible",
    start: () => ({ program }),
  });

  it("chooses nothing: no order, no point, no outcome", () => {
    const outcome = Effect.flatMap(Explore.choose("which", ["first", "second"]), (which) =>
      which === "first" ? handingOn : Effect.dieMessage("chosen"),
    );
    const quiet = Explore.quietly(Effect.zipRight(Explore.point("silent"), outcome));
    const report = Explore.verify(world(quiet), all);
    expect(report).toMatchObject({ complete: true, schedules: 1 });
    expect(Explore.verify(world(handingOn), { cost: 1 }).schedules).toBeGreaterThan(1);
  });

  it("ends: a fiber that was forked in it and lives on is as any other", () => {
    const program = Effect.gen(function* () {
      const go = yield* Deferred.make<void>();
      const later = Effect.zipRight(Deferred.await(go), labels("later", []));
      const fiber = yield* Explore.quietly(Effect.fork(later));
      yield* Deferred.succeed(go, undefined);
      yield* labels("root", []);
      yield* fiber.await;
    });
    const ports: World<unknown> = { ...world(program), granularity: "ports" };
    expect(Explore.verify(ports, all).schedules).toBeGreaterThan(1);
  });

  it("closes a scope, with finalizers in the usual order and the exit of the use", () => {
    const log: Array<string> = [];
    const says = (text: string) => (exit: Exit.Exit<unknown, unknown>) =>
      Effect.sync(() => void log.push(`${text} ${exit._tag}`));
    const use = Effect.gen(function* () {
      yield* Effect.addFinalizer(says("first"));
      yield* Effect.addFinalizer((exit) => Effect.zipRight(handingOn, says("second")(exit)));
      yield* Scope.addFinalizer(yield* Effect.scope, Effect.void);
      return yield* Effect.fail("no");
    });
    const report = Explore.verify(world(Effect.ignore(Explore.scoped(use))), { cost: 1 });
    expect([report.schedules, log]).toEqual([1, ["second Failure", "first Failure"]]);
  });
});
