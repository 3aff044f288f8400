/**
 * SessionHandles: the writers of one program, one for each name that is in use.
 *
 * Asking twice gives the same one, until it has ended or lost its lease; another beside it is made
 * only on request. Nothing is claimed by asking. Closing the service ends every writer as a
 * shutdown does: it gives up leases, waits for no turn, and leaves every session as it is.
 */
import { Context, Effect, Layer, Option, PubSub, type Scope, Stream } from "effect";
import { AwakeClock } from "./AwakeClock.js";
import { Ids } from "./Ids.js";
import { type LeasePorts, Leases } from "./Leases.js";
import { isFinal } from "./Lifecycle.js";
import { NameLocks } from "./NameLocks.js";
import {
  type HandleOptions,
  openHandle,
  type SessionReclaimed,
  type Writers,
} from "./OpenHandle.js";
import { Registry } from "./Registry.js";
import type { LeaseOver } from "./RegistryLeases.js";
import { Closing, type InvalidName, NotFound, type RegistryFailure } from "./SessionError.js";
import type { SessionHandle } from "./SessionHandle.js";
import { parseSessionName, type SessionName } from "./SessionName.js";
import { Sessions } from "./Sessions.js";
import { Settings } from "./Settings.js";
import { type TakeOverFailure, type TakeOverOptions, takenOver } from "./TakeOver.js";
import { Turns } from "./Turns.js";

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
     * the wait. Behind it nothing that the old holder asked for comes through, and he is told.
     */
    readonly takeOver: (
      session: string,
      options?: TakeOverOptions,
    ) => Effect.Effect<SessionHandle, TakeOverFailure>;
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

/** What the writers are made over. */
export type HandlePorts = Sessions | Leases | Turns | Registry | Ids | AwakeClock;

const attempted = "open the session";

/** How many announcements are kept for who is slow. */
const KEPT = 256;

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
    if (state === "open" && isSame) return there;
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

const makeHandles: Effect.Effect<SessionHandles["Type"], never, HandlePorts | Scope.Scope> =
  Effect.gen(function* () {
    const { mailboxBound, turnSettleMs } = yield* Settings;
    const writers: Writers = {
      registry: yield* Registry,
      ids: yield* Ids,
      awake: yield* AwakeClock,
      leases: yield* Leases,
      turns: yield* Turns,
      sessions: yield* Sessions,
      turnSettleMs,
      bound: mailboxBound,
      scope: yield* Effect.scope,
      hub: yield* PubSub.sliding<SessionReclaimed>(KEPT),
      all: new Set(),
      current: new Map(),
    };
    const locks = new NameLocks();
    let isOpen = true;
    yield* Effect.addFinalizer(() => {
      isOpen = false;
      const ends = [...writers.all].map((handle) =>
        orTold(handle.session, handle.end("runtime_shutdown")),
      );
      return Effect.all(ends, { concurrency: "unbounded", discard: true });
    });
    return {
      get: Effect.fn("SessionHandles.get")(function* (name, options = {}) {
        const session = yield* parseSessionName(name, attempted);
        const open = Effect.gen(function* () {
          if (!isOpen) return yield* new Closing({ session, attempted });
          return yield* handleFor(writers, session, options);
        });
        return yield* locks.alone(session)(Effect.uninterruptible(open));
      }),
      takeOver: Effect.fn("SessionHandles.takeOver")(function* (name, options = {}) {
        const session = yield* parseSessionName(name, attempted);
        return yield* takenOver(writers, session, options, (over) =>
          locks.alone(session)(
            Effect.uninterruptible(
              Effect.suspend(
                (): Effect.Effect<SessionHandle, TakeOverFailure> =>
                  isOpen
                    ? takeOverOnce(writers, session, options, over)
                    : new Closing({ session, attempted }),
              ),
            ),
          ),
        );
      }),
      reclaimed: Stream.fromPubSub(writers.hub),
    };
  });
