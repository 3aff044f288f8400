/**
 * TurnAdmission: whether a turn that has the seat may begin, and the lease that it runs under.
 *
 * The lease is shown to be current each time, never taken from memory. What closed or was dropped
 * while that was asked is refused, and then goes what this very admission claimed: a lease that was
 * held before is whoever's who closes.
 */
import { Effect } from "effect";
import type { Lease, TurnId } from "./Lease.js";
import type { LeaseLost } from "./LeaseError.js";
import { leaseLost } from "./LeaseRows.js";
import type { Leases } from "./Leases.js";
import { Closing } from "./SessionError.js";
import type { Dropped, TurnSeat } from "./TurnSeat.js";
import type { TurnRefused } from "./Turns.js";

const attempted = "run a turn";

/** Why a turn does not begin, as far as the seat knows. */
const refusalOf = (seat: TurnSeat, dropped: () => Dropped | null): Dropped | LeaseLost | null => {
  const { session } = seat.writer;
  if (seat.closing !== null) return new Closing({ session, attempted });
  if (seat.isLost && seat.lease !== null) return leaseLost([], seat.lease, attempted);
  return dropped();
};

/** Gives back what this admission claimed; what cannot be is left to the next try or the sweep. */
const undo = (leases: Leases["Type"], seat: TurnSeat, lease: Lease): Effect.Effect<void> => {
  if (lease._tag === "Borrowed") return Effect.void;
  seat.lease = null;
  return Effect.catchAllCause(leases.release(lease), (cause) =>
    Effect.logWarning(`a lease of ${lease.session} is left to the sweep`, cause),
  );
};

/** The lease for this turn, shown to be current; kept by the seat. */
export const admitted = (
  leases: Leases["Type"],
  seat: TurnSeat,
  turn: TurnId,
  dropped: () => Dropped | null,
): Effect.Effect<Lease, TurnRefused> =>
  Effect.gen(function* () {
    const before = refusalOf(seat, dropped);
    if (before !== null) return yield* before;
    const known = seat.lease;
    const lease = known ?? (yield* leases.claim(seat.writer));
    seat.lease = lease;
    yield* leases.guarded(lease, { turn }).pipe(
      Effect.tapErrorTag("LeaseLost", () =>
        Effect.sync(() => {
          seat.isLost = true;
        }),
      ),
    );
    const behind = refusalOf(seat, dropped);
    if (behind === null) return lease;
    if (known === null) yield* undo(leases, seat, lease);
    return yield* behind;
  });
