/**
 * Count: a whole number that was given with an option.
 *
 * Digits alone, no sign and no exponent, so that what is read is what was meant.
 */
import { Effect } from "effect";
import { Usage } from "./CommandFailure.js";
import type { Call } from "./CommandSpec.js";
import type { Value } from "./Options.js";

/** The number, or `null` when the option was not given. */
export const countOf = (
  call: Call,
  option: Value,
  command: string,
): Effect.Effect<number | null, Usage> => {
  const text = call.one(option);
  if (text === null) return Effect.succeed(null);
  const reason = `--${option.name} wants a whole number, up to ${Number.MAX_SAFE_INTEGER}`;
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text))
    ? Effect.succeed(Number(text))
    : Effect.fail(new Usage({ command, reason }));
};
