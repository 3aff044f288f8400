/**
 * Environment: what the programs of a session find in their environment.
 *
 * The base is an allow-list of the creator's own, so that a session never gets what happened to be
 * in the shell that started the first one. What the creator supplies comes beside it, as
 * `Redacted` from the first line on. Variables that tmux sets itself are refused, not silently
 * lost.
 */
import { Effect, Redacted } from "effect";
import type { IncarnationId } from "./Identity.js";
import { InvalidEnv } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";

const ALLOWED = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z]+|TZ)$/;

/**
 * What the program would not get as it was given: tmux overrides some, the shell that executes the
 * program sets others, and ours tell a process to which session it belongs.
 */
const RESERVED = new Set([
  ...["TMUX", "TMUX_PANE", "TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "SHELL"],
  ...["PWD", "OLDPWD", "IFS", "PPID", "_"],
  ...["TROUPE_SESSION", "TROUPE_INCARNATION", "TROUPE_TERMINAL"],
]);

/** A shell passes on no other names (dash drops them without a word). */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The variable by which a process that left its session is still known. */
export const MARK_VARIABLE = "TROUPE_INCARNATION";

/** The variable that says beside it of which terminal the process is. */
export const TERMINAL_VARIABLE = "TROUPE_TERMINAL";

/** Values for the program; `Redacted`, so that no printing shows them. */
export type SuppliedEnvironment = ReadonlyMap<string, Redacted.Redacted<string>>;

/** Where a check is made: the session, and what is attempted. */
export interface Checked {
  readonly session: string;
  readonly attempted: string;
}

/** Checks what was supplied; the error names variables, never a value. */
export const checkEnvironment = (
  checked: Checked,
  supplied: Readonly<Record<string, string | Redacted.Redacted<string>>>,
): Effect.Effect<SuppliedEnvironment, InvalidEnv> =>
  Effect.suspend(() => {
    const invalid = (variables: ReadonlyArray<string>, reason: string) =>
      new InvalidEnv({ ...checked, variables, reason });
    const entries = Object.entries(supplied).map(
      ([name, value]) => [name, typeof value === "string" ? Redacted.make(value) : value] as const,
    );
    const names = entries.map(([name]) => name);
    const bad = names.filter((name) => !NAME.test(name));
    if (bad.length > 0) return invalid(bad, "not the name of a variable");
    const reserved = names.filter((name) => RESERVED.has(name));
    if (reserved.length > 0) return invalid(reserved, "set by tmux, the shell or troupe itself");
    const cut = entries.filter(([, v]) => Redacted.value(v).includes("\0")).map(([name]) => name);
    if (cut.length > 0) return invalid(cut, "a value cannot hold a NUL");
    return Effect.succeed(new Map(entries));
  });

/** What every program of the session finds, whatever was supplied. */
export const baseEnvironment = (
  session: SessionName,
  incarnation: IncarnationId,
  creator: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> =>
  new Map([
    ...[...creator].filter(([name]) => ALLOWED.test(name)),
    ["TROUPE_SESSION", session],
    [MARK_VARIABLE, incarnation],
  ]);

/** The creator's whole environment but what tmux or troupe sets, as values to pass. */
export const inheritedEnvironment = (creator: ReadonlyMap<string, string>): SuppliedEnvironment =>
  new Map(
    [...creator]
      .filter(([name]) => NAME.test(name) && !RESERVED.has(name))
      .map(([name, value]) => [name, Redacted.make(value)]),
  );

/** The text without the values that were supplied; those under four characters hide nothing. */
export const masked = (text: string, supplied: SuppliedEnvironment): string =>
  [...supplied.values()]
    .map((value) => Redacted.value(value))
    .filter((value) => value.length >= 4)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, value) => rest.replaceAll(value, "***"), text);
