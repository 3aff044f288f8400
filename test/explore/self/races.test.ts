/**
 * Goal: the explorer finds the races that it is for. Method: each bug is planted in a small world
 * and must be found within its budget; its twin without the bug must be exhausted clean.
 */
import { Explore, type World } from "@troupe/testing";
import { Effect } from "effect";
import { describe, expect, it, vi } from "vitest";

vi.setConfig({ testTimeout: 60_000 });

const withdrawals = (guarded: boolean): World<unknown> => ({
  name: "two withdrawals from one account",
  sometimes: guarded ? [] : ["both have read"],
  start: () => {
    let balance = 2;
    let reading = 0;
    const lock = Effect.unsafeMakeSemaphore(1);
    const withdraw = (who: string) => {
      const steps = Effect.gen(function* () {
        yield* Explore.point("read the balance");
        const seen = balance;
        if (++reading === 2) yield* Explore.reached("both have read");
        yield* Explore.point("write the balance");
        reading--;
        balance = seen - 1;
      });
      return Explore.named(who)(guarded ? lock.withPermits(1)(steps) : steps);
    };
    return {
      program: Effect.all([withdraw("a"), withdraw("b")], { concurrency: 2 }),
      check: () => (balance === 0 ? null : `the balance is ${balance}, not 0`),
      state: () => String(balance),
    };
  },
});

describe("a lost update", () => {
  it("is found in production order, where both read before either writes", () => {
    const { failure, schedules } = Explore.explore(withdrawals(false));
    expect(failure).toMatchObject({
      kind: "violated",
      message: "the balance is 1, not 0",
      cost: 0,
    });
    expect(schedules).toBe(1);
    const lines = (failure?.table.split("\n") ?? []).slice(1).map((l) => l.trim().split(/ {2,}/));
    expect(lines.map(([, runtime, fiber, does]) => [runtime, fiber, does])).toEqual([
      ["world", "a", "read the balance"],
      ["world", "b", "read the balance"],
      ["world", "b", "reached: both have read"],
      ["world", "a", "write the balance"],
      ["world", "b", "write the balance"],
    ]);
  });

  it("is not in the twin that holds a lock, at any cost", () => {
    const report = Explore.verify(withdrawals(true), { cost: Number.POSITIVE_INFINITY });
    expect(report).toMatchObject({ complete: true, states: 1, stoppedBy: null });
  });
});

const philosophers = (ordered: boolean): World<unknown> => ({
  name: "two forks, two philosophers",
  start: () => {
    const forks = [Effect.unsafeMakeSemaphore(1), Effect.unsafeMakeSemaphore(1)] as const;
    const eat = (who: string, [first, second]: readonly [0 | 1, 0 | 1]) =>
      Explore.point("take the first fork").pipe(
        Effect.zipRight(
          forks[first].withPermits(1)(
            Effect.zipRight(
              Explore.point("take the second fork"),
              forks[second].withPermits(1)(Explore.point("eat")),
            ),
          ),
        ),
        Explore.named(who),
      );
    const order = ordered ? ([0, 1] as const) : ([1, 0] as const);
    return { program: Effect.all([eat("plato", [0, 1]), eat("kant", order)], { concurrency: 2 }) };
  },
});

describe("a deadlock", () => {
  it("is found, with who is blocked and what each did last", () => {
    const { failure } = Explore.explore(philosophers(false));
    expect(failure?.kind).toBe("deadlock");
    expect(failure?.message).toContain("plato (take the second fork)");
    expect(failure?.message).toContain("kant (take the second fork)");
  });

  it("is not in the twin that takes the forks in one order, at any cost", () => {
    const report = Explore.verify(philosophers(true), { cost: Number.POSITIVE_INFINITY });
    expect(report.complete).toBe(true);
  });
});

/** Two programs look whether a name is free and then take it, with or without a comparison. */
const twoPrograms = (compares: boolean): World<unknown> => ({
  name: "two programs take one name",
  start: () => {
    let owner: string | null = null;
    const won: Array<string> = [];
    const take = (who: string) =>
      Effect.gen(function* () {
        yield* Explore.point("look");
        if (owner !== null) return;
        yield* Explore.point("take");
        if (compares && owner !== null) return;
        owner = who;
        won.push(who);
      });
    const program = Effect.gen(function* () {
      const first = yield* Explore.program("first", take("first"));
      yield* Explore.point("start the second");
      const second = yield* Explore.program("second", take("second"));
      yield* first.ending;
      yield* second.ending;
    });
    return {
      program,
      check: () => (won.length === 1 ? null : `taken by ${won.join(" and ")}`),
      state: () => `${owner}`,
    };
  },
});

describe("check-then-act across two programs", () => {
  it("is found, and the table names the programs", () => {
    const { failure } = Explore.explore(twoPrograms(false), { cost: 2 });
    expect(failure).toMatchObject({ kind: "violated", message: "taken by first and second" });
    expect(failure?.table).toMatch(/first +first +look/);
    expect(failure?.table).toMatch(/second +second +take/);
  });

  it("is not in the twin that compares as it takes, at any cost", () => {
    const report = Explore.verify(twoPrograms(true), { cost: Number.POSITIVE_INFINITY });
    expect(report).toMatchObject({ complete: true, states: 2 });
  });
});

describe("walks", () => {
  const late: World<unknown> = {
    name: "a bug at depth 3",
    start: () => {
      const seen: Array<string> = [];
      const steps = (who: string) =>
        Effect.forEach([1, 2, 3], (n) =>
          Effect.zipRight(
            Explore.point(`${who}${n}`),
            Effect.sync(() => seen.push(`${who}${n}`)),
          ),
        );
      const bug = "a1 c1 c2 c3 a2 b1 b2 b3 a3";
      return {
        program: Effect.all([steps("a"), steps("b"), steps("c")], { concurrency: 3 }),
        check: () => (seen.join(" ") === bug ? "that order" : null),
      };
    },
  };

  it("find what no small budget does, the same one for the same seed", () => {
    for (const budgets of [{ uniformWalks: 20_000 }, { priorityWalks: 20_000 }]) {
      const explore = () => Explore.explore(late, { cost: 0, seed: 7, ...budgets });
      const [once, again] = [explore(), explore()];
      expect(once.failure?.kind).toBe("violated");
      expect(again.failure?.replay).toBe(once.failure?.replay);
      expect(again.schedules).toBe(once.schedules);
    }
  });
});
