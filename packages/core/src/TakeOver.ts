/**
 * TakeOver: a writer that gets the lease of its name from whoever holds it, because it was told to.
 *
 * A holder that is proved dead, or said that he runs nothing, has lost nothing that he needs; one
 * that runs a turn is waited for, so long as the caller wants, and never pre-empted silently. With
 * `force` he is overtaken by the epoch: he is told by the log and refused by every step. Only the
 * wait between two looks can be interrupted.
 */
import { Clock, Effect, Option } from "effect";
import type { AwakeClock } from "./AwakeClock.js";
import { type CapacityReached, LeaseHeld } from "./LeaseError.js";
import { hasSettled, leaseHeld } from "./LeaseRows.js";
import type { Leases } from "./Leases.js";
import type { HandleOptions } from "./OpenHandle.js";
import type { LeaseOver } from "./RegistryLeases.js";
import type { RegistryFailure } from "./SessionError.js";
import type { NameFailure } from "./SessionFailures.js";
import type { SessionName } from "./SessionName.js";

/** How a lease is taken over. */
export interface TakeOverOptions extends Omit<HandleOptions, "anew" | "lease"> {
  /** How long a holder that runs a turn is waited for; looked at once unless given. */
  readonly waitMs?: number | undefined;
  /** Whether it is taken from whoever holds it, at once. */
  readonly force?: boolean | undefined;
}

/** Why a lease is not taken over: nothing was changed then. */
export type TakeOverFailure = NameFailure | LeaseHeld | CapacityReached;

/** What it is waited with. */
interface Waiting {
  readonly awake: AwakeClock["Type"];
  readonly leases: Pick<Leases["Type"], "current">;
}

const attempted = "take over the lease";

/** How long nobody looks between two looks. */
const LOOK_MS = 100;

/** Waits until nobody runs anything under the lease; `LeaseHeld` when somebody does at the end. */
const untilSettled = (
  { awake, leases }: Waiting,
  session: SessionName,
  end: number,
): Effect.Effect<void, LeaseHeld | RegistryFailure> =>
  Effect.gen(function* () {
    for (;;) {
      const holder = Option.getOrNull(yield* leases.current(session));
      if (holder === null || holder.holder === "dead" || hasSettled(holder)) return;
      const left = end - (yield* awake.now);
      if (left <= 0) {
        return yield* leaseHeld(holder, yield* Clock.currentTimeMillis, attempted);
      }
      yield* Effect.sleep(Math.min(LOOK_MS, left));
    }
  });

/** Takes it in this way, as soon as that is right; `attempt` is one try. */
export const takenOver = <A, E>(
  waiting: Waiting,
  session: SessionName,
  { force = false, waitMs = 0 }: TakeOverOptions,
  attempt: (over: LeaseOver) => Effect.Effect<A, E | LeaseHeld>,
): Effect.Effect<A, E | LeaseHeld | RegistryFailure> => {
  if (force) return attempt("any");
  const again = (end: number): Effect.Effect<A, E | LeaseHeld | RegistryFailure> =>
    untilSettled(waiting, session, end).pipe(
      Effect.zipRight(attempt("settled")),
      Effect.catchIf(
        (failure): failure is LeaseHeld => failure instanceof LeaseHeld,
        (held) =>
          // Somebody began a turn between the look and the try, or the store knows more than the
          // look told: a moment between two tries, as between two looks.
          Effect.flatMap(waiting.awake.now, (now) =>
            now < end
              ? Effect.zipRight(Effect.sleep(Math.min(LOOK_MS, end - now)), again(end))
              : held,
          ),
      ),
    );
  return Effect.flatMap(waiting.awake.now, (now) => again(now + waitMs));
};
