/**
 * OrphanReaper: what is done about a writer whose last client left: nothing for the grace, then as
 * `decideOrphan` says, in time awake.
 *
 * One fiber for a detachment, with one deadline, that acts only while it is the same detachment:
 * one that was left for another finds another number and does nothing. What it looks at may take
 * time, so it is decided behind the looks, in one step with what is done of it. It ends a writer,
 * never a session.
 */
import { Cause, Deferred, Effect, Exit, Option } from "effect";
import type { AttachmentAction } from "./AttachmentState.js";
import type { Attendance } from "./Attendance.js";
import type { AwakeClock } from "./AwakeClock.js";
import type { EndReason } from "./EndReason.js";
import type { EndFailure } from "./EndSession.js";
import type { TurnId } from "./Lease.js";
import {
  decideOrphan,
  type OrphanBounds,
  type OrphanView,
  type Presence,
} from "./OrphanDecision.js";
import { stopTurn } from "./TurnInterrupt.js";
import type { TurnSeat } from "./TurnSeat.js";

/** A writer that may be left alone, and what is known of it. */
export interface Orphan {
  readonly attendance: Attendance;
  readonly seat: TurnSeat;
  readonly awake: AwakeClock["Type"];
  readonly bounds: OrphanBounds;
  /** Whether something else of the writer runs. */
  readonly background: Effect.Effect<Presence>;
  /** Whether tmux shows the session to somebody. */
  readonly nativeClients: Effect.Effect<Presence>;
  readonly end: (reason: EndReason) => Effect.Effect<void, EndFailure>;
  /** Does what a step wants done that is not done here. */
  readonly perform: (action: AttachmentAction) => Effect.Effect<void>;
}

type Looks = Pick<OrphanView, "background" | "nativeClients">;

/** What the decision is made on, as it is now. */
const viewOf = ({ attendance, bounds, seat }: Orphan, now: OrphanView["now"], looks: Looks) => {
  const { running } = seat;
  const hasSaid = running !== null && running.lastActivity > running.startedAt;
  const activity = hasSaid ? running.lastActivity : null;
  const turn = running === null ? null : { id: running.id, activity };
  const { isAwaited } = seat;
  return { state: attendance.state, now, bounds, turn, isAwaited, ...looks };
};

/** Says why it is left alone, where that cannot be known; once for each change. */
const tellDoubt = ({ attendance, seat }: Orphan, before: string | null): Effect.Effect<void> => {
  const { state } = attendance;
  const why = state._tag === "Detached" ? state.deferred : null;
  if (why === null || why === before || !why.endsWith("unknown")) return Effect.void;
  return Effect.logWarning(`the writer of ${seat.writer.session} stays: ${why}`);
};

/** Asks the turn to stop; it is told from here on until when. */
const interrupt = ({ awake, bounds, seat }: Orphan, turn: TurnId): Effect.Effect<void> =>
  Effect.asVoid(
    stopTurn(
      { awake, settings: { turnSettleMs: bounds.interruptSettleMs } },
      seat,
      turn,
      "client_gone",
    ),
  );

/** Ends the writer; what could not be given up is told, and left to the sweep. */
export const reap = ({ attendance, end, seat }: Orphan): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { session } = seat.writer;
    const { state } = attendance;
    if (state._tag !== "Reaping") return Effect.void;
    const told = state.forced
      ? Effect.logError(`a turn of ${session} did not settle, and its writer ends over it`)
      : Effect.void;
    const ended = Effect.flatMap(Effect.exit(end(state.reason)), (exit) =>
      Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)
        ? Effect.void
        : Effect.logWarning(`the writer of ${session} did not end well`, exit.cause),
    );
    return Effect.zipRight(told, ended);
  });

/** The looks that a decision wants: a tmux client is seen also where work defers already. */
const looksOf = ({ background, nativeClients }: Orphan): Effect.Effect<Looks> =>
  Effect.all({ background, nativeClients });

/** Waits until it is due and decides; what is to be done behind that. */
const whenDue = (orphan: Orphan, generation: number) =>
  Effect.gen(function* () {
    const { attendance, awake } = orphan;
    const { state } = attendance;
    if (state._tag !== "Detached" || state.due === null) return null;
    yield* Effect.interruptible(awake.sleepUntil(state.due));
    if (attendance.detachment !== generation) return null;
    const looks = yield* Effect.interruptible(looksOf(orphan));
    const now = yield* awake.now;
    // From here on nothing comes between.
    return yield* Effect.suspend(() => {
      const decision = decideOrphan(viewOf(orphan, now, looks));
      const action = attendance.step({ _tag: "Due", generation, decision });
      return Effect.as(tellDoubt(orphan, state.deferred), action);
    });
  });

const NOTHING: Looks = { background: "none", nativeClients: "none" };

/** Waits until the turn that was interrupted has settled, or long enough. */
const whenSettled = (orphan: Orphan, generation: number) =>
  Effect.gen(function* () {
    const { attendance, awake, bounds, seat } = orphan;
    const { state } = attendance;
    if (state._tag !== "Interrupting") return null;
    const { settlesBy, turn } = state;
    const { running } = seat;
    if (running?.id === turn) {
      const settled = Deferred.await(running.settled);
      yield* Effect.interruptible(Effect.raceFirst(settled, awake.sleepUntil(settlesBy)));
    }
    const now = yield* awake.now;
    return yield* Effect.sync((): AttachmentAction | null => {
      if (attendance.detachment !== generation) return null;
      const isNext = seat.running !== null || seat.isAwaited;
      if (seat.running?.id !== turn) {
        const graceMs = bounds.orphanGraceMs;
        return attendance.step({ _tag: "Settled", turn, isNext, at: now, graceMs });
      }
      const decision = decideOrphan(viewOf(orphan, now, NOTHING));
      return attendance.step({ _tag: "Due", generation, decision });
    });
  });

/**
 * One look, and what comes of it; whether this detachment goes on. Only its waits are cut short.
 */
const watchOnce = (orphan: Orphan, generation: number): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const { attendance } = orphan;
    const { state } = attendance;
    if (attendance.detachment !== generation) return false;
    const waited = state._tag === "Detached" ? whenDue : whenSettled;
    const action = yield* waited(orphan, generation);
    if (action === null) return false;
    if (action === "interrupt" && attendance.state._tag === "Interrupting") {
      yield* interrupt(orphan, attendance.state.turn);
    }
    yield* orphan.perform(action);
    return true;
  }).pipe(Effect.uninterruptible);

/**
 * Watches the detachment that there is now, to its end; done at once when there is none. The next
 * one, that may come of it, is another's to watch.
 */
export const watchOrphan = (orphan: Orphan): Effect.Effect<void> =>
  Effect.suspend(() => {
    const generation = orphan.attendance.detachment;
    if (generation === null) return Effect.void;
    const look = watchOnce(orphan, generation);
    return Effect.asVoid(Effect.repeat(look, { while: (goesOn) => goesOn }));
  });

/** What a look at something that may fail or hang tells. */
export const presenceOf = (
  look: Effect.Effect<boolean, unknown>,
  boundMs: number,
): Effect.Effect<Presence> =>
  // Left behind when it hangs, whatever it does about an interruption.
  Effect.timeoutOption(Effect.disconnect(look), boundMs).pipe(
    Effect.exit,
    Effect.map((exit) => {
      if (Exit.isFailure(exit) || Option.isNone(exit.value)) return "unknown";
      return exit.value.value ? "some" : "none";
    }),
  );
