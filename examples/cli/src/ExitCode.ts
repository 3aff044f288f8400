/**
 * ExitCode: the one table from a failure to what scripts see of it.
 *
 * `code` and `exit` are a contract and never change; `retryable` says that the very same call can
 * be right later without anything being mended first. The table is total by its type.
 */
import { CONFIRM } from "@troupe/core";
import type { CommandFailure } from "./CommandFailure.js";

/** What scripts see of a failure, and what a person can do about it. */
export interface ExitRow {
  readonly code: string;
  readonly exit: number;
  readonly retryable: boolean;
  readonly hint: string | null;
}

const row = (
  code: string,
  exit: number,
  retryable: boolean,
  hint: string | null = null,
): ExitRow => ({ code, exit, retryable, hint });

const again = "run the same command again: it finishes the job";
const foreign = "choose another name; troupe adopt NAME takes an unmarked one over";
const waiting = "the session is as it was; troupe capture NAME shows it; --timeout waits longer";
const rebuild = "nothing was repaired; troupe reconcile --rebuild makes a new one from tmux";
/** What scripts see of each failure; its exit code and its advice may depend on more. */
export const usualRows: Readonly<Record<CommandFailure["_tag"], ExitRow>> = {
  Internal: row("INTERNAL", 1, false, "please report this, with what is on standard error"),
  DemoFailed: row("DEMO_FAILED", 1, false),
  Usage: row("USAGE", 2, false, "troupe --help, or troupe COMMAND --help"),
  InvalidName: row("INVALID_NAME", 2, false),
  InvalidCwd: row("INVALID_CWD", 2, false, "give an existing directory with --cwd DIR"),
  InvalidEnv: row("INVALID_ENV", 2, false),
  NotFound: row("NOT_FOUND", 3, false, "troupe list --all shows what there is"),
  AlreadyExists: row("ALREADY_EXISTS", 4, false, "troupe delete NAME, or choose another name"),
  ForeignSession: row("FOREIGN_SESSION", 4, false, foreign),
  LookupFailed: row("LOOKUP_FAILED", 5, true, "nothing was changed; is tmux there and answering?"),
  UnsupportedTmux: row("UNSUPPORTED_TMUX", 5, false, "give a newer one with --tmux PATH"),
  KillUnconfirmed: row("KILL_UNCONFIRMED", 6, true, again),
  ProcessesSurvived: row("PROCESSES_SURVIVED", 6, true, again),
  Busy: row("BUSY", 7, true, "another program works on it; try again, or delete with --force"),
  MailboxFull: row("MAILBOX_FULL", 7, true),
  Closing: row("CLOSING", 7, true),
  RegistryUnavailable: row("REGISTRY_UNAVAILABLE", 8, true, "is the home readable and writable?"),
  RegistryCorrupt: row("REGISTRY_CORRUPT", 8, false, rebuild),
  StartFailed: row("START_FAILED", 9, false),
  TmuxRefused: row("TMUX_REFUSED", 9, false),
  Nested: row("NESTED", 2, false, "--nest attaches all the same; unset TMUX if this is in no tmux"),
  SelfAttach: row("SELF_ATTACH", 2, false, "call it from outside of this session"),
  DoctorFindings: row("DOCTOR_FINDINGS", 12, false, "run the commands that the findings name"),
  InvalidCondition: row("USAGE", 2, false, "troupe wait --help"),
  WaitTimeout: row("WAIT_TIMEOUT", 11, true, waiting),
  Interrupted: row("INTERRUPTED", 130, true),
};

const restorable = "troupe restore NAME makes it anew; troupe delete NAME ends it for good";
const unsure = "it may have arrived: look with troupe capture NAME before you send it again";
const windows = "delete the session itself (troupe delete NAME), or close the windows";
const ofServer = "troupe delete --all ends those of this home; those of others are theirs";
const terminals = "troupe terminal list NAME shows its terminals";
const values = "give each with --env or --env-file; --without-env leaves out those of the session";

/** What scripts see of this failure. */
export const exitRow = (failure: CommandFailure): ExitRow => {
  const usual = usualRows[failure._tag];
  switch (failure._tag) {
    case "Interrupted":
      return failure.signal === "SIGTERM" ? { ...usual, exit: 143 } : usual;
    case "Busy":
      if (failure.reason === "sessions") return { ...usual, retryable: false, hint: ofServer };
      return failure.reason === "windows" ? { ...usual, retryable: false, hint: windows } : usual;
    case "NotFound":
      if (failure.state === "lost") return { ...usual, hint: restorable };
      return failure.terminal === null ? usual : { ...usual, hint: terminals };
    case "WaitTimeout":
      return failure.reason === "ended" ? { ...usual, retryable: false, hint: null } : usual;
    case "LookupFailed":
      return failure.attempted === CONFIRM ? { ...usual, retryable: false, hint: unsure } : usual;
    case "InvalidEnv":
      return ["add a terminal", "restore"].includes(failure.attempted)
        ? { ...usual, hint: values }
        : usual;
    case "AlreadyExists":
      return ["lost", "exited"].includes(failure.state) ? { ...usual, hint: restorable } : usual;
    default:
      return usual;
  }
};
