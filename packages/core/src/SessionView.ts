/**
 * SessionView: what a reader is told: the record, and beside it what tmux said just now.
 *
 * `seen` never changes `state`: a running row whose session is not there reads `running` and
 * `absent` until a reconcile records why. Schemas, because the command line prints them.
 */
import { Schema } from "effect";
import { IncarnationId, TerminalId } from "./Identity.js";
import { ProgramExit, SessionRecord, SessionState, TerminalRecord } from "./Session.js";
import { LookupReason } from "./SessionError.js";
import { SessionName } from "./SessionName.js";

/** A terminal of ours as tmux showed it; `exit` is `null` while its program runs. */
export const TerminalNow = Schema.Struct({
  terminal: TerminalId,
  panePid: Schema.Int,
  exit: Schema.NullOr(ProgramExit),
});
export type TerminalNow = typeof TerminalNow.Type;

/**
 * What tmux said, and when (milliseconds since 1970). `reason` is why it is `unknown`, `null` when
 * it is not; `detail` says more, also about an absence. `terminals` are those that tmux showed,
 * none unless it is `present`.
 */
export const Seen = Schema.Struct({
  state: Schema.Literal("present", "absent", "unknown"),
  at: Schema.Int,
  reason: Schema.NullOr(LookupReason),
  detail: Schema.NullOr(Schema.String),
  terminals: Schema.Array(TerminalNow),
});
export type Seen = typeof Seen.Type;

/**
 * A session as a reader sees it. `limitAt` is when the first of its time limits passes, as far as
 * is known now: `null` where it has none, or nobody knows since when it printed nothing.
 */
export const SessionView = Schema.extend(
  SessionRecord,
  Schema.Struct({ seen: Seen, limitAt: Schema.NullOr(Schema.Int) }),
);
export type SessionView = typeof SessionView.Type;

/**
 * What became of the snapshots that are taken before a kill: kept, though the delete may fail
 * later; none, because there was nothing to keep or it was not wanted; failed, and only that.
 */
export const SnapshotOutcome = Schema.Literal("kept", "none", "failed");
export type SnapshotOutcome = typeof SnapshotOutcome.Type;

/** What a delete did. `alreadyGone`: tmux had no such session, and no process of it lived. */
export const DeleteResult = Schema.Struct({
  session: SessionName,
  generation: Schema.Int,
  alreadyGone: Schema.Boolean,
  killed: Schema.Array(Schema.Int),
  snapshot: SnapshotOutcome,
});
export type DeleteResult = typeof DeleteResult.Type;

/** A terminal that was added. */
export const AddedTerminal = Schema.Struct({
  session: SessionName,
  generation: Schema.Int,
  incarnation: IncarnationId,
  terminal: TerminalRecord,
});
export type AddedTerminal = typeof AddedTerminal.Type;

/**
 * What the delete of a terminal did. `alreadyGone`: tmux had no such window, and no process of it
 * lived. `sessionDeleted`: it was the last one, and the session was deleted with it.
 */
export const TerminalDeleteResult = Schema.Struct({
  session: SessionName,
  generation: Schema.Int,
  terminal: TerminalId,
  alreadyGone: Schema.Boolean,
  sessionDeleted: Schema.Boolean,
  killed: Schema.Array(Schema.Int),
  snapshot: SnapshotOutcome,
});
export type TerminalDeleteResult = typeof TerminalDeleteResult.Type;

/** What a reconcile found and did. `after` equals `before` when nothing was to be done. */
export const ReconcileResult = Schema.Struct({
  session: SessionName,
  generation: Schema.Int,
  before: SessionState,
  after: SessionState,
  changed: Schema.Boolean,
  why: Schema.String,
});
export type ReconcileResult = typeof ReconcileResult.Type;
