/**
 * Patience: how long a busy file is waited for, and how.
 *
 * SQLite itself never waits here (its own waiting would stop the whole event loop); a call that
 * found the file busy is made again after a short, growing, jittered pause, so that programs which
 * met once do not meet again in step. After the bound the call fails as it last failed.
 */

import { countRetry, type RegistryFailure } from "@troupe/core";
import { type Duration, Effect, Schedule, ScheduleDecision } from "effect";
import { StoreFailure, toRegistryFailure, type Where } from "./StoreFailure.js";

const pauses = Schedule.exponential("2 millis").pipe(
  Schedule.union(Schedule.spaced("50 millis")),
  Schedule.jittered,
);

/**
 * Makes the attempt until the file is not busy, for so long at most. Each attempt must leave
 * nothing behind when it fails.
 */
export const patiently = <A, E, R>(
  where: Where,
  attempt: Effect.Effect<A, E | StoreFailure, R>,
  bound: Duration.DurationInput = "10 seconds",
): Effect.Effect<A, Exclude<E, StoreFailure> | RegistryFailure, R> =>
  attempt.pipe(
    Effect.retry({
      schedule: Schedule.onDecision(Schedule.upTo(pauses, bound), (_, decision) =>
        ScheduleDecision.isContinue(decision) ? countRetry : Effect.void,
      ),
      while: (error) => error instanceof StoreFailure && error.kind === "busy",
    }),
    Effect.mapError((error) =>
      error instanceof StoreFailure
        ? toRegistryFailure(error, where)
        : (error as Exclude<E, StoreFailure>),
    ),
  );
