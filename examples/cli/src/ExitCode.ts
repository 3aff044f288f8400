/**
 * ExitCode: the one table from a failure to what scripts see of it.
 *
 * `code` and `exit` are a contract and never change; `retryable` says that the very same call can
 * be right later without anything being mended first. The table is total by its type.
 */
import { CONFIRM, type NotFound as NotThere, UNRECORDED } from "@troupe/core";
import { asFailure, type CommandFailure } from "./CommandFailure.js";
import { type HintFacts, type HintName, hints } from "./Hint.js";
import { commandLine } from "./ProgramText.js";

/** What scripts see of a failure, and which hint it has. */
export interface ExitRow {
  readonly code: string;
  readonly exit: number;
  readonly retryable: boolean;
  readonly hint: HintName;
}

const row = (code: string, exit: number, retryable: boolean, hint: HintName): ExitRow => ({
  code,
  exit,
  retryable,
  hint,
});

/** What scripts see of each failure; its exit code and its hint may depend on more. */
export const usualRows: Readonly<Record<CommandFailure["_tag"], ExitRow>> = {
  Internal: row("INTERNAL", 1, false, "report"),
  DemoFailed: row("DEMO_FAILED", 1, false, "tour"),
  Usage: row("USAGE", 2, false, "usage"),
  InvalidName: row("INVALID_NAME", 2, false, "invalidName"),
  InvalidCwd: row("INVALID_CWD", 2, false, "directory"),
  InvalidEnv: row("INVALID_ENV", 2, false, "values"),
  NotFound: row("NOT_FOUND", 3, false, "known"),
  AlreadyExists: row("ALREADY_EXISTS", 4, false, "taken"),
  ForeignSession: row("FOREIGN_SESSION", 4, false, "foreign"),
  LookupFailed: row("LOOKUP_FAILED", 5, true, "look"),
  UnsupportedTmux: row("UNSUPPORTED_TMUX", 5, false, "newer"),
  KillUnconfirmed: row("KILL_UNCONFIRMED", 6, true, "again"),
  ProcessesSurvived: row("PROCESSES_SURVIVED", 6, true, "again"),
  Busy: row("BUSY", 7, true, "holder"),
  MailboxFull: row("MAILBOX_FULL", 7, true, "later"),
  Closing: row("CLOSING", 7, true, "later"),
  LeaseHeld: row("LEASE_HELD", 7, true, "leased"),
  LeaseLost: row("LEASE_LOST", 7, false, "leaseLost"),
  CapacityReached: row("CAPACITY_REACHED", 7, true, "room"),
  RegistryUnavailable: row("REGISTRY_UNAVAILABLE", 8, false, "registry"),
  RegistryCorrupt: row("REGISTRY_CORRUPT", 8, false, "rebuild"),
  StartFailed: row("START_FAILED", 9, false, "start"),
  TmuxRefused: row("TMUX_REFUSED", 9, false, "refused"),
  Nested: row("NESTED", 2, false, "nested"),
  SelfAttach: row("SELF_ATTACH", 2, false, "self"),
  DoctorFindings: row("DOCTOR_FINDINGS", 12, false, "findings"),
  InvalidCondition: row("USAGE", 2, false, "usage"),
  WaitTimeout: row("WAIT_TIMEOUT", 11, true, "waiting"),
  Interrupted: row("INTERRUPTED", 130, true, "interrupted"),
};

type Of<Tag> = Extract<CommandFailure, { readonly _tag: Tag }>;

const notFound = (usual: ExitRow, { near, state, terminal, what }: Of<"NotFound">): ExitRow => {
  if (state === "lost") return { ...usual, hint: "restorable" };
  if (state === "creating" || state === "deleting") return { ...usual, hint: "unfinished" };
  if (state !== null) return { ...usual, hint: "over" };
  if (what === "output") return { ...usual, hint: "unrecorded" };
  if (what === "incarnation") return { ...usual, hint: "incarnations" };
  if (terminal !== null) return { ...usual, hint: "terminals" };
  return near.length > 0 ? { ...usual, hint: "near" } : usual;
};

const busy = (usual: ExitRow, { reason }: Of<"Busy">): ExitRow => {
  if (reason === "overtaken") return { ...usual, hint: reason };
  if (reason === "reentrant") return { ...usual, hint: "later" };
  return reason === "claimed" ? usual : { ...usual, retryable: false, hint: reason };
};

/** Only a lock goes away by itself. */
const unavailable = (usual: ExitRow, { reason }: Of<"RegistryUnavailable">): ExitRow => {
  if (reason === "locked") return { ...usual, retryable: true, hint: "registryLocked" };
  if (reason === "full") return { ...usual, hint: "registryFull" };
  return reason === "newer" ? { ...usual, hint: "registryNewer" } : usual;
};

const startFailed = (usual: ExitRow, { attempted, reason }: Of<"StartFailed">): ExitRow => {
  if (attempted === "restore") return { ...usual, hint: "startAgain" };
  if (reason === "too-long") return { ...usual, hint: "words" };
  const looked = ["not-found", "not-a-file", "not-permitted"].includes(reason);
  return looked ? { ...usual, hint: "program" } : usual;
};

/** What scripts see of this failure. */
export const exitRow = (any: CommandFailure | NotThere): ExitRow => {
  const failure = asFailure(any);
  const usual = usualRows[failure._tag];
  switch (failure._tag) {
    case "Interrupted":
      return failure.signal === "SIGINT" ? usual : { ...usual, exit: 143 };
    case "Usage":
      return failure.near.length > 0 ? { ...usual, hint: "meant" } : usual;
    case "Busy":
      return busy(usual, failure);
    case "RegistryUnavailable":
      return unavailable(usual, failure);
    case "NotFound":
      return notFound(usual, failure);
    case "StartFailed":
      return startFailed(usual, failure);
    case "WaitTimeout":
      return failure.reason === "ended" ? { ...usual, retryable: false, hint: "ended" } : usual;
    case "LookupFailed":
      return failure.attempted === CONFIRM ? { ...usual, retryable: false, hint: "unsure" } : usual;
    case "KillUnconfirmed":
    case "ProcessesSurvived":
      if (failure.after !== null) return { ...usual, hint: "undo" };
      return failure.session === null ? { ...usual, hint: "againAlone" } : usual;
    case "TmuxRefused":
      return failure.session === null ? { ...usual, hint: "refusedAlone" } : usual;
    case "InvalidCwd":
      return failure.attempted === "restore" ? { ...usual, hint: "directoryAgain" } : usual;
    case "InvalidEnv": {
      const hadValues = ["add a terminal", "restore"].includes(failure.attempted);
      return hadValues ? { ...usual, hint: "valuesAgain" } : usual;
    }
    case "AlreadyExists": {
      const isLeft = ["lost", "exited"].includes(failure.state);
      if (failure.attempted === "restore") return { ...usual, hint: "alive" };
      if (failure.state === UNRECORDED) return { ...usual, hint: "untracked" };
      return isLeft ? { ...usual, hint: "restorable" } : usual;
    }
    default:
      return usual;
  }
};

const factsOf = (failure: CommandFailure): HintFacts => ({
  session: "session" in failure ? failure.session : null,
  command: failure._tag === "Usage" ? failure.command : commandOf(failure),
  near: "near" in failure ? failure.near : [],
  cwd: "cwd" in failure ? failure.cwd : null,
});

const commandOf = ({ _tag }: CommandFailure): string | null =>
  _tag === "InvalidCondition" ? "wait" : null;

/** What a person can do about it. `places` are the words of the call that say which home it is. */
export const hintOf = (failure: CommandFailure, places: ReadonlyArray<string>): string =>
  hints[exitRow(failure).hint](factsOf(failure), (...words) =>
    commandLine(["troupe", ...words, ...places]),
  );
