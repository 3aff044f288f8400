/**
 * SessionActor: one actor for each name: a mailbox, and the flows that its messages run.
 *
 * The only holder of a mailbox, and the only code that runs a flow. Each message takes the claim
 * of its name, runs one flow from look to last row, and gives the claim back; nothing is kept
 * between two messages. Users see the methods of `Sessions`, never a message.
 */
import { Effect, type Scope } from "effect";
import { createSession } from "./Create.js";
import type { Creation } from "./Creation.js";
import { deleteSession } from "./Delete.js";
import { type ClaimPolicy, type Holding, withClaim } from "./Holding.js";
import type { Host } from "./Host.js";
import type { Ids } from "./Ids.js";
import { makeMailboxes } from "./Mailboxes.js";
import type { Joining } from "./MailboxQueues.js";
import type { ProcessTable } from "./ProcessTable.js";
import { leaveAlone, reconcileSession } from "./Reconcile.js";
import type { Registry } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import type { SessionName } from "./SessionName.js";
import type { CreateFailure, NameFailure } from "./Sessions.js";
import type { DeleteResult, ReconcileResult } from "./SessionView.js";
import { Settings } from "./Settings.js";
import type { Tmux } from "./Tmux.js";

/** What the flows need; captured once, when the actors are made. */
export type FlowServices = Tmux | Registry | ProcessTable | Host | Ids;

/** The actors of every name. An interrupted call ends when its message has ended. */
export interface SessionActor {
  readonly create: (
    session: SessionName,
    creation: Creation,
  ) => Effect.Effect<SessionRecord, CreateFailure>;
  readonly delete: (
    session: SessionName,
    options: { readonly graceMs: number | null; readonly force: boolean },
  ) => Effect.Effect<DeleteResult, NameFailure>;
  readonly reconcile: (session: SessionName) => Effect.Effect<ReconcileResult, NameFailure>;
}

/** One that is under way may have looked already, so only one that waits is joined. */
const JOIN_RECONCILE: Joining = { key: "reconcile", whileRunning: false };

/** Two creates ask for the same thing only when they say so. */
const sameRequest = ({ requestId }: Creation): Joining | undefined =>
  requestId === null ? undefined : { key: `create ${requestId}`, whileRunning: false };

/** Makes the actors; closing the scope refuses what waits and lets what runs end. */
export const makeSessionActor: Effect.Effect<SessionActor, never, FlowServices | Scope.Scope> =
  Effect.gen(function* () {
    const { mailboxBound } = yield* Settings;
    const services = yield* Effect.context<FlowServices>();
    const mailboxes = yield* makeMailboxes(mailboxBound);
    const send = <A, E>(
      session: SessionName,
      attempted: string,
      policy: ClaimPolicy,
      flow: (holding: Holding) => Effect.Effect<A, E, FlowServices>,
      joining?: Joining,
    ) => {
      const message = withClaim(session, attempted, policy, flow);
      return mailboxes.ask(session, attempted, Effect.provide(message, services), joining);
    };
    return {
      create: (session, creation) =>
        send(
          session,
          "create",
          "wait",
          (holding) => createSession(holding, creation),
          sameRequest(creation),
        ),
      delete: (session, { force, graceMs }) =>
        send(
          session,
          "delete",
          force ? "force" : "wait",
          (holding) => deleteSession(holding, graceMs),
          { key: `delete ${graceMs} ${force}`, whileRunning: true },
        ),
      reconcile: (session) =>
        send(session, "reconcile", "try", reconcileSession, JOIN_RECONCILE).pipe(
          Effect.catchTag("Busy", (busy) =>
            busy.reason === "claimed" ? Effect.provide(leaveAlone(busy, session), services) : busy,
          ),
        ),
    };
  });
