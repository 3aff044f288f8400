/**
 * Answer: what a finished call writes, and the code that the program exits with.
 *
 * The one place that knows whether the reader is a program or a person. A program gets one object
 * on standard output in every case; a person gets the result there and what is wrong on standard
 * error, so that a pipe behind the command sees results only.
 */
import type { CommandFailure } from "./CommandFailure.js";
import { envelope } from "./Envelope.js";
import { exitRow, hintOf } from "./ExitCode.js";
import { printable } from "./Table.js";

/** What is written where. */
export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

/** What a call came to; `result` is `undefined` where there is none, or where it was written. */
export interface Ending {
  readonly command: string | null;
  readonly result?: unknown;
  readonly human: string;
  readonly failure: CommandFailure | null;
  /** The words of the call that say which home it is about. */
  readonly places?: ReadonlyArray<string>;
  /** For whoever mends a bug: on standard error in either case. */
  readonly diagnosis?: string;
}

const sentence = (
  command: string | null,
  failure: CommandFailure,
  places: ReadonlyArray<string>,
): string => {
  const program = command === null ? "troupe" : `troupe ${command}`;
  const advice = printable(hintOf(failure, places));
  return `${program}: ${printable(failure.message)}\n${program}: hint: ${advice}\n`;
};

/** The answer to a program or to a person. */
export const answer = (ending: Ending, json: boolean): Answer => {
  const { command, diagnosis = "", failure, human, places = [], result } = ending;
  const exit = failure === null ? 0 : exitRow(failure).exit;
  const wrong = failure === null ? "" : sentence(command, failure, places);
  if (!json) return { stdout: human, stderr: diagnosis + wrong, exit };
  const line =
    result === undefined && failure === null ? "" : envelope(command, result, failure, places);
  return { stdout: line, stderr: diagnosis, exit };
};
