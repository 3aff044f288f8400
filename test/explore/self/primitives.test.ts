/**
 * Goal: the visible granularity finds what needs a scheduler that yields between two operations.
 * Method: primitives of Effect 3.22.4 that are known to break there, and ones that do not.
 */
import { Explore, type World } from "@troupe/testing";
import { Deferred, Effect, Fiber, Mailbox, Queue, RcMap, Scope } from "effect";
import { describe, expect, it, vi } from "vitest";

vi.setConfig({ testTimeout: 60_000 });

interface HandOver {
  readonly take: Effect.Effect<number>;
  readonly offer: Effect.Effect<unknown>;
}

const handOver = (make: Effect.Effect<HandOver>): World<number> => ({
  name: "one taker, one offer",
  granularity: "visible",
  start: () => ({
    program: Effect.gen(function* () {
      const { offer, take } = yield* make;
      const taker = yield* Effect.fork(Explore.named("taker")(take));
      yield* offer;
      return yield* Fiber.join(taker);
    }),
    check: (taken) => (taken === 1 ? null : `took ${taken}`),
  }),
});

const mailbox = Effect.map(Mailbox.make<number>(), (m) => ({
  take: Effect.orDie(m.take),
  offer: m.offer(1),
}));
const queue = Effect.map(Queue.unbounded<number>(), (q) => ({
  take: Queue.take(q),
  offer: Queue.offer(q, 1),
}));
const deferred = Effect.map(Deferred.make<number>(), (d) => ({
  take: Deferred.await(d),
  offer: Deferred.succeed(d, 1),
}));

describe("a lost wake-up", () => {
  it("is found in Mailbox, whose take looks and then registers", () => {
    const { failure } = Explore.explore(handOver(mailbox), { cost: 3 });
    expect(failure).toMatchObject({ kind: "deadlock", cost: 3 });
    expect(failure?.message).toContain("taker");
    expect(failure?.table).toMatch(/taker +yields before/);
  });

  it("is not in Mailbox where fibers switch only as they wait, at any cost", () => {
    const world: World<number> = { ...handOver(mailbox), granularity: "ports" };
    expect(Explore.verify(world, { cost: Number.POSITIVE_INFINITY }).complete).toBe(true);
  });

  it("is not in Queue and Deferred, at the same cost", () => {
    for (const make of [queue, deferred]) {
      const { budgets } = Explore.verify(handOver(make), { cost: 3 });
      expect(budgets.map(({ exhausted }) => exhausted)).toEqual([true, true, true, true]);
    }
  });
});

/** How one key's resource is had; the scope is that of the user. */
type Get = Effect.Effect<unknown, never, Scope.Scope>;

/** Two users of one key at once, and how many of its resource are alive at most. */
const twoUsers = (
  name: string,
  make: (resource: Get) => Effect.Effect<Get, never, Scope.Scope>,
): World<number> => ({
  name,
  granularity: "visible",
  start: () => {
    let [live, most] = [0, 0];
    const up = Effect.sync(() => {
      most = Math.max(most, ++live);
    });
    const down = Effect.sync(() => live--);
    const program = Effect.gen(function* () {
      const use = Effect.scoped(yield* make(Effect.acquireRelease(up, () => down)));
      yield* Effect.all([Explore.named("a")(use), Explore.named("b")(use)], { concurrency: 2 });
      return most;
    });
    return {
      program: Effect.scoped(program),
      check: () => (most === 1 ? null : `${most} resources for one key`),
    };
  },
});

describe("a double resource", () => {
  it("is found in RcMap, which does not look again when it has the lock", () => {
    const world = twoUsers("RcMap", (resource) =>
      Effect.map(RcMap.make({ lookup: (_: string) => resource }), (map) => RcMap.get(map, "key")),
    );
    expect(Explore.explore(world, { cost: 2 }).failure).toMatchObject({
      kind: "violated",
      message: "2 resources for one key",
      cost: 1,
    });
  });

  it("is not in a twin that looks while it has the lock, at the same cost", () => {
    const world = twoUsers("look again", (resource) =>
      Effect.map(Effect.scope, (scope) => {
        const lock = Effect.unsafeMakeSemaphore(1);
        let made = false;
        const make = Effect.suspend(() => {
          if (made) return Effect.void;
          made = true;
          return Scope.extend(resource, scope);
        });
        return lock.withPermits(1)(make);
      }),
    );
    const { budgets } = Explore.verify(world, { cost: 2 });
    expect(budgets.map(({ exhausted }) => exhausted)).toEqual([true, true, true]);
  });
});

describe("a message lost by an interrupted taker", () => {
  const taking = (make: Effect.Effect<HandOver>): World<unknown> => ({
    name: "a taker that leaves",
    start: () => ({
      program: Effect.gen(function* () {
        const { offer, take } = yield* make;
        const leaving = yield* Effect.fork(Explore.interruptible("leaving", take));
        yield* Explore.point("offer");
        yield* offer;
        const exit = yield* Fiber.join(leaving);
        return exit._tag === "Success" ? exit.value : yield* take;
      }),
    }),
  });

  it("is found in Queue, which forgets what it has handed out", () => {
    const { failure } = Explore.explore(taking(queue), { cost: 2 });
    expect(failure?.kind).toBe("deadlock");
    expect(failure?.table).toMatch(/leaving +is interrupted/);
  });

  it("is not in Mailbox, at any cost", () => {
    const report = Explore.verify(taking(mailbox), { cost: Number.POSITIVE_INFINITY });
    expect(report.complete).toBe(true);
  });
});
