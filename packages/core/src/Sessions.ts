/**
 * Sessions: the service. Named terminal sessions, created, watched and deleted for real.
 *
 * Each name has its own actor, which takes one message at a time; names never wait for each other.
 * An operation that was begun finishes or is rolled back although its caller left; the caller is
 * interrupted only then. Reads need no actor, change nothing and never make a home. What failed
 * is told by type: `NotFound` was looked up, `LookupFailed` could not be.
 */
import { Context, Effect, Either, Layer, Option, type Redacted } from "effect";
import { creationOf } from "./Creation.js";
import { checkEnvironment } from "./Environment.js";
import { captureSession, getSession, justSeen, listSessions, viewNow } from "./Readers.js";
import { reconcileEvery } from "./ReconcileAll.js";
import { Registry, type Unreadable } from "./Registry.js";
import { type DeleteMessage, type FlowServices, makeSessionActor } from "./SessionActor.js";
import type * as SessionError from "./SessionError.js";
import { NotFound } from "./SessionError.js";
import { parseSessionName } from "./SessionName.js";
import type {
  AddedTerminal,
  DeleteResult,
  ReconcileResult,
  SessionView,
  TerminalDeleteResult,
} from "./SessionView.js";
import { Settings } from "./Settings.js";
import { stopServer } from "./StopServer.js";
import { Tmux } from "./Tmux.js";

/** What a session is to be. */
export interface CreateOptions {
  readonly session: string;
  /** An argv, looked up on the session's PATH and executed as it stands; else a login shell. */
  readonly command?: ReadonlyArray<string> | undefined;
  /** Absolute; the creator's own working directory unless given. */
  readonly cwd?: string | undefined;
  /** Values for the program, beside the base environment. They are held in no row, log or argv. */
  readonly env?: Readonly<Record<string, string | Redacted.Redacted<string>>> | undefined;
  /** Pass the creator's whole environment, not only the allow-list. */
  readonly inheritEnv?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  /** How long the program must live, or until a delete is sent; 0 does not wait. */
  readonly startWindowMs?: number | undefined;
  /** A create that carries the same id again gives the session that the first one made. */
  readonly requestId?: string | undefined;
  /** Delete the session that holds the name first; nothing comes between the two. */
  readonly replace?: boolean | undefined;
}

/** What a further terminal is to be. What is not given is as for the session. */
export interface AddTerminalOptions {
  readonly session: string;
  /** An argv, as in `CreateOptions`; else a login shell. */
  readonly command?: ReadonlyArray<string> | undefined;
  readonly cwd?: string | undefined;
  /** Values beside those that the session was made with, or in place of them. */
  readonly env?: Readonly<Record<string, string | Redacted.Redacted<string>>> | undefined;
  /** Start without the values of the session: else each must be held by this program or given. */
  readonly withoutEnv?: boolean | undefined;
  readonly startWindowMs?: number | undefined;
}

/** How a terminal is to be deleted. */
export interface DeleteTerminalOptions {
  /** How long programs that catch TERM may take to end. */
  readonly graceMs?: number | undefined;
  /** Take the claim from a holder that lives; its later steps are then refused. */
  readonly force?: boolean | undefined;
}

/** How a session is to be deleted. */
export interface DeleteOptions extends DeleteTerminalOptions {
  /** Leave alone what left the session on purpose: a new process session, a double fork. */
  readonly spareDetached?: boolean | undefined;
}

/** What a list tells. `unasked` is why `seen` is `unknown` in every row, when it is. */
export interface SessionList {
  readonly sessions: ReadonlyArray<SessionView>;
  readonly unreadable: ReadonlyArray<Unreadable>;
  readonly unasked: SessionError.LookupFailed | null;
}

/** What an operation that goes through an actor can fail with, whatever it is. */
export type ActorFailure =
  | SessionError.InvalidName
  | SessionError.Busy
  | SessionError.MailboxFull
  | SessionError.Closing
  | SessionError.LookupFailed
  | SessionError.KillUnconfirmed
  | SessionError.ProcessesSurvived
  | SessionError.RegistryFailure;

/** What `create` can fail with. */
export type CreateFailure =
  | ActorFailure
  | SessionError.InvalidCwd
  | SessionError.InvalidEnv
  | SessionError.AlreadyExists
  | SessionError.ForeignSession
  | SessionError.StartFailed
  | SessionError.TmuxRefused
  | SessionError.UnsupportedTmux;

/** What a change of a session that is there can fail with. */
export type NameFailure = ActorFailure | SessionError.NotFound;

/** What `addTerminal` can fail with. */
export type AddTerminalFailure =
  | NameFailure
  | SessionError.InvalidCwd
  | SessionError.InvalidEnv
  | SessionError.StartFailed
  | SessionError.TmuxRefused;

/** What `setEnv` can fail with. */
export type SetEnvFailure =
  | ReadFailure
  | SessionError.InvalidEnv
  | SessionError.Busy
  | SessionError.MailboxFull
  | SessionError.Closing;

/** One name's part in `reconcileAll`; of a damaged row, the name as it stands there. */
export interface ReconcileItem {
  readonly session: string;
  readonly outcome: Either.Either<ReconcileResult, NameFailure>;
}

/** What a read can fail with. */
export type ReadFailure =
  | SessionError.InvalidName
  | SessionError.NotFound
  | SessionError.RegistryFailure;

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
      values: Readonly<Record<string, string | Redacted.Redacted<string>>>,
    ) => Effect.Effect<void, SetEnvFailure>;
    /** Brings the rows of one name and tmux together. Idempotent; a living holder is left alone. */
    readonly reconcile: (session: string) => Effect.Effect<ReconcileResult, NameFailure>;
    /** The same for every name of this home; goes on past one that fails. */
    readonly reconcileAll: Effect.Effect<
      ReadonlyArray<ReconcileItem>,
      SessionError.LookupFailed | SessionError.RegistryFailure
    >;
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
    /** What the session's terminal shows: the newest `lines` of screen and history. */
    readonly capture: (
      session: string,
      options?: { readonly lines?: number | undefined },
    ) => Effect.Effect<string, ReadFailure | SessionError.LookupFailed>;
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

const CAPTURED_LINES = 200;

const messageOf = (options: DeleteOptions | undefined): DeleteMessage => ({
  graceMs: options?.graceMs ?? null,
  force: options?.force ?? false,
  spareDetached: options?.spareDetached ?? false,
});

const makeSessions = Effect.gen(function* () {
  const services = yield* Effect.context<FlowServices>();
  const actor = yield* makeSessionActor;
  const provide = Effect.provide(services);
  return Sessions.of({
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
    reconcileAll: Effect.withSpan(provide(reconcileEvery(actor)), "Sessions.reconcileAll"),
    stopServer: Effect.withSpan(provide(stopServer), "Sessions.stopServer"),
    get: Effect.fn("Sessions.get")(function* (name) {
      return yield* provide(getSession(yield* parseSessionName(name, "get")));
    }),
    list: Effect.fn("Sessions.list")((options) => provide(listSessions(options?.all ?? false))),
    capture: Effect.fn("Sessions.capture")(function* (name, options) {
      const session = yield* parseSessionName(name, "capture");
      return yield* provide(captureSession(session, options?.lines ?? CAPTURED_LINES));
    }),
  });
});
