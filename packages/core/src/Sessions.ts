/**
 * Sessions: the service. Named terminal sessions, created, watched and deleted for real.
 *
 * Each name has its own actor, which takes one message at a time; names never wait for each other.
 * An operation that was begun finishes or is rolled back although its caller left; the caller is
 * interrupted only then. Reads need no actor, change nothing and never make a home. What failed
 * is told by type: `NotFound` was looked up, `LookupFailed` could not be.
 */
import { Context, Effect, Layer, type Scope, type Stream } from "effect";
import { isInTmux } from "./AdoptStranger.js";
import { type AttachTo, attachCommand } from "./Attach.js";
import { creationOf } from "./Creation.js";
import { checkEnvironment } from "./Environment.js";
import { makeSubscribe, type Subscribe } from "./EventSubscription.js";
import { gcEvery } from "./Gc.js";
import type { Collect } from "./GcReport.js";
import { inputOf, type SendResult } from "./Input.js";
import { knownName, reconcilable } from "./KnownName.js";
import type { LeaseRef } from "./Lease.js";
import type { ClientsOf } from "./NativeClients.js";
import { observedSessions } from "./ObservedSessions.js";
import { justSeen, viewNow } from "./Readers.js";
import { rebuildEvery, reconcileEvery, reconcilePlan } from "./ReconcileAll.js";
import type { RestoreOptions } from "./Restore.js";
import { type ServerStatus, serverStatus } from "./ServerStatus.js";
import { type FlowServices, makeSessionActor, messageOf } from "./SessionActor.js";
import * as SessionError from "./SessionError.js";
import type {
  AddTerminalFailure,
  AdoptFailure,
  CreateFailure,
  GetFailure,
  NameFailure,
  OutputFailure,
  ReadFailure,
  SendFailure,
  SetEnvFailure,
  WaitFailure,
} from "./SessionFailures.js";
import type { ReconcileItem, SessionList } from "./SessionList.js";
import { parseSessionName } from "./SessionName.js";
import type {
  AddTerminalOptions,
  CaptureOptions,
  CreateOptions,
  DeleteOptions,
  DeleteTerminalOptions,
  EnvironmentValues,
  ListOptions,
  OutputOptions,
  SendInput,
  SendOptions,
  WaitOptions,
} from "./SessionOptions.js";
import type { OutputElement } from "./SessionOutput.js";
import { readsOf } from "./SessionReads.js";
import { makeSessionScopes, SessionScopes } from "./SessionScopes.js";
import type {
  AddedTerminal,
  DeleteResult,
  ReconcileResult,
  SessionView,
  TerminalDeleteResult,
} from "./SessionView.js";
import type { KeptSnapshot } from "./Snapshots.js";
import { type StopServer, stopServer } from "./StopServer.js";
import { type TakeLease, takeOfKnown } from "./TakeLease.js";
import type { Captured } from "./Tmux.js";
import { deletingOwn } from "./TurnInside.js";
import type { SessionUnderLease } from "./UnderLease.js";
import type { Waited } from "./Wait.js";
import type { WaitCondition } from "./WaitCondition.js";

export type { ReconcileItem, SessionList } from "./SessionList.js";

/** Named terminal sessions. */
export class Sessions extends Context.Tag("@troupe/core/Sessions")<
  Sessions,
  {
    /**
     * Makes the session and returns when tmux shows it, its program lived through the start window
     * and the row says `running` (or `exited`, when the program ended with 0). On any failure and
     * on interruption everything is undone before the next message of the name.
     */
    readonly create: (options: CreateOptions) => Effect.Effect<SessionView, CreateFailure>;
    /**
     * Ends the session. Success means that tmux confirmed that it is gone, its processes are gone,
     * and the row says `deleted`. Idempotent: what is gone already is success.
     */
    readonly delete: (
      session: string,
      options?: DeleteOptions,
    ) => Effect.Effect<DeleteResult, NameFailure>;
    /**
     * Makes a further terminal, a tmux window of its own, as `create` makes a session: all or
     * nothing, and the other terminals are not touched whatever becomes of it. `InvalidEnv` names
     * values that the session was made with and that this program does not hold.
     */
    readonly addTerminal: (
      options: AddTerminalOptions,
    ) => Effect.Effect<AddedTerminal, AddTerminalFailure>;
    /**
     * Ends one terminal with its processes, as `delete` ends a session. The last one takes its
     * session with it, unless somebody else has windows in that: then `Busy{windows}`, and nothing
     * is done. Idempotent: what is gone already is success.
     */
    readonly deleteTerminal: (
      session: string,
      terminal: string,
      options?: DeleteTerminalOptions,
    ) => Effect.Effect<TerminalDeleteResult, NameFailure>;
    /**
     * Supplies values to the session, for terminals that are added later: what a program that
     * started anew does not hold. They are held in memory until the session ends, and change
     * nothing that runs. Idempotent.
     */
    readonly setEnv: (
      session: string,
      values: EnvironmentValues,
    ) => Effect.Effect<void, SetEnvFailure>;
    /**
     * Sends input to a terminal, byte for byte, out of copy mode first, as one bracketed paste
     * where the program asked for that. Never twice: `unconfirmed` may or may not have arrived.
     */
    readonly send: (
      session: string,
      input: string | Uint8Array | SendInput,
      options?: SendOptions,
    ) => Effect.Effect<SendResult, SendFailure>;
    /** What a turn does to its session: only while its lease is current. */
    readonly under: (lease: LeaseRef) => SessionUnderLease;
    /** Claims a lease as a message of its name; programs use `SessionHandles.takeOver`. */
    readonly claimLease: TakeLease;
    /** Brings the rows of one name and tmux together. Idempotent; a living holder is left alone. */
    readonly reconcile: (session: string) => Effect.Effect<ReconcileResult, NameFailure>;
    /** The same for every name of this home; goes on past one that fails. */
    readonly reconcileAll: Effect.Effect<
      ReadonlyArray<ReconcileItem>,
      SessionError.LookupFailed | SessionError.RegistryFailure
    >;
    /**
     * What `reconcileAll` would do, and why, as one listing and one query tell it: `changed` where
     * there is something to do. Writes nothing and takes no claim.
     */
    readonly reconcilePlan: Effect.Effect<
      ReadonlyArray<ReconcileItem>,
      SessionError.LookupFailed | SessionError.RegistryFailure
    >;
    /**
     * The same where the registry may have been lost: one that is damaged is kept aside (`kept` is
     * where), and sessions with the mark of this home are adopted into a new one. A registry that
     * can be read stays as it is.
     */
    readonly rebuild: Effect.Effect<
      { readonly kept: string | null; readonly items: ReadonlyArray<ReconcileItem> },
      SessionError.LookupFailed | SessionError.RegistryFailure
    >;
    /**
     * Makes a session anew that was lost or whose programs ended: the same name, directory, command
     * and size, as a new generation. What lived in the old one is gone before. One that fails
     * leaves nothing in tmux, and the session lost with the cause, to be restored again.
     * `AlreadyExists` while it runs; `InvalidEnv` names values that the session was made with and
     * that this program does not hold.
     */
    readonly restore: (
      session: string,
      options?: RestoreOptions,
    ) => Effect.Effect<SessionView, CreateFailure | SessionError.NotFound>;
    /**
     * Takes a session that troupe did not make under management: its panes become terminals. What
     * runs in it is not touched. `ForeignSession` when it carries a mark of another home.
     */
    readonly adopt: (session: string) => Effect.Effect<SessionView, AdoptFailure>;
    readonly stopServer: StopServer;
    readonly gc: Collect;
    /** The tmux server of this home as it is now; `LookupFailed` where it could not be asked. */
    readonly serverStatus: Effect.Effect<ServerStatus, SessionError.LookupFailed>;
    /** One session. When tmux cannot be asked, `seen` is `unknown` and says why. */
    readonly get: (session: string) => Effect.Effect<SessionView, GetFailure>;
    /** Every session, by name. One query, and one listing; see `ListOptions`. */
    readonly list: (
      options?: ListOptions,
    ) => Effect.Effect<SessionList, SessionError.RegistryFailure>;
    /** What was kept of the name's terminals when they were deleted, oldest generation first. */
    readonly snapshots: (
      session: string,
    ) => Effect.Effect<
      ReadonlyArray<KeptSnapshot>,
      SessionError.InvalidName | SessionError.LookupFailed
    >;
    /**
     * What happened since a cursor and, unless told not to, what happens from now on, also in
     * other programs on the home: each event once, in order. What is not kept any more is a gap.
     */
    readonly events: Subscribe;
    /** What is to be run to show the session on the caller's terminal. Looks, and makes nothing. */
    readonly attachCommand: AttachTo;
    readonly clients: ClientsOf;
    /** What a terminal of the session shows: the newest lines of screen and history. */
    readonly capture: (
      session: string,
      options?: CaptureOptions,
    ) => Effect.Effect<Captured, ReadFailure | SessionError.LookupFailed>;
    /** Until the condition holds; at once where it does, or never can any more. Changes nothing. */
    readonly wait: (
      session: string,
      condition: WaitCondition,
      options?: WaitOptions,
    ) => Effect.Effect<Waited, WaitFailure>;
    /**
     * What a terminal printed from a sequence on, and prints, until it ends. `NotFound` also for a
     * session that is not recorded. A reader that is too slow is told of a gap, and slows nobody.
     */
    readonly output: (
      session: string,
      options?: OutputOptions,
    ) => Stream.Stream<OutputElement, OutputFailure>;
  }
>() {
  /** The service over the ports. Closing its scope refuses what waits and lets what runs end. */
  static readonly make: Effect.Effect<Sessions["Type"], never, FlowServices | Scope.Scope> =
    Effect.suspend(() => Effect.map(makeAlone, observedSessions));
  /** The same without spans and counts, for a program that makes a call and ends. */
  static readonly makeUnobserved: typeof Sessions.make = Effect.suspend(() => makeAlone);
  /** `make`, until the scope of the layer closes. */
  static readonly layer = Layer.scoped(Sessions, Sessions.make);
}

/** The service over what somebody else made to hold for sessions, and closes behind it. */
export const makeSessions = Effect.gen(function* () {
  const services = yield* Effect.context<FlowServices | SessionScopes>();
  const actor = yield* makeSessionActor;
  const events = yield* makeSubscribe;
  const reads = yield* readsOf(services, actor.closing);
  const provide = Effect.provide(services);
  return Sessions.of({
    ...reads,
    events,
    create: Effect.fnUntraced(function* (options) {
      const session = yield* parseSessionName(options.session, "create");
      const creation = yield* provide(creationOf(session, options));
      const record = yield* actor.create(session, creation);
      // A request that was seen before gives a session that nobody looked at just now.
      return yield* provide(creation.requestId === null ? justSeen(record) : viewNow(record));
    }),
    delete: Effect.fnUntraced(function* (name, options) {
      const session = yield* provide(knownName(name, "delete"));
      return yield* actor.delete(session, messageOf(options));
    }),
    addTerminal: Effect.fnUntraced(function* (options) {
      const session = yield* provide(knownName(options.session, "add a terminal"));
      return yield* actor.addTerminal(session, options);
    }),
    deleteTerminal: Effect.fnUntraced(function* (name, terminal, options) {
      const session = yield* provide(knownName(name, "delete a terminal"));
      return yield* actor.deleteTerminal(session, terminal, messageOf(options));
    }),
    setEnv: Effect.fnUntraced(function* (name, values) {
      const attempted = "set the environment";
      const session = yield* parseSessionName(name, attempted);
      return yield* actor.setEnv(session, yield* checkEnvironment({ session, attempted }, values));
    }),
    send: Effect.fnUntraced(function* (name, given, options) {
      const input = yield* provide(inputOf(yield* parseSessionName(name, "send"), given));
      const session = yield* provide(knownName(name, "send"));
      return yield* actor.send(session, input, options?.terminal ?? null);
    }),
    under: (lease) => ({
      send: Effect.fnUntraced(function* (given, options) {
        const input = yield* provide(inputOf(lease.session, given));
        return yield* actor.under(lease).send(input, options?.terminal ?? null);
      }),
      delete: (options) => deletingOwn(lease.lease)(actor.under(lease).delete(messageOf(options))),
    }),
    claimLease: (request) => provide(takeOfKnown(actor.claimLease)(request)),
    reconcile: (name) => Effect.flatMap(provide(reconcilable(name)), actor.reconcile),
    reconcilePlan: provide(reconcilePlan),
    rebuild: provide(rebuildEvery(actor)),
    adopt: Effect.fnUntraced(function* (name) {
      const session = yield* parseSessionName(name, "adopt");
      const there = yield* provide(isInTmux(session));
      if (!there) return yield* new SessionError.NotFound({ session, attempted: "adopt" });
      return yield* provide(justSeen(yield* actor.adopt(session)));
    }),
    restore: Effect.fnUntraced(function* (name, options) {
      const session = yield* provide(knownName(name, "restore"));
      return yield* provide(justSeen(yield* actor.restore(session, options ?? {})));
    }),
    reconcileAll: provide(reconcileEvery(actor)),
    stopServer: provide(stopServer),
    serverStatus: provide(serverStatus),
    gc: (options) => provide(gcEvery(actor)(options ?? {})),
    attachCommand: (name, options) => provide(attachCommand(name, options ?? {})),
  });
});

const makeAlone = Effect.provideServiceEffect(makeSessions, SessionScopes, makeSessionScopes);
