/**
 * Session: what the registry knows of a session, and how tmux shows it, as plain values.
 *
 * A record is one incarnation of a name with its terminals, its recorded processes and its claim.
 * `state` is what the registry knows; what tmux says just now is `Seen`, a field of its own, and
 * neither is derived from the other. Environment values are in neither: only their names are.
 */
import { Schema } from "effect";
import { IncarnationId, ProcessId, ServerId, TerminalId } from "./Identity.js";
import { SessionName } from "./SessionName.js";

/** The states of an incarnation; the moves between them stand in `Lifecycle`. */
export const SessionState = Schema.Literal(
  "creating",
  "running",
  "exited",
  "lost",
  "deleting",
  "failed",
  "deleted",
);
export type SessionState = typeof SessionState.Type;

/**
 * What a session was asked to be. `command` is an argv, executed as it stands; `envNames` are the
 * names of the values that the creator supplied, never the values.
 */
export const SessionSpec = Schema.Struct({
  command: Schema.Array(Schema.String),
  cwd: Schema.String,
  envNames: Schema.Array(Schema.String),
  /** Whether its programs also get the whole environment of whoever starts them. */
  inheritEnv: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  /** Whether what its terminals print is recorded. */
  log: Schema.optionalWith(Schema.Boolean, { default: () => true }),
  columns: Schema.Int,
  rows: Schema.Int,
  /** How long it may live, and go without output, where its user said so; then it is deleted. */
  ttlMs: Schema.optional(Schema.Int),
  idleTtlMs: Schema.optional(Schema.Int),
});
export type SessionSpec = typeof SessionSpec.Type;

/**
 * How a program ended. Both fields are `null` when it ended and tmux could not say how (measured
 * on 3.3a: the server had not reaped it).
 */
export const ProgramExit = Schema.Struct({
  code: Schema.NullOr(Schema.Int),
  signal: Schema.NullOr(Schema.Int),
});
export type ProgramExit = typeof ProgramExit.Type;

/**
 * The states of a terminal; the moves between them stand in `Lifecycle`. `creating` and `deleting`
 * are intents: tmux may or may not have it.
 */
export const TerminalState = Schema.Literal("creating", "running", "exited", "deleting", "gone");
export type TerminalState = typeof TerminalState.Type;

/**
 * A terminal as recorded. The ids are `null` until tmux has told them, `exit` while its program
 * runs, `command` where it is not known (an adopted one).
 */
export const TerminalRecord = Schema.Struct({
  terminal: TerminalId,
  command: Schema.NullOr(Schema.Array(Schema.String)),
  windowId: Schema.NullOr(Schema.String),
  paneId: Schema.NullOr(Schema.String),
  panePid: Schema.NullOr(Schema.Int),
  state: TerminalState,
  exit: Schema.NullOr(ProgramExit),
});
export type TerminalRecord = typeof TerminalRecord.Type;

/**
 * A process that is to end with the session; `terminal` is the one it is known to be of. One that
 * is `spared` is left alone by the delete that is under way, and by whoever finishes that.
 */
export const RecordedProcess = Schema.extend(
  ProcessId,
  Schema.Struct({
    terminal: Schema.NullOr(TerminalId),
    spared: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  }),
);
export type RecordedProcess = typeof RecordedProcess.Type;

/**
 * The claim on a name. `epoch` only grows and survives release. `holder` is whether the program
 * that holds it lives: `unknown` counts as alive, `none` means that nobody holds it. With
 * `fenceDue` something that was asked of tmux may still come: whoever takes it next bars that.
 */
export const ClaimRecord = Schema.Struct({
  owner: Schema.NullOr(Schema.String),
  epoch: Schema.Int,
  holder: Schema.Literal("none", "self", "alive", "dead", "unknown"),
  fenceDue: Schema.Boolean,
});
export type ClaimRecord = typeof ClaimRecord.Type;

/**
 * One incarnation, whole. Times are milliseconds since 1970. `cause` says why lost or failed, and
 * of one that is being made whether a restore makes it.
 */
export const SessionRecord = Schema.Struct({
  session: SessionName,
  generation: Schema.Int,
  incarnation: IncarnationId,
  state: SessionState,
  cause: Schema.NullOr(Schema.String),
  spec: SessionSpec,
  server: Schema.NullOr(ServerId),
  sessionId: Schema.NullOr(Schema.String),
  createdAt: Schema.Int,
  updatedAt: Schema.Int,
  terminals: Schema.Array(TerminalRecord),
  processes: Schema.Array(RecordedProcess),
  claim: ClaimRecord,
});
export type SessionRecord = typeof SessionRecord.Type;
