/**
 * CommandFailure: everything that can make the command line exit with another code than 0.
 *
 * The failures of core as they are but for three, and five of its own. A failure that core gains
 * and that is not here does not compile where it arises; one that is here and has no exit code
 * does not compile in `ExitCode`.
 */
import * as SessionError from "@troupe/core";
import { Schema } from "effect";
import { CapacityReached, LeaseHeld } from "./LeaseFailure.js";

/** The call itself is wrong. Nothing was done. `near` is what may have been meant. */
export class Usage extends Schema.TaggedError<Usage>()("Usage", {
  command: Schema.NullOr(Schema.String),
  reason: Schema.String,
  near: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
}) {
  override get message(): string {
    return this.reason;
  }
}

/** Core's failure of that name, and the names of the home that may have been meant. */
export class NotFound extends SessionError.NotFound.extend<NotFound>("troupe/NotFound")({
  near: Schema.Array(Schema.String),
}) {
  static readonly _tag = "NotFound";
}

/** Core's failure, with these names near. */
export const notFound = (
  { attempted, session, state, terminal, what }: SessionError.NotFound,
  near: ReadonlyArray<string>,
): NotFound => new NotFound({ session, attempted, terminal, what, state, near });

/** A signal ended the command, after what was under way was finished or undone. */
export class Interrupted extends Schema.TaggedError<Interrupted>()("Interrupted", {
  signal: Schema.Literal("SIGINT", "SIGTERM", "SIGHUP"),
}) {
  override get message(): string {
    return `interrupted by ${this.signal}; what was under way was finished or undone first`;
  }
}

/** The tour did not hold what it promises, or cannot run here. */
export class DemoFailed extends Schema.TaggedError<DemoFailed>()("DemoFailed", {
  reason: Schema.String,
}) {
  override get message(): string {
    return this.reason;
  }
}

/** Something is wrong with the home, its server or its registry; `codes` say what. */
export class DoctorFindings extends Schema.TaggedError<DoctorFindings>()("DoctorFindings", {
  codes: Schema.Array(Schema.String),
}) {
  override get message(): string {
    return `something is wrong: ${this.codes.join(", ")}`;
  }
}

/** A bug in troupe. */
export class Internal extends Schema.TaggedError<Internal>()("Internal", {
  detail: Schema.String,
}) {
  override get message(): string {
    return `a bug in troupe: ${this.detail}`;
  }
}

const members = [
  Usage,
  Interrupted,
  DemoFailed,
  Internal,
  SessionError.InvalidName,
  SessionError.InvalidCwd,
  SessionError.InvalidEnv,
  NotFound,
  SessionError.AlreadyExists,
  SessionError.ForeignSession,
  SessionError.LookupFailed,
  SessionError.UnsupportedTmux,
  SessionError.KillUnconfirmed,
  SessionError.ProcessesSurvived,
  SessionError.Busy,
  SessionError.MailboxFull,
  SessionError.Closing,
  LeaseHeld,
  SessionError.LeaseLost,
  CapacityReached,
  SessionError.RegistryUnavailable,
  SessionError.RegistryCorrupt,
  SessionError.StartFailed,
  SessionError.TmuxRefused,
  SessionError.Nested,
  SessionError.SelfAttach,
  SessionError.InvalidCondition,
  SessionError.WaitTimeout,
  DoctorFindings,
] as const;

/** Any failure, by its schemas. Those of `details` in JSON are made of them, where one is told. */
export const CommandFailure = { members };
export type CommandFailure = (typeof members)[number]["Type"];

/** A failure of core as one of the command line, where no name may have been meant. */
export const asFailure = (failure: CommandFailure | SessionError.NotFound): CommandFailure =>
  failure._tag === "NotFound" && !("near" in failure) ? notFound(failure, []) : failure;
