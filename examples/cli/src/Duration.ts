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

/** What the option was given, if `parse` takes it; else a usage error with what it wants. */
const given = (
  {
    call,
    command,
    option,
  }: { readonly call: Call; readonly option: Value; readonly command: string },
  parse: (text: string) => number | null,
  wants: string,
): Effect.Effect<number | undefined, Usage> => {
  const text = call.one(option);
  if (text === null) return Effect.succeed(undefined);
  const ms = parse(text);
  if (ms !== null) return Effect.succeed(ms);
  return Effect.fail(new Usage({ command, reason: `--${option.name} wants ${wants}` }));
};

/** An option that is a length of time, in milliseconds; `undefined` where it was not given. */
type Read = (
  call: Call,
  option: Value,
  command: string,
) => Effect.Effect<number | undefined, Usage>;

/** The duration that was given with the option. */
export const durationOf: Read = (call, option, command) =>
  given(
    { call, option, command },
    parseDuration,
    "a duration such as 100ms, 2s, 1m or 0, and at most 1d",
  );

const longestAge = 3_650 * day;

/** How long something may last, as it was given with the option; not 0. */
export const limitOf: Read = (call, option, command) =>
  given(
    { call, option, command },
    // Nothing may last no time at all.
    (text) => parseDuration(text, longestAge) || null,
    "a duration such as 90s, 2h or 7d, which is not 0, and at most 3650d",
  );

/** How long ago something was, as it was given with the option. */
export const ageOf: Read = (call, option, command) =>
  given(
    { call, option, command },
    (text) => parseDuration(text, longestAge),
    "an age such as 12h, 7d or 0, and at most 3650d",
  );
