/**
 * TerminalCreation: the input of a further terminal, checked whole before anything is done.
 *
 * What is not given is the session's: its directory, and the values of its environment that this
 * program holds. A value that the session was made with and that this program does not have is
 * named, never silently left out.
 */
import { Effect, Redacted } from "effect";
import { DEFAULT_PATH, loginShell } from "./Creation.js";
import type { SuppliedEnvironment } from "./Environment.js";
import { Host } from "./Host.js";
import { checkDirectory, checkProgram } from "./Program.js";
import type { SessionRecord } from "./Session.js";
import type { AddTerminalOptions } from "./SessionOptions.js";
import { Settings } from "./Settings.js";
import { suppliedAgain } from "./SuppliedAgain.js";

/** A terminal whose input was checked. */
export interface TerminalCreation {
  readonly command: ReadonlyArray<string>;
  readonly cwd: string;
  readonly environment: SuppliedEnvironment;
  readonly startWindowMs: number;
}

/** What is asked for, and in which session. */
export interface TerminalAsked {
  readonly record: SessionRecord;
  readonly attempted: string;
  /** The values that this program holds for the session. */
  readonly held: SuppliedEnvironment;
  readonly options: AddTerminalOptions;
}

/** Checks the input; the terminal as it will be made. */
export const terminalCreationOf = Effect.fnUntraced(function* (asked: TerminalAsked) {
  const { attempted, held, options, record } = asked;
  const checked = { session: record.session, attempted };
  const host = yield* Host;
  const settings = yield* Settings;
  const { environment } = yield* suppliedAgain(checked, record.spec, held, options);
  const cwd = options.cwd ?? record.spec.cwd;
  yield* checkDirectory(checked, cwd);
  const command = options.command ?? loginShell(host);
  const own = environment.get("PATH");
  const path = own === undefined ? host.environment.get("PATH") : Redacted.value(own);
  yield* checkProgram(checked, command, cwd, path ?? DEFAULT_PATH);
  const startWindowMs = options.startWindowMs ?? settings.startWindowMs;
  const creation: TerminalCreation = { command, cwd, environment, startWindowMs };
  return creation;
});
