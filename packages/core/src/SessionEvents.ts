/**
 * SessionEvents: the lifecycle log, and which change writes which event.
 *
 * An event is written in the transaction of its change and numbered there, so the log tells
 * everything once, in order, also after a crash. It holds names and states; never an environment
 * value and never what a program printed.
 */
import { Schema } from "effect";
import { IncarnationId, TerminalId } from "./Identity.js";
import { ActorId, LeaseId, type LeaseRecord } from "./Lease.js";
import { RESTORING } from "./Lifecycle.js";
import type { Change } from "./Registry.js";
import { ProgramExit, type SessionRecord, SessionState, TerminalState } from "./Session.js";
import { SessionName } from "./SessionName.js";

/**
 * What happened. A session event carries the state that was entered; a terminal event the state
 * of the terminal. Terminals come before their session when both end. `late` comes behind the last
 * state of an incarnation: something of it appeared after that, and was ended and shown to be gone.
 * How a program ended is what was known then: a status that tmux tells later changes no state.
 * `lease`: its holder may write no more: `dropped` comes before the end of its session, `taken`
 * when another goes over one who may live.
 */
export const SessionEventBody = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("session"),
    state: SessionState,
    cause: Schema.NullOr(Schema.String),
  }),
  Schema.Struct({
    type: Schema.Literal("terminal"),
    terminal: TerminalId,
    state: TerminalState,
    exit: Schema.NullOr(ProgramExit),
  }),
  Schema.Struct({ type: Schema.Literal("late"), cause: Schema.String }),
  Schema.Struct({
    type: Schema.Literal("lease"),
    state: Schema.Literal("dropped", "taken"),
    lease: LeaseId,
    epoch: Schema.Int,
    holder: Schema.String,
    actor: ActorId,
    surface: Schema.String,
    pid: Schema.NullOr(Schema.Int),
  }),
);
export type SessionEventBody = typeof SessionEventBody.Type;

/** One line of the log. `sequence` only grows; what is missing between two is what gc forgot. */
export const SessionEvent = Schema.Struct({
  sequence: Schema.Int,
  at: Schema.Int,
  session: SessionName,
  generation: Schema.Int,
  incarnation: IncarnationId,
  body: SessionEventBody,
});
export type SessionEvent = typeof SessionEvent.Type;

/** The event that a change writes, given the record before it; most changes write one or none. */
export const eventOf = (before: SessionRecord | null, change: Change): SessionEventBody | null => {
  switch (change._tag) {
    case "Begin":
      return { type: "session", state: "creating", cause: change.restores ? RESTORING : null };
    case "Move":
      return { type: "session", state: change.to, cause: change.cause };
    case "Terminal": {
      const { exit, state, terminal } = change.record;
      const known = before?.terminals.find((t) => t.terminal === terminal);
      return known?.state === state ? null : { type: "terminal", terminal, state, exit };
    }
    case "Late":
      return { type: "late", cause: change.cause };
    case "Cause":
    case "Server":
    case "Processes":
    case "Spared":
      return null;
  }
};

const lostLease = (record: LeaseRecord, state: "dropped" | "taken"): SessionEventBody => {
  const { actor, epoch, lease, owner, pid, surface } = record;
  return { type: "lease", state, lease, epoch, holder: owner, actor, surface, pid };
};

/** The event of a lease that goes with the end of its session. */
export const droppedLease = (record: LeaseRecord): SessionEventBody => lostLease(record, "dropped");

/** The event of a lease that another took from who held it. */
export const takenLease = (record: LeaseRecord): SessionEventBody => lostLease(record, "taken");
