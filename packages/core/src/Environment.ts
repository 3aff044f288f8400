/**
 * Environment: what the programs of a session find in their environment.
 *
 * The base is an allow-list of the creator's own, so that a session never gets what happened to be
 * in the shell that started the first one. What the creator supplies comes beside it, as
 * `Redacted` from the first line on. Variables that tmux sets itself are refused, not silently
 * lost, and so is more than a kernel or a tmux takes well.
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
  ...["PWD", "OLDPWD", "IFS", "OPTIND", "PPID", "_"],
  ...["TROUPE_SESSION", "TROUPE_INCARNATION", "TROUPE_TERMINAL"],
]);

/** What Linux takes in one argument or variable: `NAME=`, the value and a NUL (MAX_ARG_STRLEN). */
export const VARIABLE_BYTES = 128 * 1024;

/** tmux reads a list that holds more for seconds, and answers nobody else meanwhile (measured). */
export const TOTAL_BYTES = 256 * 1024;

/** Each is a word of the list that starts the program, of which tmux takes only so many. */
const VARIABLES = 1_000;

/** Whether every program gets the creator's own value of this variable. */
export const isAlwaysPassed = (name: string): boolean => ALLOWED.test(name);

/** A shell passes on no other names (dash drops them without a word). */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

const isInherited = (name: string): boolean => NAME.test(name) && !RESERVED.has(name);

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

/** How many bytes a text has as UTF-8. */
export const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/**
 * Checks that the values fit into a program's environment, each and all of them, in bytes. The
 * error names those that are too large, or the three largest of too many.
 */
export const checkSize = (
  checked: Checked,
  environment: SuppliedEnvironment,
): Effect.Effect<void, InvalidEnv> =>
  Effect.suspend(() => {
    const sizes = [...environment]
      .map(([name, value]) => ({ name, bytes: bytesOf(`${name}=${Redacted.value(value)}`) + 1 }))
      .sort((a, b) => b.bytes - a.bytes);
    const large = sizes.filter(({ bytes }) => bytes > VARIABLE_BYTES).map(({ name }) => name);
    if (large.length > 0) {
      const reason = `larger than the ${VARIABLE_BYTES} bytes that one variable can have`;
      return new InvalidEnv({ ...checked, variables: large, reason });
    }
    if (sizes.length > VARIABLES) {
      const variables = sizes.slice(0, 3).map(({ name }) => name);
      const reason = `the largest of ${sizes.length}; there can be ${VARIABLES}`;
      return new InvalidEnv({ ...checked, variables, reason });
    }
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= TOTAL_BYTES) return Effect.void;
    const variables = sizes.slice(0, 3).map(({ name }) => name);
    const reason = `the largest of ${total} bytes; all together can have ${TOTAL_BYTES}`;
    return new InvalidEnv({ ...checked, variables, reason });
  });

const isValue = (given: unknown): boolean =>
  typeof (Redacted.isRedacted(given) ? Redacted.value(given) : given) === "string";

/** Checks what was supplied; the error names variables, never a value. */
export const checkEnvironment = (
  checked: Checked,
  supplied: Readonly<Record<string, string | Redacted.Redacted<string>>>,
): Effect.Effect<SuppliedEnvironment, InvalidEnv> =>
  Effect.suspend(() => {
    const invalid = (variables: ReadonlyArray<string>, reason: string) =>
      new InvalidEnv({ ...checked, variables, reason });
    const names = Object.keys(supplied);
    const bad = names.filter((name) => !NAME.test(name));
    if (bad.length > 0) return invalid(bad, "not the name of a variable");
    const reserved = names.filter((name) => RESERVED.has(name));
    if (reserved.length > 0) return invalid(reserved, "set by tmux, the shell or troupe itself");
    const odd = names.filter((name) => !isValue(supplied[name]));
    if (odd.length > 0) return invalid(odd, "a value is a string, or one that is Redacted");
    const entries = Object.entries(supplied).map(
      ([name, value]) => [name, typeof value === "string" ? Redacted.make(value) : value] as const,
    );
    const cut = entries.filter(([, v]) => Redacted.value(v).includes("\0")).map(([name]) => name);
    if (cut.length > 0) return invalid(cut, "a value cannot hold a NUL");
    const values = new Map(entries);
    return Effect.as(checkSize(checked, values), values);
  });

/** The reason of a value that is not passed on because it cannot be as it is. */
export const NOT_UTF8 = "its value is not UTF-8, and would be passed on changed";

/**
 * Checks that no value is passed on changed: of the creator's own that are no UTF-8, those that
 * every program gets, and with `inherits` all, unless another is given.
 */
export const checkInherited = (
  checked: Checked,
  undecodable: ReadonlySet<string>,
  { given, inherits }: { readonly given: SuppliedEnvironment; readonly inherits: boolean },
): Effect.Effect<void, InvalidEnv> =>
  Effect.suspend(() => {
    const isPassed = (name: string) => isAlwaysPassed(name) || (inherits && isInherited(name));
    const variables = [...undecodable].filter((name) => isPassed(name) && !given.has(name)).sort();
    if (variables.length === 0) return Effect.void;
    return new InvalidEnv({ ...checked, variables, reason: NOT_UTF8 });
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
      .filter(([name]) => isInherited(name))
      .map(([name, value]) => [name, Redacted.make(value)]),
  );

const oneSpaced = (text: string): string => text.trim().replaceAll(/\s+/g, " ");

/** Hides the words wherever they stand, whatever white space is between them. */
const hidden = (text: string, words: string): string => {
  const units = text.match(/\s+|\S/g) ?? [];
  const parts = units.map((unit) => (unit.trim() === "" ? " " : unit)).join("");
  let at = 0;
  const kept = parts.split(words).map(({ length }) => {
    const part = units.slice(at, at + length).join("");
    at += length + words.length;
    return part;
  });
  return kept.join("***");
};

/**
 * The text without the values that were supplied; those under four characters hide nothing. A
 * terminal shows other white space than was printed, and may show some lines of a value only.
 */
export const masked = (text: string, supplied: SuppliedEnvironment): string => {
  const shown = oneSpaced(text);
  const values = [...supplied.values()].map((value) => Redacted.value(value));
  return [...new Set(values.flatMap((value) => [value, ...value.split(/[\r\n]+/)]).map(oneSpaced))]
    .filter((words) => words.length >= 4 && shown.includes(words))
    .sort((a, b) => b.length - a.length)
    .reduce(hidden, text);
};
