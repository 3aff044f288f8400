/**
 * TurnAdmission: whether a turn that has the seat may begin, and the lease that it runs under.
 *
 * The lease is shown to be current each time, never taken from memory. What closed or was dropped
 * while that was asked is refused, and then goes what this very admission claimed: a lease that was
 * held before is whoever's who closes. The turn begins in the step of the last look.
 */
import { Effect } from "effect";
import type { Lease } from "./Lease.js";
import type { LeaseLost } from "./LeaseError.js";
import type { Leases } from "./Leases.js";
import type { Dropped, RunningTurn, TurnSeat } from "./TurnSeat.js";
import type { TurnRefused } from "./Turns.js";

const attempted = "run a turn";

/** Why the turn does not begin, to its caller. */
const toldAs = (
  leases: Leases["Type"],
  { lease }: TurnSeat,
  refusal: Dropped | "lost",
): Effect.Effect<Dropped | LeaseLost> => {
  if (refusal !== "lost") return Effect.succeed(refusal);
  if (lease === null) return Effect.dieMessage("a lease was lost that nobody had");
  return leases.lost(lease, attempted);
};

/** The lease of the seat, as it is by now; one that was moved elsewhere is not of this name. */
export const leaseOfSeat = (leases: Pick<Leases["Type"], "latest">, seat: TurnSeat) => {
  const lease = seat.lease === null ? null : leases.latest(seat.lease);
  return lease?.session === seat.writer.session ? lease : null;
};

/** Gives back what this admission claimed; what cannot be is owed. */
const undo = (leases: Leases["Type"], seat: TurnSeat, lease: Lease): Effect.Effect<void> => {
  if (lease._tag === "Borrowed") return Effect.void;
  seat.lease = null;
  return Effect.catchAllCause(leases.release(lease), (cause) =>
    Effect.logWarning(`a lease of ${lease.session} is left to the sweep`, cause),
  );
};

/** The lease for this turn, shown to be current; kept by the seat, in which the turn runs then. */
export const admitted = (
  leases: Leases["Type"],
  seat: TurnSeat,
  turn: RunningTurn,
  dropped: () => Dropped | null,
): Effect.Effect<Lease, TurnRefused> =>
  Effect.gen(function* () {
    const before = seat.refusal(dropped);
    if (before !== null) return yield* yield* toldAs(leases, seat, before);
    const known = leaseOfSeat(leases, seat);
    const lease = known ?? (yield* leases.claim(seat.writer));
    seat.lease = lease;
    // Whom a turn before it named still runs under the lease, whosever that turn was.
    turn.children = yield* leases.guarded(lease, { turn: turn.id }).pipe(
      Effect.catchTag("LeaseLost", (lost): Effect.Effect<never, Dropped | LeaseLost> => {
        // Who closes gave it back meanwhile.
        const refusal = seat.closing === null ? null : seat.refusal(dropped);
        if (refusal !== null && refusal !== "lost") return Effect.fail(refusal);
        seat.isLost = true;
        return Effect.fail(lost);
      }),
    );
    const behind = seat.begin(turn, dropped);
    if (behind === null) return lease;
    const told = yield* toldAs(leases, seat, behind);
    if (known === null) yield* undo(leases, seat, lease);
    return yield* told;
  });
