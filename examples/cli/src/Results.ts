/**
 * Results: the schema of what each command answers, in one place.
 *
 * What is printed is what these encode: times are ISO 8601 in UTC, and what there is not is `null`
 * and never missing. A field may be added; none changes its meaning or goes away.
 */
import {
  ClaimRecord,
  IncarnationId,
  KeptSnapshot,
  LookupReason,
  ProgramExit,
  SendResult as Sent,
  SessionName,
  SessionState,
  SnapshotOutcome,
  TerminalId,
  TerminalNow,
  TerminalRecord,
  WaitCondition,
} from "@troupe/core";
import { Schema } from "effect";
import { ErrorResult } from "./ErrorSchema.js";
import { Instant } from "./Instant.js";
import { LeaseInfo } from "./LeaseResult.js";

const Seen = Schema.Struct({
  state: Schema.Literal("present", "absent", "unknown"),
  at: Instant,
  reason: Schema.NullOr(LookupReason),
  detail: Schema.NullOr(Schema.String),
  terminals: Schema.Array(TerminalNow),
});

/**
 * A session in a list. `state` is what the registry knows and `seen` what tmux said just now;
 * `exit` is how the program of its first terminal ended, `null` while it runs; `pid` is the first
 * program that runs, of whichever terminal: both as tmux shows them, or as recorded where it does
 * not show the session. `limitAt` is when the first of its time limits passes, as far as is known
 * now; `null` without one, or where it is not known since when nothing was printed.
 */
export const SessionRow = Schema.Struct({
  session: SessionName,
  generation: Schema.Int,
  incarnation: IncarnationId,
  state: SessionState,
  cause: Schema.NullOr(Schema.String),
  seen: Seen,
  exit: Schema.NullOr(ProgramExit),
  pid: Schema.NullOr(Schema.Int),
  command: Schema.Array(Schema.String),
  cwd: Schema.String,
  createdAt: Instant,
  updatedAt: Instant,
  ttlMs: Schema.NullOr(Schema.Int),
  idleTtlMs: Schema.NullOr(Schema.Int),
  limitAt: Schema.NullOr(Instant),
});
export type SessionRow = typeof SessionRow.Type;

/** What `create` and `inspect` answer: everything known of one session. */
export const SessionDetails = Schema.Struct({
  ...SessionRow.fields,
  envNames: Schema.Array(Schema.String),
  inheritEnv: Schema.Boolean,
  log: Schema.Boolean,
  columns: Schema.Int,
  rows: Schema.Int,
  server: Schema.NullOr(Schema.Struct({ pid: Schema.Int, startedAt: Instant })),
  sessionId: Schema.NullOr(Schema.String),
  terminals: Schema.Array(TerminalRecord),
  recordedPids: Schema.Array(Schema.Int),
  claim: ClaimRecord,
});
export type SessionDetails = typeof SessionDetails.Type;

/**
 * What `inspect` answers; `lease` is `null` when nobody holds it, and `snapshots` when it could not
 * be looked up.
 */
export const InspectResult = Schema.Struct({
  ...SessionDetails.fields,
  lease: Schema.NullOr(LeaseInfo),
  snapshots: Schema.NullOr(Schema.Array(Schema.Struct({ ...KeptSnapshot.fields, at: Instant }))),
});

/** What `list` answers. What could not be read is in `unreadable`, never left out. */
export const ListResult = Schema.Struct({
  sessions: Schema.Array(SessionRow),
  unreadable: Schema.Array(Schema.Struct({ session: Schema.String, detail: Schema.String })),
});

/** One name's part in a delete; of a failed one only `error` is known. */
export const DeleteItem = Schema.Struct({
  session: Schema.String,
  generation: Schema.NullOr(Schema.Int),
  alreadyGone: Schema.NullOr(Schema.Boolean),
  killed: Schema.NullOr(Schema.Array(Schema.Int)),
  snapshot: Schema.NullOr(SnapshotOutcome),
  error: Schema.NullOr(ErrorResult),
});
export type DeleteItem = typeof DeleteItem.Type;

/** What `delete` answers. */
export const DeleteResult = Schema.Struct({ items: Schema.Array(DeleteItem) });

/** What a delete of a single name answers: the same, and the item's own fields beside it. */
export const DeleteOneResult = Schema.Struct({
  ...DeleteResult.fields,
  ...DeleteItem.fields,
});

/** One name's part in a reconcile; of a failed one only `error` is known. */
export const ReconcileItem = Schema.Struct({
  session: Schema.String,
  generation: Schema.NullOr(Schema.Int),
  before: Schema.NullOr(SessionState),
  after: Schema.NullOr(SessionState),
  changed: Schema.NullOr(Schema.Boolean),
  why: Schema.NullOr(Schema.String),
  error: Schema.NullOr(ErrorResult),
});
export type ReconcileItem = typeof ReconcileItem.Type;

/**
 * What `reconcile` answers. With `dryRun` nothing was done, and `after` and `changed` tell what
 * would be; `kept` is where a damaged registry was put aside, if one was.
 */
export const ReconcileResult = Schema.Struct({
  dryRun: Schema.Boolean,
  kept: Schema.NullOr(Schema.String),
  items: Schema.Array(ReconcileItem),
});

/** One name's part in a restore; of a failed one only `error` is known. */
export const RestoreItem = Schema.Struct({
  session: Schema.String,
  generation: Schema.NullOr(Schema.Int),
  state: Schema.NullOr(SessionState),
  pid: Schema.NullOr(Schema.Int),
  command: Schema.NullOr(Schema.Array(Schema.String)),
  cwd: Schema.NullOr(Schema.String),
  error: Schema.NullOr(ErrorResult),
});
export type RestoreItem = typeof RestoreItem.Type;

/** What `restore` answers. */
export const RestoreResult = Schema.Struct({ items: Schema.Array(RestoreItem) });

/**
 * One home; of one that could not be read only `error` is known. `states` has those that occur;
 * `changedAt` is when a session of it changed last.
 */
export const HomeItem = Schema.Struct({
  home: Schema.String,
  active: Schema.NullOr(Schema.Int),
  ended: Schema.NullOr(Schema.Int),
  states: Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Int })),
  changedAt: Schema.NullOr(Instant),
  unreadable: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(ErrorResult),
});
export type HomeItem = typeof HomeItem.Type;

/** What `home list` answers. */
export const HomeListResult = Schema.Struct({ homes: Schema.Array(HomeItem) });

/**
 * What `terminal list` answers; `state` is what the registry knows of each, `panePid` and `exit`
 * are as in a session. `terminal add` and `terminal delete` answer as the library.
 */
export const TerminalListResult = Schema.Struct({
  session: SessionName,
  generation: Schema.Int,
  terminals: Schema.Array(TerminalRecord),
});

/**
 * What `capture` answers. `truncated`: there is more above it, or may have been when tmux's history
 * was full. `first` is which line the text begins with, 1 being the oldest that is kept; `null`
 * where that is not known. `keptAt` is when the terminal showed it, where it is gone and this is
 * its snapshot; `null` where it shows it now.
 */
export const CaptureResult = Schema.Struct({
  session: Schema.String,
  generation: Schema.Int,
  terminal: TerminalId,
  text: Schema.String,
  truncated: Schema.Boolean,
  first: Schema.NullOr(Schema.Int),
  keptAt: Schema.NullOr(Instant),
});

/** What `send` answers; with `unconfirmed` there is an error beside it. */
export const SendResult = Sent.omit("doubt");

/**
 * What `wait` answers. `line` is the newest that matched and `number` which one it is of `capture
 * --all --join`, from 1: `null` unless a line was waited for. `exit` is how the program ended,
 * `null` unless that was waited for.
 */
export const WaitResult = Schema.Struct({
  session: SessionName,
  generation: Schema.Int,
  terminal: TerminalId,
  condition: WaitCondition,
  line: Schema.NullOr(Schema.String),
  number: Schema.NullOr(Schema.Int),
  exit: Schema.NullOr(ProgramExit),
  waitedMs: Schema.Int,
});

/**
 * One line of `logs`. `data` is what was printed, as text; `next` is where a later call goes on,
 * and `line` which line of the output it begins in, from 1, where that is known.
 * `gap`: bytes that are not kept any more, `next` being `null` when recording broke off. `end`: the
 * last line of output that has ended; `pause` the last one of a call that does not follow.
 */
export const LogsResult = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("data"),
    incarnation: IncarnationId,
    sequence: Schema.Int,
    next: Schema.Int,
    line: Schema.NullOr(Schema.Int),
    text: Schema.String,
    base64: Schema.NullOr(Schema.String),
  }),
  Schema.Struct({
    type: Schema.Literal("gap"),
    incarnation: IncarnationId,
    sequence: Schema.Int,
    next: Schema.NullOr(Schema.Int),
  }),
  Schema.Struct({
    type: Schema.Literal("end"),
    incarnation: IncarnationId,
    sequence: Schema.Int,
    reason: Schema.Literal("exited", "deleted", "lost"),
    exit: Schema.NullOr(ProgramExit),
  }),
  Schema.Struct({ type: Schema.Literal("pause"), sequence: Schema.Int }),
);
export type LogsResult = typeof LogsResult.Type;

export { AttachResult } from "./AttachResult.js";
export { DoctorResult } from "./doctor/DoctorResult.js";
export { EventsResult } from "./EventsResult.js";
export { Instant } from "./Instant.js";

/** What `demo` answers: what must hold at its end, and whether it does. */
export const DemoResult = Schema.Struct({
  facts: Schema.Array(Schema.Struct({ holds: Schema.Boolean, text: Schema.String })),
});

/** What `schema` answers: the JSON Schema of a line that this command writes, or any command. */
export const SchemaResult = Schema.Struct({
  command: Schema.NullOr(Schema.String),
  schema: Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
    jsonSchema: { type: "object" },
  }),
});

/** What `version` answers. */
export const VersionResult = Schema.Struct({ version: Schema.String, node: Schema.String });

/** What `--help` and `--completions` answer. */
export const TextResult = Schema.Struct({ text: Schema.String });
