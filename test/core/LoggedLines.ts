/**
 * LoggedLines: what an effect writes to the log, as a test reads it.
 *
 * One line for each entry: level, message, and the errors of its cause; the console has none.
 */
import { Cause, Effect, Logger } from "effect";

/** Runs the effect; `lines` grow while it does. */
export const logInto = <A, E, R>(
  lines: Array<string>,
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> => {
  const logger = Logger.make(({ cause, logLevel, message }) => {
    lines.push(`${logLevel.label} ${String(message)} ${Cause.pretty(cause)}`);
  });
  return Effect.provide(effect, Logger.replace(Logger.defaultLogger, logger));
};
