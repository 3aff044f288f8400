/**
 * AwakeClock: the port to the time in which this machine and this program were awake.
 *
 * It stands still while the machine is suspended and while the program is stopped, and it does
 * not step with the wall clock: for grace that somebody must be able to use, such as the time to
 * come back to a session. Not for deadlines of calls, which are ordinary sleeps, and not for
 * moments that another program reads, because every clock counts from a moment of its own.
 */
import { Brand, Context, Effect } from "effect";

/** A moment: awake milliseconds since an arbitrary one. Never a time of day. */
export type AwakeMillis = number & Brand.Brand<"AwakeMillis">;
/** Takes a number for such a moment: for what counts them, and for nobody else. */
export const AwakeMillis: Brand.Brand.Constructor<AwakeMillis> = Brand.nominal<AwakeMillis>();

/** The longest single sleep: a timer of more than 2^31 ms is one that never ends. */
const longestSleepMs = 24 * 60 * 60 * 1000;

/** Time awake. */
export class AwakeClock extends Context.Tag("@troupe/core/AwakeClock")<
  AwakeClock,
  {
    /** This moment; never less than one that was read before. */
    readonly now: Effect.Effect<AwakeMillis>;
    /**
     * Waits until `now` is at least this moment: at once when it is, never early, and late by no
     * more than a timer is. A suspend in between is waited out and the rest waited on. Waits end
     * in the order of their moments, those of one moment in any. An interruption ends a wait at
     * once and leaves no timer. A moment that is no number is a defect.
     */
    readonly sleepUntil: (moment: AwakeMillis) => Effect.Effect<void>;
  }
>() {
  /**
   * The clock that reads this. Its waits are ordinary sleeps after which it looks again, so a
   * timer that counted a suspend, and woke early, costs one more.
   */
  static readonly reading = (now: Effect.Effect<AwakeMillis>): AwakeClock["Type"] => {
    const sleepUntil = (moment: AwakeMillis): Effect.Effect<void> =>
      Effect.flatMap(now, (at) => {
        const left = moment - at;
        if (left <= 0) return Effect.void;
        if (Number.isNaN(left)) return Effect.dieMessage("no moment to sleep until");
        if (left === Number.POSITIVE_INFINITY) return Effect.never;
        const sleep = Effect.sleep(Math.min(Math.ceil(left), longestSleepMs));
        return Effect.zipRight(sleep, sleepUntil(moment));
      });
    return { now, sleepUntil };
  };
}
