/**
 * Envelope: the one JSON object that a command writes, whatever happens to it.
 *
 * A result, an error, or both when a command went on after a failure. Details are the fields of
 * the failure through its own schema. One line, so that it can be read with the simplest tools.
 */
import { Schema } from "effect";
import { CommandFailure } from "./CommandFailure.js";
import type { ErrorResult } from "./ErrorSchema.js";
import { exitRow, hintOf } from "./ExitCode.js";

/** Made where a failure is told: few calls fail. */
const encode = (failure: CommandFailure) =>
  Schema.encodeSync(Schema.Union(...CommandFailure.members))(failure);

/** The failure as JSON tells it; `places` are the words of the call that say which home it is. */
export const errorResult = (
  failure: CommandFailure,
  places: ReadonlyArray<string>,
): ErrorResult => {
  const { code, retryable } = exitRow(failure);
  const { _tag, ...details } = encode(failure);
  return { code, message: failure.message, hint: hintOf(failure, places), retryable, details };
};

/** The line on standard output. `result` is left out where there is none. */
export const envelope = (
  command: string | null,
  result: unknown,
  failure: CommandFailure | null,
  places: ReadonlyArray<string> = [],
): string => {
  const told = result === undefined ? {} : { result };
  const wrong = failure === null ? {} : { error: errorResult(failure, places) };
  return `${JSON.stringify({ ok: failure === null, command, ...told, ...wrong })}\n`;
};
