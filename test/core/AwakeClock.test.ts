/**
 * AwakeClock: what a wait on awake time is worth. Method: the fake machine on both virtual clocks,
 * the plain reading of the port on a clock that is behind, and the live count on made-up times.
 */
import { describe, expect, it } from "@effect/vitest";
import { AwakeClock, AwakeMillis } from "@troupe/core";
import { AwakeCount } from "@troupe/node";
import { FakeAwakeClock, VirtualClock } from "@troupe/testing";
import { Clock, Effect, Fiber, Layer, TestClock } from "effect";

const onVirtual = Layer.provideMerge(FakeAwakeClock.layer, VirtualClock.layer);

const suspend = (duration: string) =>
  Effect.flatMap(FakeAwakeClock, (machine) => machine.suspend(duration as "1 second"));

/** Starts a wait of so much awake time; gives the fiber, and when each ended is noted. */
const waitOf = (awakeMs: number, ends: Array<string>) =>
  Effect.gen(function* () {
    const clock = yield* AwakeClock;
    const moment = AwakeMillis((yield* clock.now) + awakeMs);
    const ended = Effect.all([clock.now, Clock.currentTimeMillis]);
    const wait = Effect.zipRight(clock.sleepUntil(moment), ended);
    return yield* Effect.fork(
      Effect.map(wait, ([awake, wall]) => void ends.push(`awake ${awake}, wall ${wall}`)),
    );
  });

interface Driver {
  readonly name: string;
  readonly advance: (duration: string) => Effect.Effect<void, never, VirtualClock>;
  readonly layer: Layer.Layer<AwakeClock | FakeAwakeClock | VirtualClock>;
}

const drivers: ReadonlyArray<Driver> = [
  {
    name: "a TestClock",
    advance: (duration) => TestClock.adjust(duration as "1 second"),
    // Its virtual clock is never used: only the requirement is the same for both.
    layer: Layer.merge(
      FakeAwakeClock.layer,
      Layer.succeed(VirtualClock, { advance: () => Effect.void, next: Effect.succeed(null) }),
    ),
  },
  {
    name: "a VirtualClock",
    advance: (duration) =>
      Effect.flatMap(VirtualClock, (clock) => clock.advance(duration as "1 second")),
    layer: onVirtual,
  },
];

describe.each(drivers)("on $name", ({ advance, layer }) => {
  it.effect("awake time goes with the wall clock, and a suspend adds nothing to it", () =>
    Effect.gen(function* () {
      const clock = yield* AwakeClock;
      const read = Effect.all([clock.now, Clock.currentTimeMillis]);
      const readings = [yield* read];
      yield* advance("3 seconds");
      readings.push(yield* read);
      yield* suspend("10 minutes");
      readings.push(yield* read);
      yield* advance("2 seconds");
      readings.push(yield* read);
      yield* Effect.all([suspend("1 hour"), suspend("1 hour")], { concurrency: 2 });
      readings.push(yield* read);
      expect(readings.map(([awake, wall]) => [awake / 1000, wall / 1000])).toEqual([
        [0, 0],
        [3, 3],
        [3, 603],
        [5, 605],
        [5, 7805],
      ]);
    }).pipe(Effect.provide(layer)),
  );

  it.effect("a wait that began before a suspend ends later by exactly it", () =>
    Effect.gen(function* () {
      const ends: Array<string> = [];
      const wait = yield* waitOf(20_000, ends);
      yield* advance("5 seconds");
      yield* suspend("607 seconds");
      yield* advance("14999 millis");
      expect(ends).toEqual([]);
      yield* advance("1 millis");
      yield* Fiber.join(wait);
      expect(ends).toEqual(["awake 20000, wall 627000"]);
    }).pipe(Effect.provide(layer)),
  );

  it.effect("a wait of 20 s that is suspended every 3 s for an hour ends after 20 s awake", () =>
    Effect.gen(function* () {
      const ends: Array<string> = [];
      const wait = yield* waitOf(20_000, ends);
      const spell = Effect.zipRight(advance("3 seconds"), suspend("1 hour"));
      yield* Effect.repeatN(spell, 5);
      yield* advance("3 seconds");
      yield* Fiber.join(wait);
      expect(ends).toEqual([`awake 20000, wall ${20_000 + 6 * 3_600_000}`]);
    }).pipe(Effect.provide(layer)),
  );

  it.effect("many waits end in the order of their moments, around a suspend too", () =>
    Effect.gen(function* () {
      const ends: Array<string> = [];
      const waits = yield* Effect.forEach([9, 1, 7, 3, 8, 2, 6, 4, 5, 0], (s) =>
        waitOf(s * 1000, ends),
      );
      yield* advance("3500 millis");
      yield* suspend("4 seconds");
      const late = yield* waitOf(1000, ends);
      yield* advance("6 seconds");
      yield* Fiber.joinAll([...waits, late]);
      const second = [0, 1, 2, 3, 4, 4.5, 5, 6, 7, 8, 9];
      const told = second.map((s) => `awake ${s * 1000}, wall ${s * 1000 + (s > 3.5 ? 4000 : 0)}`);
      expect(ends).toEqual(told);
    }).pipe(Effect.provide(layer)),
  );

  it.effect("one who is woken in a suspend by a plain sleep sees that no time has passed", () =>
    Effect.gen(function* () {
      const clock = yield* AwakeClock;
      const late = yield* Effect.fork(Effect.zipRight(Effect.sleep("30 seconds"), clock.now));
      yield* advance("1 second");
      yield* suspend("1 minute");
      expect(yield* Fiber.join(late)).toBe(1000);
    }).pipe(Effect.provide(layer)),
  );

  it.effect("a wait until a moment that was, or is, needs no time", () =>
    Effect.gen(function* () {
      const clock = yield* AwakeClock;
      yield* advance("1 second");
      yield* clock.sleepUntil(AwakeMillis(0));
      yield* clock.sleepUntil(yield* clock.now);
      expect(yield* Clock.currentTimeMillis).toBe(1000);
    }).pipe(Effect.provide(layer)),
  );
});

describe("a wait", () => {
  it.effect("that is interrupted leaves no timer, before a suspend and after one", () =>
    Effect.gen(function* () {
      const virtual = yield* VirtualClock;
      for (const pause of [Effect.void, suspend("1 hour")]) {
        const wait = yield* waitOf(20_000, []);
        yield* virtual.advance("1 second");
        yield* pause;
        expect(yield* virtual.next).not.toBe(null);
        yield* Fiber.interrupt(wait);
        expect(yield* virtual.next).toBe(null);
      }
    }).pipe(Effect.provide(onVirtual)),
  );

  it.effect("of years is made of sleeps that a timer can do, and of no end of none", () =>
    Effect.gen(function* () {
      const virtual = yield* VirtualClock;
      const day = 24 * 60 * 60 * 1000;
      const ends: Array<string> = [];
      const wait = yield* waitOf(800 * day, ends);
      yield* virtual.advance(0);
      expect(yield* virtual.next).toBe(day);
      yield* virtual.advance("799 days");
      expect(ends).toEqual([]);
      yield* virtual.advance("1 days");
      yield* Fiber.join(wait);
      const clock = yield* AwakeClock;
      const never = yield* Effect.fork(clock.sleepUntil(AwakeMillis(Number.POSITIVE_INFINITY)));
      yield* virtual.advance("30 days");
      expect([yield* virtual.next, never.unsafePoll()]).toEqual([null, null]);
      yield* Fiber.interrupt(never);
    }).pipe(Effect.provide(onVirtual)),
  );

  it.effect("is not early on a clock that runs behind its timers", () =>
    Effect.gen(function* () {
      const virtual = yield* VirtualClock;
      const half = Effect.map(Clock.currentTimeMillis, (wall) => AwakeMillis(wall / 2));
      const { now, sleepUntil } = AwakeClock.reading(half);
      const ended = yield* Effect.fork(Effect.zipRight(sleepUntil(AwakeMillis(1000)), now));
      yield* virtual.advance("1 hour");
      expect(yield* Fiber.join(ended)).toBe(1000);
    }).pipe(Effect.provide(onVirtual)),
  );
});

it.effect("a wait until no moment is a defect and not a loop", () =>
  Effect.gen(function* () {
    const clock = yield* AwakeClock;
    const exit = yield* Effect.exit(clock.sleepUntil(AwakeMillis(Number.NaN)));
    expect(String(exit)).toContain("no moment to sleep until");
  }).pipe(Effect.provide(onVirtual)),
);

it.effect("a suspend on a clock that no test moves is refused", () =>
  Effect.gen(function* () {
    const exit = yield* Effect.exit(Effect.withClock(suspend("1 second"), Clock.make()));
    expect(String(exit)).toContain("suspend wants a TestClock");
  }).pipe(Effect.provide(FakeAwakeClock.layer)),
);

describe("the live count", () => {
  it("counts what passes between looks, and of a longer gap only as much as a tick", () => {
    const count = new AwakeCount(100, 1500);
    expect([600, 1600, 3100, 603_100, 604_100].map((at) => count.look(at))).toEqual([
      500, 1500, 3000, 4500, 5500,
    ]);
  });

  it("never goes back, and goes on from a time that did", () => {
    const count = new AwakeCount(10_000, 1500);
    expect([11_000, 500, 500, 1500].map((at) => count.look(at))).toEqual([1000, 1000, 1000, 2000]);
  });
});
