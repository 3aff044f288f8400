/**
 * TurnLease: what becomes of the lease behind a turn.
 *
 * A writer by turns gives it back, an interactive one keeps it and says that nothing runs under it
 * any more. What could not be given back is claimed again by the next turn; what could not be said
 * is said later, from the seat, so that it never comes behind the beginning of another turn. An end
 * that is under way does all that itself.
 */
import { Effect } from "effect";
import type { OwnedLease } from "./Lease.js";
import type { InsideTurn } from "./TurnInside.js";
import type { TurnServices } from "./TurnRun.js";
import type { TurnSeat } from "./TurnSeat.js";

/** How long a registry that could not be written is left alone. */
const PAUSE_MS = 1_000;

/** Says that nothing runs under the lease. A lease that is gone is found out by that. */
const toldIdle = ({ leases }: TurnServices, seat: TurnSeat, lease: OwnedLease) =>
  Effect.catchTag(
    leases.guarded(leases.latest(lease), { turn: null, children: [] }),
    "LeaseLost",
    () =>
      Effect.sync(() => {
        seat.isLost = true;
      }),
  );

/** Says it again, unless another turn comes, which says what it does, or the writer is over. */
const toldLater = (services: TurnServices, seat: TurnSeat, lease: OwnedLease) => {
  const again = Effect.suspend(() => {
    if (seat.isInUse || seat.closing !== null || seat.isLost) return Effect.succeed(true);
    const told = Effect.acquireUseRelease(
      seat.enter,
      () => toldIdle(services, seat, lease),
      () => Effect.sync(() => seat.leave()),
    );
    return Effect.isSuccess(told);
  });
  const paused = Effect.zipRight(Effect.sleep(PAUSE_MS), again);
  const all = Effect.repeat(paused, { until: (isDone) => isDone });
  return Effect.asVoid(Effect.forkIn(Effect.interruptible(all), services.scope));
};

/** Does what is due with the lease when nothing of the turn can write any more. */
export const leaseBehind = (
  services: TurnServices,
  seat: TurnSeat,
  { deletes, lease }: InsideTurn,
): Effect.Effect<void> => {
  if (lease._tag === "Borrowed" || seat.closing !== null || seat.isLost) return Effect.void;
  const told = (cause: unknown) =>
    Effect.logWarning(`behind a turn of ${lease.session} its lease was not written`, cause);
  // A turn that deleted its session has dropped it already.
  if (seat.kind === "turn" || deletes > 0) {
    seat.lease = null;
    return Effect.catchAllCause(services.leases.release(lease), told);
  }
  return Effect.catchAllCause(toldIdle(services, seat, lease), (cause) =>
    Effect.zipRight(told(cause), toldLater(services, seat, lease)),
  );
};
