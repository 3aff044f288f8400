/**
 * OpenHandle: a new writer of a session, in its place among the others of its program.
 *
 * The newest one of a name is the one that is given to who asks; an older one goes on until it
 * ends, and is told of by nobody then.
 */
import { Effect, Option, PubSub, type Scope } from "effect";
import type { AwakeClock } from "./AwakeClock.js";
import type { EndReason } from "./EndReason.js";
import type { LeaseWriter } from "./HeldLeases.js";
import type { IncarnationId } from "./Identity.js";
import type { Ids } from "./Ids.js";
import { ActorId, type BorrowedLease, type OwnedLease } from "./Lease.js";
import type { Leases } from "./Leases.js";
import type { Registry } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import { makeHandle, type SessionHandle } from "./SessionHandle.js";
import type { SessionName } from "./SessionName.js";
import type { Sessions } from "./Sessions.js";
import { stopSeat } from "./TurnInterrupt.js";
import { type LeaseKind, TurnSeat } from "./TurnSeat.js";
import type { Turns } from "./Turns.js";

/** How a writer is made. */
export interface HandleOptions {
  /** What it is for, in a word, for people; `session` unless given. */
  readonly surface?: string | undefined;
  /** How long it keeps its lease: until it ends, unless given. */
  readonly kind?: LeaseKind | undefined;
  /** A lease that a parent vouched for; then it claims none. */
  readonly lease?: BorrowedLease | undefined;
  /** One of its own, although another is there: for who comes back while the old one ends. */
  readonly anew?: boolean | undefined;
}

/** A session whose writer was ended by the program itself; whoever used it asks for another. */
export interface SessionReclaimed {
  readonly _tag: "SessionReclaimed";
  readonly session: SessionName;
  readonly actor: ActorId;
  readonly incarnation: IncarnationId;
  readonly reason: EndReason;
}

/** What writers are made with, and where they are kept. */
export interface Writers {
  readonly registry: Registry["Type"];
  readonly ids: Ids["Type"];
  readonly awake: AwakeClock["Type"];
  readonly leases: Leases["Type"];
  readonly turns: Turns["Type"];
  readonly sessions: Sessions["Type"];
  readonly turnSettleMs: number;
  /** How many turns of one writer may wait. */
  readonly bound: number;
  readonly scope: Scope.Scope;
  readonly hub: PubSub.PubSub<SessionReclaimed>;
  readonly all: Set<SessionHandle>;
  /** The newest of each name. */
  readonly current: Map<SessionName, SessionHandle>;
}

const seatOf = (writers: Writers, session: SessionName, options: HandleOptions) =>
  Effect.gen(function* () {
    const { awake, bound, ids, turnSettleMs } = writers;
    const clients = new Set<object>();
    const writer: LeaseWriter = {
      session,
      actor: ActorId.make(yield* ids.incarnation),
      surface: options.surface ?? "session",
      attended: () => clients.size > 0,
      taken: Effect.suspend(() => {
        seat.isLost = true;
        return Effect.asVoid(
          stopSeat({ awake, settings: { turnSettleMs } }, seat, "lease_takeover"),
        );
      }),
    };
    const seat: TurnSeat = new TurnSeat(writer, options.kind ?? "interactive", bound);
    seat.lease = options.lease ?? null;
    return { clients, seat };
  });

/**
 * Makes the writer; it is the one of its name from here on. With `claim` it begins with that lease,
 * or is not made.
 */
export const openHandle = <E = never>(
  writers: Writers,
  { incarnation, session }: SessionRecord,
  options: HandleOptions,
  claim?: (writer: LeaseWriter) => Effect.Effect<OwnedLease, E>,
): Effect.Effect<SessionHandle, E> =>
  Effect.gen(function* () {
    const { all, current, hub, registry, scope } = writers;
    const { clients, seat } = yield* seatOf(writers, session, options);
    if (claim !== undefined) seat.lease = yield* claim(seat.writer);
    const { actor } = seat.writer;
    const isNewest = () => current.get(session) === handle;
    const told = { _tag: "SessionReclaimed", session, actor, incarnation } as const;
    const parts = {
      ...writers,
      seat,
      clients,
      incarnation,
      isCurrent: Effect.map(registry.get(session), (known) =>
        Option.exists(known, (record) => record.incarnation === incarnation),
      ),
      announce: (reason: EndReason) =>
        Effect.suspend(() =>
          isNewest() ? Effect.asVoid(PubSub.publish(hub, { ...told, reason })) : Effect.void,
        ),
      forget: Effect.sync(() => {
        all.delete(handle);
        if (isNewest()) current.delete(session);
      }),
    };
    const handle: SessionHandle = yield* makeHandle(parts, scope);
    all.add(handle);
    current.set(session, handle);
    return handle;
  });
