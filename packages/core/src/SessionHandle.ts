/**
 * SessionHandle: one writer of a session in this program: its turns, its lease, and its end.
 *
 * It is of one incarnation of the name, and over for good when it has ended or lost its lease;
 * `SessionHandles` gives another then. What is forked or added to its scope ends with it and
 * nothing else's: work of another writer of the same name is not met.
 */
import { Deferred, Effect, ExecutionStrategy, Exit, Option, Scope, type Stream } from "effect";
import type { Attachment, AttachmentOptions } from "./Arrival.js";
import type { AttachElement } from "./AttachElement.js";
import type { AttachmentState } from "./AttachmentState.js";
import type { Attachments } from "./Attachments.js";
import type { AttachRefused } from "./AttachRefusal.js";
import type { ElementsFailure, ElementsOptions } from "./AttachStream.js";
import type { Attendance } from "./Attendance.js";
import type { AwakeClock } from "./AwakeClock.js";
import type { BackgroundWork } from "./BackgroundWork.js";
import { type EndReason, endPolicy } from "./EndReason.js";
import { deleteBehind, type EndFailure, endSession } from "./EndSession.js";
import type { IncarnationId } from "./Identity.js";
import { type ActorId, type LeaseVouch, vouchFor } from "./Lease.js";
import type { InterruptCause } from "./LeaseError.js";
import type { Leases } from "./Leases.js";
import type { SessionClient } from "./SessionClient.js";
import { NotFound, type RegistryFailure } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";
import type { Sessions } from "./Sessions.js";
import { leaseOfSeat } from "./TurnAdmission.js";
import type { TurnBody } from "./TurnHandle.js";
import type { TurnSeat } from "./TurnSeat.js";
import type { TurnOptions, TurnRefused, Turns } from "./Turns.js";

/** A writer. */
export interface SessionHandle {
  readonly session: SessionName;
  readonly incarnation: IncarnationId;
  readonly actor: ActorId;
  /** Closed when the writer ends; what is added later ends at once. */
  readonly scope: Scope.Scope;
  /**
   * Attaches a client until the scope closes, beside those that are there. It is told what happens
   * if it takes that. When the last one has left, the writer ends behind the grace, unless somebody
   * comes, works or looks; the session stays.
   */
  readonly attach: (
    client: SessionClient,
    options?: AttachmentOptions,
  ) => Effect.Effect<Attachment, AttachRefused, Scope.Scope>;
  /** Attaches somebody without a name who is told nothing: no sibling takes its lease meanwhile. */
  readonly attend: Effect.Effect<void, AttachRefused, Scope.Scope>;
  /** What a client would be told, for who pulls it himself; being told is not being attached. */
  readonly elements: (options?: ElementsOptions) => Stream.Stream<AttachElement, ElementsFailure>;
  /** Says that something runs for it until the scope closes: it is no orphan meanwhile. */
  readonly busy: Effect.Effect<void, never, Scope.Scope>;
  /** Who is at it, or how long nobody has been. */
  readonly attachment: Effect.Effect<AttachmentState>;
  /** The same, and every change of it, to its end; who is slow misses the oldest. */
  readonly changes: Stream.Stream<AttachmentState>;
  /** Runs work in the session, as a turn; `NotFound{stale}` when this writer has ended. */
  readonly runTurn: <A, E, R>(
    body: TurnBody<A, E, R>,
    options?: TurnOptions,
  ) => Effect.Effect<A, E | TurnRefused, R>;
  /** Interrupts the turn that runs, and drops what waits behind it; whether one ran. */
  readonly interrupt: (cause: InterruptCause) => Effect.Effect<boolean>;
  /** What a child process needs to run a turn for this writer; none without a lease of its own. */
  readonly vouch: Effect.Effect<Option.Option<LeaseVouch>>;
  /**
   * Ends the writer, as its reason says. Idempotent: the first counts, and all hear the same, but
   * for its own turn, which would wait for itself: that is answered at once when it comes second.
   * A delete that comes behind an end that nobody asked for deletes behind that.
   */
  readonly end: (reason: EndReason) => Effect.Effect<void, EndFailure>;
  /** Whether it can run turns; `lost` is its lease. */
  readonly state: Effect.Effect<"open" | "lost" | "ending">;
}

/** What a handle is made of. */
export interface HandleParts {
  readonly seat: TurnSeat;
  readonly incarnation: IncarnationId;
  readonly attendance: Attendance;
  readonly background: BackgroundWork;
  /** The attachments, of a writer that is ended by this. */
  readonly attachments: (end: SessionHandle["end"]) => Attachments;
  readonly leases: Leases["Type"];
  readonly turns: Turns["Type"];
  readonly sessions: Sessions["Type"];
  readonly awake: AwakeClock["Type"];
  readonly turnSettleMs: number;
  readonly isCurrent: Effect.Effect<boolean, RegistryFailure>;
  readonly isThere: Effect.Effect<boolean, RegistryFailure>;
  readonly announce: (reason: EndReason) => Effect.Effect<void>;
  /** Run when it has ended. */
  readonly forget: Effect.Effect<void>;
}

const stale = (session: SessionName, attempted: string) =>
  new NotFound({ session, attempted, stale: true });

/** Runs a turn; that it does is a use of the writer. */
const runTurn = (
  { attendance, awake, seat, turns }: HandleParts,
  isOver: () => boolean,
): SessionHandle["runTurn"] => {
  const used = Effect.map(awake.now, (now) => {
    attendance.usedAt = now;
  });
  return (body, options) =>
    Effect.suspend(() =>
      isOver()
        ? stale(seat.writer.session, "run a turn")
        : Effect.zipRight(used, Effect.ensuring(turns.run(seat, body, options), used)),
    );
};

/** How the writer ends, and whether it has. */
const makeEnd = (parts: HandleParts, scope: Scope.CloseableScope) =>
  Effect.gen(function* () {
    const { attendance, seat, turns } = parts;
    const over = yield* Deferred.make<void, EndFailure>();
    let hasEnded = false;
    const ending = (reason: EndReason) =>
      endSession({
        ...parts,
        reason,
        closeScope: Scope.close(scope, Exit.void),
        announce: parts.announce(reason),
      }).pipe(
        Effect.exit,
        Effect.tap(() => {
          hasEnded = true;
          attendance.step({ _tag: "Done" });
          return parts.forget;
        }),
        Effect.flatMap((exit) => Effect.zipRight(Deferred.done(over, exit), exit)),
        Effect.uninterruptible,
      );
    // Its own turn is what the end waits for.
    const joined = Effect.flatMap(turns.isInside(seat), (isInside) =>
      isInside ? Effect.void : Deferred.await(over),
    );
    // Once, whoever asks.
    const behind = yield* Effect.cached(deleteBehind(parts));
    const end = (asked: EndReason): Effect.Effect<void, EndFailure> =>
      // The first to come in the step of the look does it; nobody who joins does any of it.
      Effect.suspend(() => {
        const deletes = (reason: EndReason) =>
          endPolicy[asked].endsRow && endPolicy[reason].automatic;
        const as = (reason: EndReason, whole: Effect.Effect<void, EndFailure>) =>
          deletes(reason)
            ? Effect.flatMap(Effect.exit(whole), (exit) => Effect.zipRight(behind, exit))
            : whole;
        if (seat.closing !== null) return as(seat.closing, joined);
        attendance.step({ _tag: "End", reason: asked });
        // Who reaps has said why before he asks.
        const { state } = attendance;
        const reason = state._tag === "Reaping" ? state.reason : asked;
        return as(reason, ending(reason));
      });
    return { end, hasEnded: () => hasEnded };
  });

/** Makes a writer; its scope is a child of this one. */
export const makeHandle = (
  parts: HandleParts,
  parent: Scope.Scope,
): Effect.Effect<{ readonly handle: SessionHandle; readonly attachments: Attachments }> =>
  Effect.gen(function* () {
    const { attendance, background, incarnation, leases, seat, turns } = parts;
    const { actor, session } = seat.writer;
    const scope = yield* Scope.fork(parent, ExecutionStrategy.sequential);
    const { end, hasEnded } = yield* makeEnd(parts, scope);
    const attachments = parts.attachments(end);
    const handle: SessionHandle = {
      session,
      incarnation,
      actor,
      scope,
      attach: attachments.attach,
      attend: attachments.attend,
      elements: attachments.elements,
      busy: background.hold,
      attachment: Effect.sync(() => attendance.state),
      changes: attendance.changes,
      runTurn: runTurn(parts, hasEnded),
      interrupt: (cause) => turns.interrupt(seat, cause),
      vouch: Effect.sync(() => {
        const lease = leaseOfSeat(leases, seat);
        return lease?._tag === "Owned" && !seat.isLost ? vouchFor(lease, session) : Option.none();
      }),
      end,
      state: Effect.sync(() => {
        if (seat.closing !== null || attendance.isEnding) return "ending";
        return seat.isLost ? "lost" : "open";
      }),
    };
    return { handle, attachments };
  });
