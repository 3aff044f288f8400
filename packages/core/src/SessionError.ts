/**
 * SessionError: every failure that a caller can act on, one class a fact.
 *
 * Each carries the session's name (`null` when the call was about no single one) and what was
 * attempted, in the caller's words. `NotFound` means looked up and not there; `LookupFailed` means
 * that it could not be found out, and then nothing was changed. Foreign errors become these once,
 * at the adapter; a bug in troupe is a defect and none of these.
 */
import { Schema } from "effect";

const where = { session: Schema.NullOr(Schema.String), attempted: Schema.String };
const of = (session: string | null): string => (session === null ? "" : ` ${session}`);

/** The name is outside the grammar of `SessionName`. Nothing was done. */
export class InvalidName extends Schema.TaggedError<InvalidName>()("InvalidName", where) {
  override get message(): string {
    return `${JSON.stringify(this.session)} is not a session name: 1 to 64 of A-Z a-z 0-9 _ -, starting with a letter or digit, and not client-DIGITS`;
  }
}

/** The directory is missing, none, not absolute or not to be entered. Nothing was done. */
export class InvalidCwd extends Schema.TaggedError<InvalidCwd>()("InvalidCwd", {
  ...where,
  cwd: Schema.String,
  reason: Schema.String,
}) {
  override get message(): string {
    return `cannot start${of(this.session)} in ${JSON.stringify(this.cwd)}: ${this.reason}`;
  }
}

/** A variable's name or value cannot be in an environment. Names only, never a value. */
export class InvalidEnv extends Schema.TaggedError<InvalidEnv>()("InvalidEnv", {
  ...where,
  variables: Schema.Array(Schema.String),
  reason: Schema.String,
}) {
  override get message(): string {
    return `environment of${of(this.session)}: ${this.variables.map((v) => JSON.stringify(v)).join(", ")}: ${this.reason}`;
  }
}

/** The terminal of the session that it is about; `null` when it is about the session whole. */
const terminal = Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null });

const ofTerminal = (session: string | null, name: string | null): string =>
  name === null ? `session${of(session)}` : `terminal ${name} of session${of(session)}`;

/** The session, or the terminal of it that is named, was looked up and is not there. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  ...where,
  terminal,
  what: Schema.optionalWith(Schema.Literal("session", "output", "incarnation"), {
    default: () => "session",
  }),
  /** What the registry knows of it, where a session that is not there could be expected. */
  state: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
  /** Whether it is about a writer that was there and has ended: whoever has it asks for another. */
  stale: Schema.optionalWith(Schema.Boolean, { default: () => false }),
}) {
  override get message(): string {
    if (this.stale) return `what was held of session${of(this.session)} has ended`;
    if (this.state !== null) return `session${of(this.session)} is not there: it is ${this.state}`;
    const named = this.terminal === null ? "" : ` with a terminal ${this.terminal}`;
    if (this.what === "output") return `no output is recorded of session${of(this.session)}`;
    if (this.what === "incarnation") return `session${of(this.session)} had no such incarnation`;
    return `there is no session${of(this.session)}${named}`;
  }
}

/** The name is held by a session of troupe's, in the state that is told. */
export class AlreadyExists extends Schema.TaggedError<AlreadyExists>()("AlreadyExists", {
  ...where,
  state: Schema.String,
}) {
  override get message(): string {
    return `session${of(this.session)} exists already (${this.state})`;
  }
}

/** tmux has a session of that name that does not carry our mark. It was not touched. */
export class ForeignSession extends Schema.TaggedError<ForeignSession>()("ForeignSession", {
  ...where,
  sessionId: Schema.String,
}) {
  override get message(): string {
    return `tmux has a session${of(this.session)} (${this.sessionId}) that troupe did not make`;
  }
}

/** What could not be asked: tmux itself, the table of processes, or the file system. */
export const LookupSource = Schema.Literal("tmux", "processes", "files");

/** Why it could not be found out. `unclear` is an answer that is in none of our tables. */
export const LookupReason = Schema.Literal(
  "timeout",
  "signalled",
  "permission",
  "missing-program",
  "garbled",
  "server-exited",
  "version-skew",
  "split-server",
  "bad-socket",
  "unclear",
);

/** It could not be found out, so nothing is known and nothing was destroyed. Retrying is right. */
export class LookupFailed extends Schema.TaggedError<LookupFailed>()("LookupFailed", {
  ...where,
  source: LookupSource,
  reason: LookupReason,
  detail: Schema.String,
}) {
  override get message(): string {
    return `could not find out about${of(this.session) || " the sessions"} (${this.attempted}): ${this.source}: ${this.reason}: ${this.detail}`;
  }
}

/**
 * A kill was begun and the session could not be shown to be gone. The row stays, and the same call
 * finishes the job. `after` is the failure that made a creation roll back, when it was one.
 */
export class KillUnconfirmed extends Schema.TaggedError<KillUnconfirmed>()("KillUnconfirmed", {
  ...where,
  terminal,
  detail: Schema.String,
  after: Schema.NullOr(Schema.String),
}) {
  override get message(): string {
    const after = this.after === null ? "" : `; this undid what had failed: ${this.after}`;
    return `${ofTerminal(this.session, this.terminal)} could not be shown to be gone: ${this.detail}${after}`;
  }
}

/** The session is gone from tmux and these processes of it are not. The row stays. */
export class ProcessesSurvived extends Schema.TaggedError<ProcessesSurvived>()(
  "ProcessesSurvived",
  { ...where, terminal, pids: Schema.Array(Schema.Int), after: Schema.NullOr(Schema.String) },
) {
  override get message(): string {
    return `processes of ${ofTerminal(this.session, this.terminal)} outlived the kill: ${this.pids.join(", ")}`;
  }
}

/**
 * The program was not found, is nothing that can be executed, or ended inside its start window.
 * Everything was undone.
 */
export class StartFailed extends Schema.TaggedError<StartFailed>()("StartFailed", {
  ...where,
  program: Schema.String,
  path: Schema.NullOr(Schema.String),
  code: Schema.NullOr(Schema.Int),
  signal: Schema.NullOr(Schema.Int),
  output: Schema.NullOr(Schema.String),
  reason: Schema.Literal(
    "not-found",
    "not-a-file",
    "not-permitted",
    "too-long",
    "ended",
    "vanished",
    "interrupted",
  ),
}) {
  override get message(): string {
    if (this.reason === "not-found") {
      return `${JSON.stringify(this.program)} was not found on PATH=${this.path}`;
    }
    if (this.reason === "not-a-file" || this.reason === "not-permitted") {
      const why = this.reason === "not-a-file" ? "not a regular file" : "not permitted";
      return `${JSON.stringify(this.program)} cannot be executed: ${why}`;
    }
    if (this.reason === "too-long") {
      return `${JSON.stringify(this.program)} cannot be executed: more words, or longer ones, than a program can be given`;
    }
    if (this.reason !== "ended")
      return `${JSON.stringify(this.program)} ${this.reason} at its start`;
    const how = this.signal === null ? `code ${this.code ?? "unknown"}` : `signal ${this.signal}`;
    const output = this.output === null ? "" : `: ${this.output}`;
    return `${JSON.stringify(this.program)} ended at once with ${how}${output}`;
  }
}

/** tmux answered and said no. */
export class TmuxRefused extends Schema.TaggedError<TmuxRefused>()("TmuxRefused", {
  ...where,
  detail: Schema.String,
}) {
  override get message(): string {
    return `tmux refused to ${this.attempted}${of(this.session)}: ${this.detail}`;
  }
}

/** This tmux is older than the oldest supported. */
export class UnsupportedTmux extends Schema.TaggedError<UnsupportedTmux>()("UnsupportedTmux", {
  ...where,
  version: Schema.String,
}) {
  override get message(): string {
    return `tmux ${this.version} is not supported: 3.2 or newer is needed`;
  }
}

/**
 * Somebody else holds the name (`claimed`), took it from us meanwhile (`overtaken`), has windows of
 * his own in the session (`windows`) or sessions in the server (`sessions`), or the call was made
 * from inside a handler of the same name (`reentrant`). `holder` says who or which, where that is
 * known.
 */
export class Busy extends Schema.TaggedError<Busy>()("Busy", {
  ...where,
  holder: Schema.NullOr(Schema.String),
  reason: Schema.Literal("claimed", "overtaken", "windows", "sessions", "reentrant"),
}) {
  override get message(): string {
    const holder = this.holder === null ? "" : ` by ${this.holder}`;
    if (this.reason === "windows") {
      return `session${of(this.session)} has windows that troupe did not make: ${this.holder}`;
    }
    if (this.reason === "sessions") return `the tmux server has sessions: ${this.holder ?? "?"}`;
    return `session${of(this.session)} is busy: ${this.reason}${holder}`;
  }
}

/** The actor has as many queued messages as it may. Nothing was done. */
export class MailboxFull extends Schema.TaggedError<MailboxFull>()("MailboxFull", {
  ...where,
  bound: Schema.Int,
}) {
  override get message(): string {
    return `session${of(this.session)} has ${this.bound} messages waiting already`;
  }
}

/**
 * The registry could not be read or written within its bound: another program kept it locked, the
 * disk has no room, a newer program wrote it, or it cannot be used for what `detail` says.
 */
export class RegistryUnavailable extends Schema.TaggedError<RegistryUnavailable>()(
  "RegistryUnavailable",
  {
    ...where,
    detail: Schema.String,
    reason: Schema.optionalWith(Schema.Literal("locked", "full", "newer", "unusable"), {
      default: () => "unusable" as const,
    }),
  },
) {
  override get message(): string {
    return `the registry could not be used (${this.attempted}): ${this.detail}`;
  }
}

/** The registry answered with something that it never wrote. It was not repaired. */
export class RegistryCorrupt extends Schema.TaggedError<RegistryCorrupt>()("RegistryCorrupt", {
  ...where,
  detail: Schema.String,
}) {
  override get message(): string {
    return `the registry is damaged (${this.attempted}): ${this.detail}`;
  }
}

/** The layer is closing; the message was not begun. */
export class Closing extends Schema.TaggedError<Closing>()("Closing", where) {
  override get message(): string {
    return `troupe is closing; ${this.attempted}${of(this.session)} was not begun`;
  }
}

/** What any use of the registry can fail with. */
export type RegistryFailure = RegistryUnavailable | RegistryCorrupt;
