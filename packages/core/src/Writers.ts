/**
 * Writers: the writers of one program, with what they are made with.
 *
 * Kept here from the step in which one is made to that in which it has ended. Nothing is made or
 * ended here but what looks after them: the fibers that watch and tell, and the release of idle
 * ones.
 */
import { Effect, ExecutionStrategy, PubSub, Scope } from "effect";
import type { Attachments } from "./Attachments.js";
import { AwakeClock } from "./AwakeClock.js";
import type { BackgroundWork } from "./BackgroundWork.js";
import type { EndReason } from "./EndReason.js";
import type { IncarnationId } from "./Identity.js";
import { idleRelease } from "./IdleRelease.js";
import { idleWriters } from "./IdleWriters.js";
import { Ids } from "./Ids.js";
import type { ActorId } from "./Lease.js";
import { Leases } from "./Leases.js";
import type { OrphanBounds, Presence } from "./OrphanDecision.js";
import { Registry } from "./Registry.js";
import type { SessionHandle } from "./SessionHandle.js";
import type { SessionName } from "./SessionName.js";
import { Sessions } from "./Sessions.js";
import { Settings } from "./Settings.js";
import type { Tellings } from "./Tellings.js";
import type { TurnSeat } from "./TurnSeat.js";
import { Turns } from "./Turns.js";

/** A session whose writer was ended by the program itself; whoever used it asks for another. */
export interface SessionReclaimed {
  readonly _tag: "SessionReclaimed";
  readonly session: SessionName;
  readonly actor: ActorId;
  readonly incarnation: IncarnationId;
  readonly reason: EndReason;
}

/** A writer that is there, with what only its program does to it. */
export interface OpenWriter {
  readonly seat: TurnSeat;
  readonly attachments: Attachments;
  readonly background: BackgroundWork;
  /** Whether tmux shows the session to somebody. */
  readonly nativeClients: Effect.Effect<Presence>;
  /** It is in use now. */
  readonly used: Effect.Effect<void>;
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
  readonly viewerBoundMs: number;
  readonly bounds: OrphanBounds;
  /** How many turns of one writer may wait. */
  readonly bound: number;
  readonly scope: Scope.Scope;
  /** Whose fibers watch and tell; it closes behind the end of every writer. */
  readonly watching: Scope.Scope;
  readonly hub: PubSub.PubSub<SessionReclaimed>;
  readonly all: Map<SessionHandle, OpenWriter>;
  /** By which somebody is told now, also behind the end of his writer. */
  readonly tellings: Set<Tellings>;
  /** Run behind each new one. */
  readonly opened: Effect.Effect<void>;
  /** The newest of each name. */
  readonly current: Map<SessionName, SessionHandle>;
}

/** What the writers are made over. */
export type HandlePorts = Sessions | Leases | Turns | Registry | Ids | AwakeClock;

/** How many announcements are kept for who is slow. */
const KEPT = 256;

/** What writers are made with, and the fibers that look after them. */
export const makeWriters = Effect.gen(function* () {
  const settings = yield* Settings;
  const scope = yield* Effect.scope;
  const awake = yield* AwakeClock;
  const all: Writers["all"] = new Map();
  // Made before the finalizer of the service, so closed behind it.
  const watching = yield* Scope.fork(scope, ExecutionStrategy.sequential);
  const writers: Writers = {
    registry: yield* Registry,
    ids: yield* Ids,
    awake,
    leases: yield* Leases,
    turns: yield* Turns,
    sessions: yield* Sessions,
    turnSettleMs: settings.turnSettleMs,
    viewerBoundMs: settings.viewerBoundMs,
    bounds: settings,
    bound: settings.mailboxBound,
    scope,
    watching,
    hub: yield* PubSub.sliding<SessionReclaimed>(KEPT),
    all,
    tellings: new Set(),
    current: new Map(),
    opened: yield* idleRelease({
      awake,
      bounds: settings,
      writers: () => idleWriters({ all }),
      scope: watching,
    }),
  };
  return writers;
});
