/**
 * History: what callers asked of one object and what they heard, and when each call began and
 * ended.
 *
 * A call whose program crashed, or that was interrupted, has no end: it may have happened. Moments
 * are counted and not measured, so a history is a function of the schedule.
 */
import { Effect, Exit } from "effect";

/** One call. The moments only order: a call is before another if it ended before that began. */
export interface Call<I, O> {
  readonly who: string;
  readonly input: I;
  /** `null` while there is no answer. */
  readonly answer: { readonly output: O } | null;
  readonly beganAt: number;
  readonly endedAt: number;
}

/** Mutable; made in a world's `start`. */
export class History<I, O> {
  private moment = 0;
  private readonly recorded: Array<Call<I, O>> = [];

  /** The calls, in the order in which they began. */
  get calls(): ReadonlyArray<Call<I, O>> {
    return this.recorded;
  }

  /**
   * Records a call around the effect. Its output is what the effect succeeds with, so expected
   * failures are made part of it; one that fails otherwise is recorded as without an answer.
   */
  call<E, R>(who: string, input: I, effect: Effect.Effect<O, E, R>): Effect.Effect<O, E, R> {
    return Effect.suspend(() => {
      const index = this.recorded.length;
      const beganAt = this.moment++;
      const endedAt = Number.POSITIVE_INFINITY;
      this.recorded.push({ who, input, answer: null, beganAt, endedAt });
      return Effect.onExit(effect, (exit) =>
        Effect.sync(() => {
          if (!Exit.isSuccess(exit)) return;
          const answer = { output: exit.value };
          this.recorded[index] = { who, input, answer, beganAt, endedAt: this.moment++ };
        }),
      );
    });
  }
}
