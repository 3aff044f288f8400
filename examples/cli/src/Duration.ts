/**
 * Duration: how people write a length of time: `100ms`, `2s`, `1m`, `1h`, `1d`, and `0`.
 *
 * A number without a unit is refused, because it would mean seconds to one reader and milliseconds
 * to another; only 0 means the same to both.
 */
import { Effect } from "effect";
import { Usage } from "./CommandFailure.js";
import type { Call } from "./CommandSpec.js";
import type { Value } from "./Options.js";

const day = 24 * 3_600_000;
const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: day,
};

/** Milliseconds, or `null` when it is no duration or longer than so many, a day unless given. */
export const parseDuration = (text: string, longest = day): number | null => {
  if (text === "0") return 0;
  const [, amount, unit] = /^(\d{1,12}(?:\.\d{1,3})?)(ms|s|m|h|d)$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined) return null;
  const ms = Math.round(Number(amount) * (units[unit] ?? 1));
  return ms <= longest ? ms : null;
};

/** The duration that was given with the option, in milliseconds. */
export const durationOf = (
  call: Call,
  option: Value,
  command: string,
): Effect.Effect<number | undefined, Usage> => {
  const text = call.one(option);
  if (text === null) return Effect.succeed(undefined);
  const ms = parseDuration(text);
  const reason = `--${option.name} wants a duration such as 100ms, 2s, 1m or 0`;
  return ms === null ? Effect.fail(new Usage({ command, reason })) : Effect.succeed(ms);
};

const longestAge = 3_650 * day;

/** How long something may last, as it was given with the option, in milliseconds; not 0. */
export const limitOf = (
  call: Call,
  option: Value,
  command: string,
): Effect.Effect<number | undefined, Usage> => {
  const text = call.one(option);
  if (text === null) return Effect.succeed(undefined);
  const ms = parseDuration(text, longestAge);
  const reason = `--${option.name} wants a duration such as 90s, 2h or 7d, which is not 0`;
  return ms === null || ms === 0 ? Effect.fail(new Usage({ command, reason })) : Effect.succeed(ms);
};

/** How long ago something was, as it was given with the option, in milliseconds. */
export const ageOf = (
  call: Call,
  option: Value,
  command: string,
): Effect.Effect<number | undefined, Usage> => {
  const text = call.one(option);
  if (text === null) return Effect.succeed(undefined);
  const ms = parseDuration(text, longestAge);
  const reason = `--${option.name} wants an age such as 12h, 7d or 0`;
  return ms === null ? Effect.fail(new Usage({ command, reason })) : Effect.succeed(ms);
};
