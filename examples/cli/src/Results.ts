/**
 * Results: the schema of what each command answers, in one place.
 *
 * What is printed is what these encode: times are ISO 8601 in UTC, and what there is not is `null`
 * and never missing. A field may be added; none changes its meaning or goes away.
 */
import {
  ClaimRecord,
  IncarnationId,
  LookupReason,
  ProgramExit,
  SessionName,
  SessionState,
  TerminalRecord,
} from "@troupe/core";
import { DateTime, Schema } from "effect";
import { ErrorResult } from "./Envelope.js";

/** Milliseconds since 1970 here, ISO 8601 in UTC outside. */
export const Instant = Schema.transform(Schema.String, Schema.Int, {
  strict: true,
  decode: (iso) => DateTime.toEpochMillis(DateTime.unsafeMake(iso)),
  encode: (ms) => DateTime.formatIso(DateTime.unsafeMake(ms)),
});

const Seen = Schema.Struct({
  state: Schema.Literal("present", "absent", "unknown"),
  at: Instant,
  reason: Schema.NullOr(LookupReason),
  detail: Schema.NullOr(Schema.String),
});

/**
 * A session in a list. `state` is what the registry knows and `seen` what tmux said just now;
 * `exit` is how the program of its first terminal ended, `null` while it runs; `pid` is the first
 * program that runs, of whichever terminal.
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
});
export type SessionRow = typeof SessionRow.Type;

/** What `create` and `inspect` answer: everything known of one session. */
export const SessionDetails = Schema.Struct({
  ...SessionRow.fields,
  envNames: Schema.Array(Schema.String),
  columns: Schema.Int,
  rows: Schema.Int,
  server: Schema.NullOr(Schema.Struct({ pid: Schema.Int, startedAt: Instant })),
  sessionId: Schema.NullOr(Schema.String),
  terminals: Schema.Array(TerminalRecord),
  recordedPids: Schema.Array(Schema.Int),
  claim: ClaimRecord,
});
export type SessionDetails = typeof SessionDetails.Type;

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

/** What `reconcile` answers. */
export const ReconcileResult = Schema.Struct({ items: Schema.Array(ReconcileItem) });

/** What `terminal list` answers; `terminal add` and `terminal delete` answer as the library. */
export const TerminalListResult = Schema.Struct({
  session: SessionName,
  generation: Schema.Int,
  terminals: Schema.Array(TerminalRecord),
});

/** What `version` answers. */
export const VersionResult = Schema.Struct({ version: Schema.String, node: Schema.String });

/** What `--help` and `--completions` answer. */
export const TextResult = Schema.Struct({ text: Schema.String });
