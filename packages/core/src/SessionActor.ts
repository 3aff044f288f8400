/**
 * SessionActor: one actor for each name: a mailbox, and the flows that its messages run.
 *
 * The only holder of a mailbox, and the only code that runs a flow. Each message takes the claim
 * of its name, runs one flow from look to last row, and gives the claim back; nothing is kept
 * between two messages. Users see the methods of `Sessions`, never a message.
 */
import { Context, Effect, type Scope } from "effect";
import { addTerminal } from "./AddTerminal.js";
import { adoptStranger } from "./AdoptStranger.js";
import type { ClaimPolicy } from "./ClaimWait.js";
import { createSession } from "./Create.js";
import type { Creation } from "./Creation.js";
import { deleteSession } from "./Delete.js";
import { deleteTerminal } from "./DeleteTerminal.js";
import type { SuppliedEnvironment } from "./Environment.js";
import type { GcDone } from "./GcReport.js";
import { type GcStep, gcStep } from "./GcStep.js";
import { type Holding, withClaim } from "./Holding.js";
import type { Host } from "./Host.js";
import type { IncarnationId } from "./Identity.js";
import type { Ids } from "./Ids.js";
import type { Input, SendResult } from "./Input.js";
import type { LeaseRef } from "./Lease.js";
import type { LeaseLost } from "./LeaseError.js";
import { makeMailboxes } from "./Mailboxes.js";
import type { Joining } from "./MailboxQueues.js";
import type { OutputFiles } from "./OutputFiles.js";
import type { ProcessTable } from "./ProcessTable.js";
import { milliseconds } from "./Quantity.js";
import { leaveAlone, reconcileSession } from "./Reconcile.js";
import type { Registry } from "./Registry.js";
import { type RestoreOptions, restoreSession } from "./Restore.js";
import { sendInput } from "./Send.js";
import type { ServerSocket } from "./ServerSocket.js";
import type { SessionRecord } from "./Session.js";
import type { NotFound } from "./SessionError.js";
import type {
  ActorFailure,
  AddTerminalFailure,
  AdoptFailure,
  CreateFailure,
  NameFailure,
  SendFailure,
  SetEnvFailure,
} from "./SessionFailures.js";
import type { SessionName } from "./SessionName.js";
import type { AddTerminalOptions, DeleteOptions } from "./SessionOptions.js";
import { SessionScopes } from "./SessionScopes.js";
import type {
  AddedTerminal,
  DeleteResult,
  ReconcileResult,
  TerminalDeleteResult,
} from "./SessionView.js";
import { setEnv } from "./SetEnv.js";
import { Settings } from "./Settings.js";
import type { Snapshots } from "./Snapshots.js";
import { type TakeLease, takeLease } from "./TakeLease.js";
import type { Tmux } from "./Tmux.js";
import { whileCurrent } from "./UnderLease.js";

/** What the flows need; captured once, when the actors are made. */
export type FlowServices =
  | Tmux
  | Registry
  | ProcessTable
  | ServerSocket
  | OutputFiles
  | Snapshots
  | Host
  | Ids;

/** The same with what is held for sessions. */
type Needed = FlowServices | SessionScopes;

/** How a delete is done; a grace of `null` is that of the settings. */
export interface DeleteMessage {
  readonly graceMs: number | null;
  readonly force: boolean;
  readonly spareDetached: boolean;
  readonly snapshot: boolean;
  /** The one that is meant, or whichever has the name. */
  readonly incarnation: IncarnationId | null;
}

/** A delete as it was asked for. */
export const messageOf = (options: DeleteOptions | undefined): DeleteMessage => ({
  graceMs: milliseconds("graceMs", options?.graceMs) ?? null,
  force: options?.force ?? false,
  spareDetached: options?.spareDetached ?? false,
  snapshot: options?.snapshot ?? true,
  incarnation: options?.incarnation ?? null,
});

/** The actors of every name. An interrupted call ends when its message has ended. */
export interface SessionActor {
  /** Makes the session, or leaves nothing of it. Two of one `requestId` are one. */
  readonly create: (
    session: SessionName,
    creation: Creation,
  ) => Effect.Effect<SessionRecord, CreateFailure>;
  /** Ends the session and shows it. Cuts short the start window of what runs before it. */
  readonly delete: (
    session: SessionName,
    options: DeleteMessage,
  ) => Effect.Effect<DeleteResult, NameFailure>;
  /** Makes a further terminal, or leaves nothing of it. */
  readonly addTerminal: (
    session: SessionName,
    options: AddTerminalOptions,
  ) => Effect.Effect<AddedTerminal, AddTerminalFailure>;
  /** Ends one terminal and shows it; the last one takes its session with it. */
  readonly deleteTerminal: (
    session: SessionName,
    terminal: string,
    options: Pick<DeleteMessage, "graceMs" | "force">,
  ) => Effect.Effect<TerminalDeleteResult, NameFailure>;
  /** Sends input to the terminal, the first one where that is `null`. */
  readonly send: (
    session: SessionName,
    input: Input,
    terminal: string | null,
  ) => Effect.Effect<SendResult, SendFailure>;
  /** The same of a turn, and a delete of one: only while its lease is current. */
  readonly under: (lease: LeaseRef) => {
    /** Sends input, or fails with `LeaseLost`. */
    readonly send: (
      input: Input,
      terminal: string | null,
    ) => Effect.Effect<SendResult, SendFailure | LeaseLost>;
    /** Ends the session, or fails with `LeaseLost`. */
    readonly delete: (
      message: DeleteMessage,
    ) => Effect.Effect<DeleteResult, NameFailure | LeaseLost>;
  };
  readonly claimLease: TakeLease;
  /** Holds values for terminals to come, until this program lets go of the incarnation. */
  readonly setEnv: (
    session: SessionName,
    values: SuppliedEnvironment,
  ) => Effect.Effect<void, SetEnvFailure>;
  /** Done when this program lets go of the incarnation; a reader of its output ends with it. */
  readonly closing: SessionScopes["Type"]["closing"];
  /** Brings the rows of the name and tmux together; one that waits is joined. */
  readonly reconcile: (session: SessionName) => Effect.Effect<ReconcileResult, NameFailure>;
  /** One step of gc. Waits for nobody: a name that a living program holds is `Busy`. */
  readonly gc: (session: SessionName, step: GcStep) => Effect.Effect<GcDone, NameFailure>;
  /** Marks and records a session that troupe did not make. */
  readonly adopt: (session: SessionName) => Effect.Effect<SessionRecord, AdoptFailure>;
  /** Makes the session anew, as a new generation, or leaves it lost. */
  readonly restore: (
    session: SessionName,
    options: RestoreOptions,
  ) => Effect.Effect<SessionRecord, CreateFailure | NotFound>;
}

/** One that is under way may have looked already, so only one that waits is joined. */
const JOIN_RECONCILE: Joining = { key: "reconcile", whileRunning: false };

/** Two creates ask for the same thing only when they say so. */
const sameRequest = ({ requestId }: Creation): Joining | undefined =>
  requestId === null ? undefined : { key: `create ${requestId}`, whileRunning: false };

/**
 * A delete does not wait for the start window of what it will end. One of an incarnation hurries
 * nobody: what is being made may be what took its place.
 */
const deleting = (message: DeleteMessage): Joining | undefined => {
  const { force, graceMs, incarnation, snapshot, spareDetached } = message;
  if (incarnation !== null) return undefined;
  return {
    key: `delete ${graceMs} ${force} ${spareDetached} ${snapshot}`,
    whileRunning: true,
    hurries: true,
  };
};

/** Sends one message to the actor of the name: a flow under the claim. */
type Send = <A, E>(
  to: {
    readonly session: SessionName;
    readonly attempted: string;
    readonly policy: ClaimPolicy;
    readonly joining?: Joining | undefined;
  },
  flow: (holding: Holding) => Effect.Effect<A, E, Needed>,
) => Effect.Effect<A, E | ActorFailure>;

type OfTerminals = Pick<SessionActor, "addTerminal" | "deleteTerminal" | "send">;

const terminalsOf = (send: Send): OfTerminals => ({
  // Never joined: the same input twice is meant twice.
  send: (session, input, terminal) =>
    send({ session, attempted: "send", policy: "wait" }, (holding) =>
      sendInput(holding, input, terminal),
    ),
  addTerminal: (session, options) =>
    send({ session, attempted: "add a terminal", policy: "wait" }, (holding) =>
      addTerminal(holding, options),
    ),
  deleteTerminal: (session, terminal, { force, graceMs }) => {
    const joining = { key: `delete ${terminal} ${graceMs} ${force}`, whileRunning: true };
    const policy = force ? "force" : "wait";
    return send({ session, attempted: "delete a terminal", policy, joining }, (holding) =>
      deleteTerminal(holding, terminal, { graceMs }),
    );
  },
});

/** What a turn asks for; never joined, since another's has no such condition. */
const underOf =
  (send: Send): SessionActor["under"] =>
  (lease) => {
    const { session } = lease;
    return {
      send: (input, terminal) =>
        send({ session, attempted: "send", policy: "wait" }, (holding) =>
          whileCurrent(lease, "send", sendInput(holding, input, terminal)),
        ),
      delete: (message) =>
        send(
          { session, attempted: "delete", policy: message.force ? "force" : "wait" },
          (holding) => whileCurrent(lease, "delete", deleteSession(holding, message)),
        ),
    };
  };

/**
 * Makes the actors; closing the scope refuses what waits and lets what runs end. What they hold is
 * closed by whoever made it, behind them.
 */
export const makeSessionActor: Effect.Effect<SessionActor, never, Needed | Scope.Scope> =
  Effect.gen(function* () {
    const { mailboxBound } = yield* Settings;
    const services = yield* Effect.context<Needed>();
    const scopes = Context.get(services, SessionScopes);
    const mailboxes = yield* makeMailboxes(mailboxBound);
    const send: Send = ({ attempted, joining, policy, session }, flow) => {
      const message = withClaim(session, attempted, policy, flow);
      return mailboxes.ask(session, attempted, Effect.provide(message, services), joining);
    };
    return {
      ...terminalsOf(send),
      under: underOf(send),
      claimLease: (request) => {
        const policy = request.over === "any" ? "force" : "wait";
        return send({ ...request, policy }, (holding) => takeLease(holding, request));
      },
      closing: scopes.closing,
      create: (session, creation) =>
        send(
          { session, attempted: "create", policy: "wait", joining: sameRequest(creation) },
          (holding) => createSession(holding, creation),
        ),
      delete: (session, message) =>
        send(
          {
            session,
            attempted: "delete",
            policy: message.force ? "force" : "wait",
            joining: deleting(message),
          },
          (holding) => deleteSession(holding, message),
        ),
      setEnv: (session, values) => {
        const work = Effect.provide(setEnv(session, values), services);
        return mailboxes.ask(session, "set the environment", work);
      },
      gc: (session, step) =>
        send({ session, attempted: "gc", policy: "try" }, (holding) => gcStep(holding, step)),
      adopt: (session) => send({ session, attempted: "adopt", policy: "wait" }, adoptStranger),
      restore: (session, options) =>
        send({ session, attempted: "restore", policy: "wait" }, (holding) =>
          restoreSession(holding, options),
        ),
      reconcile: (session) =>
        send(
          { session, attempted: "reconcile", policy: "try", joining: JOIN_RECONCILE },
          reconcileSession,
        ).pipe(
          Effect.catchTag("Busy", (busy) =>
            busy.reason === "claimed" ? Effect.provide(leaveAlone(busy, session), services) : busy,
          ),
        ),
    };
  });
