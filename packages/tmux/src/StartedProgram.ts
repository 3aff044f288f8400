/**
 * StartedProgram: the part of a list that starts a program in a new pane of ours, marks it, and
 * opens the pipe that records it.
 *
 * The same for a session and for a further terminal. The program is started by a shell's `exec`:
 * one word is not handed to a shell to parse, and a failed exec is code 127 with its message on
 * the screen. That shell enters the directory once more: tmux starts elsewhere, without a word,
 * when the one it was given is not there any more.
 */
import {
  type IncarnationId,
  type Recording,
  TERMINAL_VARIABLE,
  type TerminalId,
} from "@troupe/core";
import { Redacted } from "effect";
import { pipeList } from "./Recorder.js";
import { literal, quote } from "./TmuxCommand.js";

/** What is started, and in which terminal. */
export interface StartedProgram {
  readonly terminal: TerminalId;
  readonly command: ReadonlyArray<string>;
  readonly cwd: string;
  readonly base: ReadonlyMap<string, string>;
  readonly environment: ReadonlyMap<string, Redacted.Redacted<string>>;
}

/**
 * The PATH of the program: the creator's own value, else that of the base environment. It has to be
 * the client's too, because tmux gives that to the pane over any other (measured on 3.3a).
 */
export const pathOf = ({
  base,
  environment,
}: Pick<StartedProgram, "base" | "environment">): string | null => {
  const own = environment.get("PATH");
  return own === undefined ? (base.get("PATH") ?? null) : Redacted.value(own);
};

const LAUNCH = 'cd "$0" && unset OLDPWD && exec "$@"';

const variable = ([name, value]: readonly [string, string]): string =>
  `-e ${quote(`${name}=${value}`)}`;

/** Directory, environment and program, as the last words of `new-session` or `new-window`. */
export const started = (program: StartedProgram): string => {
  const { base, command, cwd, environment, terminal } = program;
  const supplied = [...environment].map(([name, value]) => [name, Redacted.value(value)] as const);
  const variables = [...base, ...supplied, [TERMINAL_VARIABLE, terminal] as const];
  const words = ["/bin/sh", "-c", LAUNCH, cwd, ...command].map(quote);
  return [`-c ${quote(literal(cwd))}`, ...variables.map(variable), "--", ...words].join(" ");
};

/** A window that is to be marked. */
export interface MarkedWindow {
  readonly incarnation: IncarnationId;
  readonly terminal: TerminalId;
  readonly recording: Recording | null;
}

/** Marks and options of the window that `target` is, and of its pane, and what reads the pane. */
export const windowMarks = (
  target: string,
  { incarnation, recording, terminal }: MarkedWindow,
): ReadonlyArray<string> => [
  `set-option -w -t ${target} @troupe-term ${terminal}`,
  // Whose it is goes with the pane, wherever a user moves that.
  `set-option -p -t ${target} @troupe-owner ${incarnation}`,
  // A user's split of the window inherits the window's option; only our pane has this one.
  `set-option -p -t ${target} @troupe-pane ${terminal}`,
  `set-option -w -t ${target} remain-on-exit on`,
  // While a pipe is open tmux reads a pane to its end before it calls it dead; without one the
  // last output of a program that ends at once is lost now and then (measured: 1 of 16 to 200).
  pipeList(target, recording),
];
