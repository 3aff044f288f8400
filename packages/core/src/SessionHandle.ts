/**
 * SessionHandle: one writer of a session in this program: its turns, its lease, and its end.
 *
 * It is of one incarnation of the name, and over for good when it has ended or lost its lease;
 * `SessionHandles` gives another then. What is forked or added to its scope ends with it and
 * nothing else's: work of another writer of the same name is not met.
 */
import { Deferred, Effect, ExecutionStrategy, Exit, Option, Scope } from "effect";
import type { EndReason } from "./EndReason.js";
import { type EndFailure, endSession } from "./EndSession.js";
import type { IncarnationId } from "./Identity.js";
import { type ActorId, type LeaseVouch, vouchFor } from "./Lease.js";
import type { InterruptCause } from "./LeaseError.js";
import type { Leases } from "./Leases.js";
import { NotFound, type RegistryFailure } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";
import type { Sessions } from "./Sessions.js";
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
  /** Says that a client is at it until the scope closes: no sibling takes its lease meanwhile. */
  readonly attend: Effect.Effect<void, NotFound, Scope.Scope>;
  /** Runs work in the session, as a turn; `NotFound{stale}` when this writer has ended. */
  readonly runTurn: <A, E, R>(
    body: TurnBody<A, E, R>,
    options?: TurnOptions,
  ) => Effect.Effect<A, E | TurnRefused, R>;
  /** Interrupts the turn that runs, and drops what waits behind it; whether one ran. */
  readonly interrupt: (cause: InterruptCause) => Effect.Effect<boolean>;
  /** What a child process needs to run a turn for this writer; none without a lease of its own. */
  readonly vouch: Effect.Effect<Option.Option<LeaseVouch>>;
  /** Ends the writer, as its reason says. Idempotent: the first counts, and all hear the same. */
  readonly end: (reason: EndReason) => Effect.Effect<void, EndFailure>;
  /** Whether it can run turns; `lost` is its lease. */
  readonly state: Effect.Effect<"open" | "lost" | "ending">;
}

/** What a handle is made of. */
export interface HandleParts {
  readonly seat: TurnSeat;
  readonly incarnation: IncarnationId;
  /** The scopes in which a client is at the writer. */
  readonly clients: Set<object>;
  readonly leases: Leases["Type"];
  readonly turns: Turns["Type"];
  readonly sessions: Sessions["Type"];
  readonly turnSettleMs: number;
  readonly isCurrent: Effect.Effect<boolean, RegistryFailure>;
  readonly announce: (reason: EndReason) => Effect.Effect<void>;
  /** Run when it has ended. */
  readonly forget: Effect.Effect<void>;
}

const stale = (session: SessionName, attempted: string) =>
  new NotFound({ session, attempted, stale: true });

/** A client is counted in one step with nothing being done to the lease of the name. */
const attendance = ({ clients, leases, seat }: HandleParts) => {
  const { session } = seat.writer;
  const enter = Effect.suspend(() => {
    if (seat.closing !== null || seat.isLost) return stale(session, "attend");
    const client = {};
    clients.add(client);
    return Effect.succeed(client);
  });
  return Effect.acquireRelease(leases.alone(session)(enter), (client) =>
    Effect.sync(() => clients.delete(client)),
  ).pipe(Effect.asVoid);
};

/** Makes a writer; its scope is a child of this one. */
export const makeHandle = (parts: HandleParts, parent: Scope.Scope): Effect.Effect<SessionHandle> =>
  Effect.gen(function* () {
    const { incarnation, seat, turns } = parts;
    const { actor, session } = seat.writer;
    const scope = yield* Scope.fork(parent, ExecutionStrategy.sequential);
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
          return parts.forget;
        }),
        Effect.flatMap((exit) => Effect.zipRight(Deferred.done(over, exit), exit)),
        Effect.uninterruptible,
      );
    return {
      session,
      incarnation,
      actor,
      scope,
      attend: attendance(parts),
      runTurn: (body, options) =>
        Effect.suspend(() =>
          hasEnded ? stale(session, "run a turn") : turns.run(seat, body, options),
        ),
      interrupt: (cause) => turns.interrupt(seat, cause),
      vouch: Effect.sync(() =>
        seat.lease?._tag === "Owned" && !seat.isLost
          ? vouchFor(seat.lease, session)
          : Option.none(),
      ),
      end: (reason) =>
        // The first to come in the step of the look does it; nobody who joins does any of it.
        Effect.suspend(() => (seat.closing === null ? ending(reason) : Deferred.await(over))),
      state: Effect.sync(() => {
        if (seat.closing !== null) return "ending";
        return seat.isLost ? "lost" : "open";
      }),
    };
  });
