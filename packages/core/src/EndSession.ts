/**
 * EndSession: the end of a writer, step by step, each whatever became of those before it.
 *
 * Closed first, so that nobody comes in any more; then the turn, within its bound; then what the
 * writer held; then the row, as its reason says; the lease last, so that nobody else runs a turn
 * before all that is done. A turn that is not settled by then keeps the lease. Waits are bounded,
 * and nobody who ends it from inside waits for himself. One failure tells of all that went wrong.
 */
import { Cause, Effect, Exit, Fiber, FiberId, HashSet, Option } from "effect";
import { awaitWithin } from "./AwaitWithin.js";
import { type AwakeClock, AwakeMillis } from "./AwakeClock.js";
import { type EndReason, endPolicy } from "./EndReason.js";
import type { IncarnationId } from "./Identity.js";
import type { LeaseLost } from "./LeaseError.js";
import type { Leases } from "./Leases.js";
import { Closing, type RegistryFailure } from "./SessionError.js";
import type { NameFailure } from "./SessionFailures.js";
import type { Sessions } from "./Sessions.js";
import { leaseOfSeat } from "./TurnAdmission.js";
import type { TurnSeat } from "./TurnSeat.js";
import type { Turns } from "./Turns.js";

/** What an end can fail with; the lease is given up all the same, or kept for its turn. */
export type EndFailure = NameFailure | LeaseLost | RegistryFailure;

/** What is ended, and with what. */
export interface Ended {
  readonly seat: TurnSeat;
  readonly reason: EndReason;
  /** How long the turn may take, and then what the writer held. */
  readonly turnSettleMs: number;
  readonly awake: AwakeClock["Type"];
  readonly leases: Leases["Type"];
  readonly turns: Pick<Turns["Type"], "interrupt" | "isInside" | "settled">;
  readonly sessions: Pick<Sessions["Type"], "delete" | "reconcile" | "under">;
  /** What the writer is of. */
  readonly incarnation: IncarnationId;
  /** Whether that is still the one of its name. */
  readonly isCurrent: Effect.Effect<boolean, RegistryFailure>;
  /** Whether that has not ended. */
  readonly isThere: Effect.Effect<boolean, RegistryFailure>;
  /** Closes what the writer held: everything of it, whatever the others do. */
  readonly closeScope: Effect.Effect<void>;
  readonly announce: Effect.Effect<void>;
}

/** Interrupts the turn and waits for it, but for one that ends the session itself. */
const endTurn = ({ reason, seat, turns, turnSettleMs }: Ended): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { running, writer } = seat;
    if (running === null || (yield* turns.isInside(seat))) return;
    yield* turns.interrupt(seat, "closing");
    const waitMs = endPolicy[reason].waitsForTurn ? turnSettleMs : 0;
    if (yield* turns.settled(seat, waitMs)) return;
    yield* Effect.logWarning(`turn ${running.id} of ${writer.session} runs on behind its end`);
  });

/**
 * Closes what the writer held, within the bound; then it goes on by itself, and is left behind.
 * Who ends the writer in one of its fibers is interrupted by that, and does not wait for himself.
 */
const endScope = ({ awake, closeScope, seat, turns, turnSettleMs }: Ended): Effect.Effect<void> =>
  Effect.gen(function* () {
    let closer: FiberId.FiberId = FiberId.none;
    const closed = Effect.fiberIdWith((id) => {
      closer = id;
      return closeScope;
    });
    const closing = yield* Effect.forkScoped(
      Effect.interruptible(Effect.disconnect(Effect.uninterruptible(closed))),
    );
    const isInside = yield* turns.isInside(seat);
    const until = AwakeMillis((yield* awake.now) + turnSettleMs);
    const waited = Effect.map(awaitWithin(awake, until, Fiber.join(closing)), Option.isSome);
    const first = yield* Effect.exit(Effect.interruptible(waited));
    const interruptors = Exit.isFailure(first) ? Cause.interruptors(first.cause) : HashSet.empty();
    if (HashSet.has(interruptors, closer) || (isInside && HashSet.size(interruptors) > 0)) return;
    // Anybody else's interruption ends no wait: what is held is closed before the lease goes.
    if (yield* HashSet.size(interruptors) > 0 ? waited : first) return;
    yield* Effect.logWarning(`what a writer of ${seat.writer.session} held does not end`);
  }).pipe(Effect.scoped);

/**
 * Deletes what the writer is of, and nothing that has its name by then: that is looked at under the
 * claim once more, and before, so that nobody waits for another's claim.
 */
const deleteOwn = ({
  incarnation,
  isCurrent,
  seat,
  sessions,
}: Pick<Ended, "incarnation" | "isCurrent" | "seat" | "sessions">): Effect.Effect<
  void,
  EndFailure
> =>
  Effect.gen(function* () {
    if (yield* isCurrent) yield* sessions.delete(seat.writer.session, { incarnation });
  });

/** The loss of its lease stands in the way of a delete, unless what it is of has ended, too. */
const unlessOver = (
  { isThere }: Pick<Ended, "isThere">,
  lost: LeaseLost,
): Effect.Effect<void, EndFailure> =>
  Effect.flatMap(isThere, (stands) => (stands ? lost : Effect.void));

/** Deletes the session, unless it is another's by now: then it is not touched. */
const deleteRow = (ended: Ended): Effect.Effect<void, EndFailure> =>
  Effect.gen(function* () {
    const { leases, seat, sessions } = ended;
    if (seat.lease !== null && seat.isLost) {
      return yield* unlessOver(ended, yield* leases.lost(seat.lease, "end the session"));
    }
    const lease = leaseOfSeat(leases, seat);
    if (lease === null) return yield* deleteOwn(ended);
    yield* Effect.catchTag(sessions.under(lease).delete(), "LeaseLost", (lost) =>
      unlessOver(ended, lost),
    );
  });

/**
 * Deletes the session behind the end of a writer that nobody asked for. What it held is given up by
 * then, so the session is deleted as by anybody; one that another writer took is not touched.
 */
export const deleteBehind = (
  ended: Pick<Ended, "incarnation" | "isCurrent" | "isThere" | "leases" | "seat" | "sessions">,
): Effect.Effect<void, EndFailure> =>
  Effect.gen(function* () {
    const { leases, seat } = ended;
    if (seat.lease === null || !seat.isLost) return yield* deleteOwn(ended);
    yield* unlessOver(ended, yield* leases.lost(seat.lease, "end the session"));
  }).pipe(Effect.uninterruptible);

const endRow = (ended: Ended): Effect.Effect<void, EndFailure> => {
  const { endsRow, reconciles } = endPolicy[ended.reason];
  if (endsRow) return deleteRow(ended);
  return reconciles
    ? Effect.asVoid(ended.sessions.reconcile(ended.seat.writer.session))
    : Effect.void;
};

/** Gives up all that the writer holds, or leaves it to the turn that runs on. */
const endLeases = ({ leases, seat }: Ended): Effect.Effect<void, EndFailure> =>
  Effect.gen(function* () {
    const { running, writer } = seat;
    if (running === null) return yield* leases.end(writer.actor, null);
    const { id } = running;
    yield* leases.end(writer.actor, {
      turn: id,
      // Whom the turn names behind this runs it, too.
      get children() {
        return running.children;
      },
    });
    // It may have settled before anybody waited for that.
    if (seat.running !== running) yield* leases.settle({ _tag: "TurnEnded", turn: id });
  });

/** Ends the writer; the failures of all steps in one cause, in their order. */
export const endSession = (ended: Ended): Effect.Effect<void, EndFailure> =>
  Effect.gen(function* () {
    const { announce, reason, seat } = ended;
    seat.closing = reason;
    seat.drop(new Closing({ session: seat.writer.session, attempted: "run a turn" }));
    const steps: ReadonlyArray<Effect.Effect<void, EndFailure>> = [
      endTurn(ended),
      endScope(ended),
      endRow(ended),
      endLeases(ended),
      endPolicy[reason].announces ? announce : Effect.void,
    ];
    const exits = yield* Effect.forEach(steps, Effect.exit);
    const causes = exits.flatMap((exit) => (Exit.isFailure(exit) ? [exit.cause] : []));
    const [first, ...others] = causes;
    if (first !== undefined) return yield* Effect.failCause(others.reduce(Cause.sequential, first));
  }).pipe(Effect.uninterruptible);
