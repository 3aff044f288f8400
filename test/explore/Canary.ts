/**
 * Canary: the value that the sessions of worlds are made with, and where it was told.
 *
 * It may be in the environment of programs and in the memory of those that were given it, and
 * nowhere else: in no answer and no failure, no row, event or snapshot, and no argv. Pure.
 */
import type { TmuxTransport } from "@troupe/tmux";
import { Cause, Effect, Exit } from "effect";
import type { WorldEnding } from "./EndingOf.js";

/** The value. */
const CANARY = "value-that-nobody-is-told";

/** It by its name, as a create takes it. */
export const env: Readonly<Record<string, string>> = { EXPLORED_VALUE: CANARY };

/** Whether a caller is told of it, by an answer or in a failure. */
export const tellsValue = (exit: Exit.Exit<unknown, unknown>): boolean => {
  if (Exit.isSuccess(exit)) return JSON.stringify(exit.value)?.includes(CANARY) === true;
  return [...Cause.failures(exit.cause), ...Cause.defects(exit.cause)].some((failure) =>
    `${failure} ${JSON.stringify(failure)}`.includes(CANARY),
  );
};

/** Where it is kept at the end, in words. */
export const disclosed = ({ events, records, snapshots }: WorldEnding): string | null => {
  const places = Object.entries({ records, events, snapshots });
  const place = places.find(([, what]) => JSON.stringify(what).includes(CANARY));
  return place === undefined ? null : `a value is in the ${place[0]}`;
};

/** The same transport; a list that shows it to whoever lists processes is a defect. */
export const withoutValues = (transport: TmuxTransport["Type"]): TmuxTransport["Type"] => ({
  ...transport,
  run: (request) =>
    request.argv.some((word) => word.includes(CANARY))
      ? Effect.dieMessage("a value is in an argv")
      : transport.run(request),
});
