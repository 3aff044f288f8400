/**
 * FakeAwakeClock: core's `AwakeClock` over the virtual time of a test, which can be suspended.
 *
 * It goes with the clock of the fiber that reads it: Effect's `TestClock`, `VirtualClock`, or the
 * time of an exploration. In a suspend that clock goes on, with the sleeps that are on it, and
 * awake time stands still. One layer is one machine: programs that share it sleep together.
 */
import { AwakeClock, AwakeMillis } from "@troupe/core";
import { Clock, Context, Duration, Effect, Layer, type TestClock } from "effect";
import { currentRun } from "./explore/CurrentRun.js";
import { advanceOf } from "./explore/VirtualClock.js";
import { VirtualTime } from "./explore/VirtualTime.js";

/** Virtual time of a plain test; an exploration wakes by itself when nothing else can go on. */
const isDriven = (clock: Clock.Clock): clock is VirtualTime =>
  clock instanceof VirtualTime && currentRun() === null;

/** Lets those go on who can, before the machine sleeps and when it is awake again. */
const settled: Effect.Effect<void> = Effect.clockWith((clock) =>
  isDriven(clock) ? advanceOf(clock)(0) : Effect.void,
);

const passOn = (time: VirtualTime, duration: Duration.Duration): Effect.Effect<void> =>
  Effect.sync(() => {
    time.moveTo(time.unsafeCurrentTimeMillis() + Duration.toMillis(duration));
    const run = currentRun();
    const slept = `the machine was suspended for ${Duration.format(duration)}`;
    run?.trace?.note(run.fibers.current(), slept);
  });

const isTestClock = (clock: Clock.Clock): clock is TestClock.TestClock =>
  "adjust" in clock && typeof clock.adjust === "function";

/** Lets the clock of this fiber go on. */
const pass = (duration: Duration.Duration): Effect.Effect<void> =>
  Effect.clockWith((clock) => {
    if (clock instanceof VirtualTime) return passOn(clock, duration);
    if (isTestClock(clock)) return clock.adjust(duration);
    return Effect.dieMessage("suspend wants a TestClock, a VirtualClock or an exploration");
  });

const make = Effect.gen(function* () {
  const awake = yield* Effect.makeLatch(true);
  const oneAtATime = yield* Effect.makeSemaphore(1);
  let suspendedMs = 0;
  let stoodStillAt: number | null = null;
  const now = Effect.map(Clock.currentTimeMillis, (wall) =>
    AwakeMillis((stoodStillAt ?? wall) - suspendedMs),
  );
  const fallAsleep = Effect.flatMap(Clock.currentTimeMillis, (wall) => {
    stoodStillAt = wall;
    return awake.close;
  });
  const wake = Effect.flatMap(Clock.currentTimeMillis, (wall) => {
    suspendedMs += wall - (stoodStillAt ?? wall);
    stoodStillAt = null;
    return awake.open;
  });
  const suspend = (duration: Duration.DurationInput) =>
    Effect.acquireUseRelease(
      Effect.zipRight(settled, fallAsleep),
      () => pass(Duration.decode(duration)),
      () => Effect.zipRight(wake, settled),
    ).pipe(oneAtATime.withPermits(1));
  // A program that is not awake does not look: a sleeper that is woken meanwhile waits here.
  const { sleepUntil } = AwakeClock.reading(Effect.zipRight(awake.await, now));
  return Context.make(AwakeClock, { now, sleepUntil }).pipe(
    Context.add(FakeAwakeClock, { suspend }),
  );
});

/** What a test does to the machine. */
export class FakeAwakeClock extends Context.Tag("@troupe/testing/FakeAwakeClock")<
  FakeAwakeClock,
  {
    /**
     * Suspends the machine for this long and wakes it. On a `VirtualClock` and in an exploration
     * the time is gone at once, and sleeps that were due in it end late, after it, as they do on
     * a machine. On a `TestClock` they end in it, each at its time. Two suspends do not overlap.
     */
    readonly suspend: (duration: Duration.DurationInput) => Effect.Effect<void>;
  }
>() {
  /** An awake machine whose clock reads the same as the test's until the first suspend. */
  static readonly layer: Layer.Layer<AwakeClock | FakeAwakeClock> = Layer.effectContext(
    Effect.suspend(() => make),
  );
}
