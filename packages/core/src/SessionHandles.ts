/**
 * SessionHandles: the writers of one program, one for each name that is in use.
 *
 * Asking twice gives the same one, until it has ended or lost its lease; another beside it is made
 * only on request. Nothing is claimed by asking. Closing the service ends every writer as a
 * shutdown does: it gives up leases, waits for no turn, tells clients within their bound, and
 * leaves every session as it is.
 */
import { Context, Effect, Layer, Option, type Scope, Stream } from "effect";
import type { AttachElement } from "./AttachElement.js";
import {
  type AttachToFailure,
  type AttachToOptions,
  attachTo,
  type ClientLeft,
  clientGone,
} from "./HandleAttach.js";
import { sameLease } from "./Lease.js";
import { type LeasePorts, Leases } from "./Leases.js";
import { isFinal } from "./Lifecycle.js";
import { NameLocks } from "./NameLocks.js";
import { askHandle, type HandleOptions, openHandle } from "./OpenHandle.js";
import type { LeaseOver } from "./RegistryLeases.js";
import { Closing, type InvalidName, NotFound, type RegistryFailure } from "./SessionError.js";
import type { SessionHandle } from "./SessionHandle.js";
import { parseSessionName, type SessionName } from "./SessionName.js";
import type { Sessions } from "./Sessions.js";
import { type TakeOverFailure, type TakeOverOptions, takenOver } from "./TakeOver.js";
import { observed, observedStream } from "./Telemetry.js";
import { Turns } from "./Turns.js";
import { type HandlePorts, makeWriters, type SessionReclaimed, type Writers } from "./Writers.js";

/** Writers of sessions. */
export class SessionHandles extends Context.Tag("@troupe/core/SessionHandles")<
  SessionHandles,
  {
    /** The writer of the name; `NotFound` when no session of it is there. */
    readonly get: (
      session: string,
      options?: HandleOptions,
    ) => Effect.Effect<SessionHandle, InvalidName | NotFound | Closing | RegistryFailure>;
    /**
     * A new writer of the name, which has its lease: as soon as nobody runs a turn under it, or
     * with `force` whatever its holder does. `LeaseHeld` names a holder that ran one to the end of
     * the wait. Behind it nothing that the old holder asked for comes through, and he is told; what
     * that cut off is finished first, so `NotFound` where it was a delete.
     */
    readonly takeOver: (
      session: string,
      options?: TakeOverOptions,
    ) => Effect.Effect<SessionHandle, TakeOverFailure>;
    /**
     * Attaches a client to the writer of the name, as a stream of events and output that is one for
     * as long as it is pulled. The last element says why the writer ended. `NotFound{stale}` where
     * another writer or incarnation than the one that is expected is there.
     *
     * @example
     * const seen = handles.attach("build", { waitForSettle: true }).pipe(
     *   Stream.runForEach((element) => Console.log(element.type)),
     * );
     */
    readonly attach: (
      session: string,
      options?: AttachToOptions,
    ) => Stream.Stream<AttachElement, AttachToFailure>;
    /** Takes a client that is gone out of every writer, before anything is done about one. */
    readonly clientGone: (client: string) => Effect.Effect<ClientLeft>;
    /** Writers that the program ended by itself, from now on; who is slow misses the oldest. */
    readonly reclaimed: Stream.Stream<SessionReclaimed>;
  }
>() {
  /** The writers, over the services that they use. */
  static readonly layer: Layer.Layer<SessionHandles, never, HandlePorts> = Layer.scoped(
    SessionHandles,
    Effect.suspend(() => makeHandles),
  );

  /** The same with leases and turns, over what `Sessions` is made over. */
  static readonly layerWithTurns: Layer.Layer<
    Leases | Turns | SessionHandles,
    never,
    Sessions | LeasePorts
  > = Layer.suspend(() => SessionHandles.layer).pipe(
    Layer.provideMerge(Layer.suspend(() => Turns.layer)),
    Layer.provideMerge(Layer.suspend(() => Leases.layer)),
  );
}

const attempted = "open the session";

/** The newest incarnation of the name, if it has not ended. */
const thereOf = ({ registry }: Writers, session: SessionName) =>
  Effect.flatMap(registry.get(session), (known) => {
    const record = Option.getOrNull(known);
    const isThere = record !== null && !isFinal(record.state);
    return isThere ? Effect.succeed(record) : new NotFound({ session, attempted });
  });

/** Ends a writer for whose end nobody waits: what it left behind is said, and left to the sweep. */
const orTold = (session: SessionName, end: Effect.Effect<unknown, unknown>): Effect.Effect<void> =>
  Effect.catchAllCause(Effect.asVoid(end), (cause) =>
    Effect.logWarning(`a writer of ${session} was not ended whole`, cause),
  );

/** Whether the writer works under the lease that was asked for, if one was. */
const isUnder = ({ all }: Writers, there: SessionHandle, { lease }: HandleOptions): boolean => {
  const own = all.get(there)?.seat.lease ?? null;
  return lease === undefined || (own?._tag === "Borrowed" && sameLease(own, lease));
};

/** The writer that is there, if it can go on; else another. */
const handleFor = (writers: Writers, session: SessionName, options: HandleOptions) =>
  Effect.gen(function* () {
    const record = yield* thereOf(writers, session);
    const there = writers.current.get(session);
    if (there === undefined || options.anew === true) {
      return yield* openHandle(writers, record, options);
    }
    const state = yield* there.state;
    const isSame = there.incarnation === record.incarnation;
    if (state === "open" && isSame && isUnder(writers, there, options)) {
      return yield* askHandle(writers, there, options);
    }
    // It goes on beside one that works under the lease that was meant.
    if (state === "open" && isSame) return yield* openHandle(writers, record, options);
    // One that can run no turn any more gives up what it holds; one that ends does so already.
    if (state !== "ending") yield* orTold(session, there.end("lease_lost"));
    return yield* openHandle(writers, record, options);
  });

/** One try to take the lease of the name over, for a writer of its own. */
const takeOverOnce = (
  writers: Writers,
  session: SessionName,
  options: TakeOverOptions,
  over: LeaseOver,
) =>
  Effect.gen(function* () {
    const { leases, sessions } = writers;
    const record = yield* thereOf(writers, session);
    return yield* openHandle(writers, record, { ...options, anew: true }, (writer) =>
      leases.claimBy(writer, (request) =>
        sessions.claimLease({ ...request, attempted: "take over the lease", over }),
      ),
    );
  });

const observing =
  (operation: string) =>
  <A, E>(effect: Effect.Effect<A, E>, session: string) =>
    observed(operation, session, effect);

const makeHandles: Effect.Effect<SessionHandles["Type"], never, HandlePorts | Scope.Scope> =
  Effect.gen(function* () {
    const writers = yield* makeWriters;
    const locks = new NameLocks();
    let isOpen = true;
    yield* Effect.addFinalizer(() => {
      isOpen = false;
      const together = { concurrency: "unbounded", discard: true } as const;
      const end = (handle: SessionHandle) => orTold(handle.session, handle.end("runtime_shutdown"));
      // Also of writers that ended just before, and to the end of who is told.
      const told = Effect.suspend(() =>
        Effect.forEach([...writers.tellings], ({ whole }) => whole, together),
      );
      return Effect.zipRight(Effect.forEach([...writers.all.keys()], end, together), told);
    });
    /** Alone among those that open the name, while the service is open. */
    const opening = <A, E>(session: SessionName, open: Effect.Effect<A, E>) =>
      locks.alone(session)(
        Effect.uninterruptible(
          Effect.suspend(
            (): Effect.Effect<A, E | Closing> =>
              isOpen ? open : new Closing({ session, attempted }),
          ),
        ),
      );
    return {
      get: Effect.fn("SessionHandles.get")(function* (name, options = {}) {
        const session = yield* parseSessionName(name, attempted);
        return yield* opening(session, handleFor(writers, session, options));
      }, observing("SessionHandles.get")),
      takeOver: Effect.fn("SessionHandles.takeOver")(function* (name, options = {}) {
        const session = yield* parseSessionName(name, attempted);
        return yield* takenOver(writers, session, options, (over) =>
          opening(session, takeOverOnce(writers, session, options, over)),
        );
      }, observing("SessionHandles.takeOver")),
      attach: (name, options = {}) =>
        Stream.unwrap(
          Effect.map(parseSessionName(name, "attach"), (session) => {
            const get = (asked: HandleOptions) =>
              opening(session, handleFor(writers, session, asked));
            return attachTo(writers, get, session, options);
          }),
        ).pipe(observedStream("SessionHandles.attach", name)),
      clientGone: Effect.fn("SessionHandles.clientGone")((client) => clientGone(writers, client)),
      reclaimed: Stream.fromPubSub(writers.hub),
    };
  });
