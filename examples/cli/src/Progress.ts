/**
 * Progress: a line on standard error for what takes longer than half a second.
 *
 * Only for someone who looks: never with `--json` and never into a pipe. It tells what is being
 * waited for, how many of how many are done where that is known, and for how long it goes on;
 * behind the work it is taken away. It promises nothing.
 */
import { Duration, Effect, Fiber } from "effect";
import { Caller } from "./Caller.js";
import { type CutOff, partly } from "./Partly.js";

const patience = Duration.millis(500);
const spacing = Duration.millis(500);

/** How many of how many are done. Mutable; of one call. */
interface Count {
  done: number;
  total: number;
}

const lineOf = (what: string, count: Count | null, halves: number): string => {
  const counted = count === null || count.total < 2 ? "" : `: ${count.done} of ${count.total}`;
  const seconds = Math.floor(halves / 2);
  return `${what}${counted} …${seconds < 2 ? "" : ` ${seconds}s`}`;
};

const shown =
  (what: string, count: Count | null) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Caller> =>
    Effect.gen(function* () {
      const { showProgress } = yield* Caller;
      if (showProgress === null) return yield* work;
      let halves = 0;
      const step = Effect.suspend(() => showProgress(lineOf(what, count, ++halves)));
      const showing = Effect.delay(step, patience).pipe(
        Effect.zipRight(Effect.forever(Effect.delay(step, spacing))),
      );
      const fiber = yield* Effect.fork(showing);
      const end = Effect.zipRight(
        Fiber.interrupt(fiber),
        Effect.suspend(() => (halves === 0 ? Effect.void : showProgress(""))),
      );
      return yield* Effect.ensuring(work, end);
    });

/** Runs the work; says what it is when it takes long. Changes nothing about it. */
export const withProgress = (what: string) => shown(what, null);

/** How far the work has come. */
type Tell = (count: Readonly<Count>) => Effect.Effect<void>;

/** Runs work that tells itself how many of how many are done. */
export const withTold = <A, E, R>(
  what: string,
  work: (tell: Tell) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R | Caller> =>
  Effect.suspend(() => {
    const count: Count = { done: 0, total: 0 };
    const tell: Tell = (told) => Effect.sync(() => void Object.assign(count, told));
    return shown(what, count)(work(tell));
  });

/**
 * What is done with each of several things, at most eight at once, and how many are done. `find`
 * tells which they are, and is part of what takes long. With `cutOff` what came of each is told
 * also when it is interrupted.
 */
export const withCount = <A, B, E, F, R, S, T = never>(
  what: string,
  find: Effect.Effect<ReadonlyArray<A>, E, R>,
  each: (one: A) => Effect.Effect<B, F, S>,
  cutOff: CutOff<A, B, T> | null = null,
): Effect.Effect<ReadonlyArray<B>, E | F, R | S | T | Caller> =>
  Effect.suspend(() => {
    const count: Count = { done: 0, total: 0 };
    const known = new Map<A, B>();
    const ended = (one: A, part: B) =>
      Effect.sync(() => {
        known.set(one, part);
        count.done = known.size;
      });
    const step = (one: A) => Effect.tap(each(one), (part) => ended(one, part));
    const work = Effect.flatMap(find, (all) => {
      count.total = all.length;
      const going = Effect.forEach(all, step, { concurrency: 8 });
      return cutOff === null ? going : partly(all, known, cutOff)(going);
    });
    return shown(what, count)(work);
  });
