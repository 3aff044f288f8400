/**
 * Sessions: the service. Named terminal sessions, created, watched and deleted for real.
 *
 * Each name has its own actor, which takes one message at a time; names never wait for each other.
 * An operation that was begun finishes or is rolled back although its caller left; the caller is
 * interrupted only then. Reads need no actor, change nothing and never make a home. What failed
 * is told by type: `NotFound` was looked up, `LookupFailed` could not be.
 */
import { Context, Effect, Either, Layer, Option, Stream } from "effect";
import { isInTmux } from "./AdoptStranger.js";
import { captureSession } from "./Capture.js";
import { creationOf } from "./Creation.js";
import { checkEnvironment } from "./Environment.js";
import { makeSubscribe, type Subscribe } from "./EventSubscription.js";
import { outputOf } from "./Output.js";
import { milliseconds } from "./Quantity.js";
import { getSession, justSeen, listSessions, viewNow } from "./Readers.js";
import { rebuildEvery, reconcileEvery, reconcilePlan } from "./ReconcileAll.js";
import { Registry, type Unreadable } from "./Registry.js";
import type { RestoreOptions } from "./Restore.js";
import { type DeleteMessage, type FlowServices, makeSessionActor } from "./SessionActor.js";
import type * as SessionError from "./SessionError.js";
import { NotFound } from "./SessionError.js";
import type {
  AddTerminalFailure,
  AdoptFailure,
  CreateFailure,
  NameFailure,
  OutputFailure,
  ReadFailure,
  SetEnvFailure,
} from "./SessionFailures.js";
import { parseSessionName } from "./SessionName.js";
import type {
  AddTerminalOptions,
  CaptureOptions,
  CreateOptions,
  DeleteOptions,
  DeleteTerminalOptions,
  EnvironmentValues,
  OutputOptions,
} from "./SessionOptions.js";
import type { OutputElement } from "./SessionOutput.js";
import type {
  AddedTerminal,
  DeleteResult,
  ReconcileResult,
  SessionView,
  TerminalDeleteResult,
} from "./SessionView.js";
import { Settings } from "./Settings.js";
import { type KeptSnapshot, Snapshots } from "./Snapshots.js";
import { stopServer } from "./StopServer.js";
import { type Captured, Tmux } from "./Tmux.js";

/** What a list tells. `unasked` is why `seen` is `unknown` in every row, when it is. */
export interface SessionList {
  readonly sessions: ReadonlyArray<SessionView>;
  readonly unreadable: ReadonlyArray<Unreadable>;
  readonly unasked: SessionError.LookupFailed | null;
}

/** One name's part in `reconcileAll`; of a damaged row, the name as it stands there. */
export interface ReconcileItem {
  readonly session: string;
  readonly outcome: Either.Either<ReconcileResult, NameFailure>;
}

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
     * and size, as a new generation, all or nothing like `create`. What lived in the old one is
     * gone before. `AlreadyExists` while it runs; `InvalidEnv` names values that the session was
     * made with and that this program does not hold.
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
    /**
     * Ends the tmux server of this home when it has no session; `kept` when it has one, `none`
     * when there is no server. Success with `stopped` means that its process is gone.
     */
    readonly stopServer: Effect.Effect<
      "stopped" | "kept" | "none",
      SessionError.LookupFailed | SessionError.KillUnconfirmed
    >;
    /** One session. When tmux cannot be asked, `seen` is `unknown` and says why. */
    readonly get: (session: string) => Effect.Effect<SessionView, ReadFailure>;
    /** Every session, by name; with `all` also the ended ones. One query and one listing. */
    readonly list: (options?: {
      readonly all?: boolean | undefined;
    }) => Effect.Effect<SessionList, SessionError.RegistryFailure>;
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
    /** What a terminal of the session shows: the newest lines of screen and history. */
    readonly capture: (
      session: string,
      options?: CaptureOptions,
    ) => Effect.Effect<Captured, ReadFailure | SessionError.LookupFailed>;
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
  /** The service over the ports. Closing it refuses what waits and lets what runs end. */
  static readonly layer: Layer.Layer<Sessions, never, FlowServices> = Layer.scoped(
    Sessions,
    Effect.suspend(() => makeSessions),
  );
}

/** A name that was seen before: one that was not needs no claim, and makes no home. */
const knownName = Effect.fnUntraced(function* (name: string, attempted: string) {
  const registry = yield* Registry;
  const session = yield* parseSessionName(name, attempted);
  const known = yield* registry.get(session);
  return Option.isSome(known) ? session : yield* new NotFound({ session, attempted });
});

/** The same, or one that tmux has with the mark of this home. */
const reconcilable = Effect.fnUntraced(function* (name: string) {
  const known = yield* Effect.either(knownName(name, "reconcile"));
  if (Either.isRight(known)) return known.right;
  if (known.left._tag !== "NotFound") return yield* known.left;
  const tmux = yield* Tmux;
  const { home } = yield* Settings;
  const listing = yield* tmux.list("reconcile");
  const sessions = listing._tag === "Server" ? listing.sessions : [];
  const ours = sessions.some((s) => s.name === name && s.mark?.home === home);
  return ours ? yield* parseSessionName(name, "reconcile") : yield* known.left;
});

const messageOf = (options: DeleteOptions | undefined): DeleteMessage => ({
  graceMs: milliseconds("graceMs", options?.graceMs) ?? null,
  force: options?.force ?? false,
  spareDetached: options?.spareDetached ?? false,
  snapshot: options?.snapshot ?? true,
});

const makeSessions = Effect.gen(function* () {
  const services = yield* Effect.context<FlowServices>();
  const actor = yield* makeSessionActor;
  const events = yield* makeSubscribe;
  const provide = Effect.provide(services);
  return Sessions.of({
    events,
    create: Effect.fn("Sessions.create")(function* (options) {
      const session = yield* parseSessionName(options.session, "create");
      const creation = yield* provide(creationOf(session, options));
      const record = yield* actor.create(session, creation);
      // A request that was seen before gives a session that nobody looked at just now.
      return yield* provide(creation.requestId === null ? justSeen(record) : viewNow(record));
    }),
    delete: Effect.fn("Sessions.delete")(function* (name, options) {
      const session = yield* provide(knownName(name, "delete"));
      return yield* actor.delete(session, messageOf(options));
    }),
    addTerminal: Effect.fn("Sessions.addTerminal")(function* (options) {
      const session = yield* provide(knownName(options.session, "add a terminal"));
      return yield* actor.addTerminal(session, options);
    }),
    deleteTerminal: Effect.fn("Sessions.deleteTerminal")(function* (name, terminal, options) {
      const session = yield* provide(knownName(name, "delete a terminal"));
      return yield* actor.deleteTerminal(session, terminal, messageOf(options));
    }),
    setEnv: Effect.fn("Sessions.setEnv")(function* (name, values) {
      const attempted = "set the environment";
      const session = yield* parseSessionName(name, attempted);
      return yield* actor.setEnv(session, yield* checkEnvironment({ session, attempted }, values));
    }),
    reconcile: Effect.fn("Sessions.reconcile")(function* (name) {
      return yield* actor.reconcile(yield* provide(reconcilable(name)));
    }),
    reconcilePlan: Effect.withSpan(provide(reconcilePlan), "Sessions.reconcilePlan"),
    rebuild: Effect.withSpan(provide(rebuildEvery(actor)), "Sessions.rebuild"),
    adopt: Effect.fn("Sessions.adopt")(function* (name) {
      const session = yield* parseSessionName(name, "adopt");
      const there = yield* provide(isInTmux(session));
      if (!there) return yield* new NotFound({ session, attempted: "adopt" });
      return yield* justSeen(yield* actor.adopt(session));
    }),
    restore: Effect.fn("Sessions.restore")(function* (name, options) {
      const session = yield* provide(knownName(name, "restore"));
      return yield* justSeen(yield* actor.restore(session, options ?? {}));
    }),
    reconcileAll: Effect.withSpan(provide(reconcileEvery(actor)), "Sessions.reconcileAll"),
    stopServer: Effect.withSpan(provide(stopServer), "Sessions.stopServer"),
    get: Effect.fn("Sessions.get")(function* (name) {
      return yield* provide(getSession(yield* parseSessionName(name, "get")));
    }),
    list: Effect.fn("Sessions.list")((options) => provide(listSessions(options?.all ?? false))),
    snapshots: Effect.fn("Sessions.snapshots")(function* (name) {
      const session = yield* parseSessionName(name, "list snapshots");
      const snapshots = yield* Snapshots;
      return yield* snapshots.list(session);
    }, provide),
    capture: Effect.fn("Sessions.capture")(function* (name, options) {
      const session = yield* parseSessionName(name, "capture");
      return yield* provide(captureSession(session, options ?? {}));
    }),
    output: (name, options) =>
      Stream.unwrap(
        Effect.map(parseSessionName(name, "read output"), (session) =>
          outputOf(session, options ?? {}, actor.closing),
        ),
      ).pipe(Stream.provideContext(services)),
  });
});
