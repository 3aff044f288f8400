/**
 * OpenHandle: a new writer of a session, in its place among the others of its program.
 *
 * The newest one of a name is the one that is given to who asks; an older one goes on until it
 * ends, and is told of by nobody then.
 */
import { Effect, Option, PubSub } from "effect";
import { Attachments } from "./Attachments.js";
import { Attendance } from "./Attendance.js";
import { BackgroundWork } from "./BackgroundWork.js";
import type { EndReason } from "./EndReason.js";
import type { LeaseWriter } from "./HeldLeases.js";
import { ActorId, type BorrowedLease, type OwnedLease } from "./Lease.js";
import { isFinal } from "./Lifecycle.js";
import type { Presence } from "./OrphanDecision.js";
import { presenceOf } from "./OrphanReaper.js";
import type { SessionRecord } from "./Session.js";
import { type HandleParts, makeHandle, type SessionHandle } from "./SessionHandle.js";
import type { SessionName } from "./SessionName.js";
import { stopSeat } from "./TurnInterrupt.js";
import { type LeaseKind, TurnSeat } from "./TurnSeat.js";
import type { Writers } from "./Writers.js";

/** How a writer is made. */
export interface HandleOptions {
  /** What it is for, in a word, for people; `session` unless given. */
  readonly surface?: string | undefined;
  /** How long it keeps its lease: until it ends, unless given. */
  readonly kind?: LeaseKind | undefined;
  /** A lease that a parent vouched for; then it claims none. One that has another is another. */
  readonly lease?: BorrowedLease | undefined;
  /** One of its own, although another is there: for who comes back while the old one ends. */
  readonly anew?: boolean | undefined;
  /**
   * Whether something of it runs that nobody says `busy` for; a failure counts as that. Given for
   * a writer that is there, it is asked beside what was given before.
   */
  readonly background?: Effect.Effect<boolean, unknown> | undefined;
  /**
   * Begin as one that its client left just now: for one that is made for who may come back. One
   * that is there, and that nobody has come to yet, begins to wait, too.
   */
  readonly expectsClient?: boolean | undefined;
}

const seatOf = (writers: Writers, session: SessionName, options: HandleOptions) =>
  Effect.gen(function* () {
    const { awake, bound, ids, turnSettleMs } = writers;
    const attendance = new Attendance(session, yield* awake.now);
    const writer: LeaseWriter = {
      session,
      actor: ActorId.make(yield* ids.incarnation),
      surface: options.surface ?? "session",
      attended: () => attendance.isAttended,
      taken: Effect.suspend(() => {
        seat.isLost = true;
        return Effect.asVoid(
          stopSeat({ awake, settings: { turnSettleMs } }, seat, "lease_takeover"),
        );
      }),
    };
    const seat: TurnSeat = new TurnSeat(writer, options.kind ?? "interactive", bound);
    seat.lease = options.lease ?? null;
    return { attendance, seat };
  });

/** What is asked of a writer that is there already. */
export const askHandle = (
  { all }: Pick<Writers, "all">,
  there: SessionHandle,
  { background, expectsClient }: HandleOptions,
): Effect.Effect<SessionHandle> =>
  Effect.suspend(() => {
    const open = all.get(there);
    open?.background.ask(background);
    const waits = expectsClient === true ? open?.attachments.expectClient : undefined;
    return Effect.as(waits ?? Effect.void, there);
  });

/** How long a look at tmux may take that is made of several calls, each with its own deadline. */
const LOOK_MS = 30_000;

/** Whether somebody's tmux client shows the session; that it is not there is no client, too. */
const nativeClientsOf = ({ sessions }: Writers, session: SessionName): Effect.Effect<Presence> =>
  presenceOf(
    Effect.suspend(() => sessions.clients(session)).pipe(
      Effect.map((clients) => clients.length > 0),
      Effect.catchTag("NotFound", () => Effect.succeed(false)),
    ),
    LOOK_MS,
  );

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
    const { all, current, hub, registry, scope, watching } = writers;
    const { attendance, seat } = yield* seatOf(writers, session, options);
    if (claim !== undefined) seat.lease = yield* claim(seat.writer);
    const { actor } = seat.writer;
    const isNewest = () => current.get(session) === handle;
    const told = { _tag: "SessionReclaimed", session, actor, incarnation } as const;
    const used = Effect.map(writers.awake.now, (now) => {
      attendance.usedAt = now;
    });
    const background = new BackgroundWork(options.background, used);
    const nativeClients = nativeClientsOf(writers, session);
    const orphan = { ...writers, attendance, seat, nativeClients, background: background.presence };
    const parts: HandleParts = {
      ...writers,
      seat,
      attendance,
      background,
      incarnation,
      attachments: (end) =>
        new Attachments({
          ...writers,
          orphan: { ...orphan, end },
          told: { ...writers, session, incarnation, over: attendance.over },
          scope: watching,
        }),
      isCurrent: Effect.map(registry.get(session), (known) =>
        Option.exists(known, (record) => record.incarnation === incarnation),
      ),
      isThere: Effect.map(registry.find(incarnation), (known) =>
        Option.exists(known, ({ state }) => !isFinal(state)),
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
    const { attachments, handle } = yield* makeHandle(parts, scope);
    all.set(handle, { seat, attachments, background, nativeClients, used });
    current.set(session, handle);
    if (options.expectsClient === true) yield* attachments.expectClient;
    yield* writers.opened;
    return handle;
  });
