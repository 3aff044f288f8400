/**
 * RegistryContractCheck: how a case of the contract says that something does not hold.
 *
 * It dies with both values in the message, whatever runs the case. Values are compared as data:
 * by their JSON with sorted keys, so the order in which a store built an object does not matter.
 */
import { Cause, Effect, Exit, Option } from "effect";

const sorted = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const text = (value: unknown): string => JSON.stringify(value, sorted) ?? "undefined";

/** Dies unless both are the same data. */
export const same = (what: string, actual: unknown, expected: unknown): Effect.Effect<void> =>
  text(actual) === text(expected)
    ? Effect.void
    : Effect.dieMessage(`${what}: expected ${text(expected)}, got ${text(actual)}`);

/** The failure of what must fail. */
export const refusal = <A, E, R>(
  what: string,
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<E, never, R> =>
  Effect.matchEffect(effect, {
    onFailure: (error) => Effect.succeed(error),
    onSuccess: (value) => Effect.dieMessage(`${what}: expected a failure, got ${text(value)}`),
  });

/** Dies unless the effect ends in a defect, which is how a store refuses a bug. */
export const refusedAsBug = <A, E, R>(
  what: string,
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<void, never, R> =>
  Effect.flatMap(Effect.exit(effect), (exit) =>
    Exit.isFailure(exit) && Option.isSome(Cause.dieOption(exit.cause))
      ? Effect.void
      : Effect.dieMessage(`${what}: expected a defect, got ${text(exit)}`),
  );

/** The value of an option that must have one. */
export const present = <A>(what: string, option: Option.Option<A>): Effect.Effect<A> =>
  Option.match(option, {
    onNone: () => Effect.dieMessage(`${what}: expected something, got nothing`),
    onSome: (value) => Effect.succeed(value),
  });
