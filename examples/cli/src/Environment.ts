/**
 * Environment: the values that a call gives to the program of a session.
 *
 * From `--env-file` first, then from `--env`, so that what is on the command line wins. Every
 * value is redacted as soon as it is read, and no error holds one: not of a value, and not of what
 * was meant to be one. A value that is no UTF-8 is refused by its name: it would arrive changed.
 */
import { resolve } from "node:path";
import { type Checked, InvalidEnv, isAlwaysPassed, NOT_UTF8 } from "@troupe/core";
import { Effect, Redacted } from "effect";
import { Caller } from "./Caller.js";
import type { Call } from "./CommandSpec.js";
import { type EnvEntry, readEnvFile } from "./EnvFile.js";
import { env, envFile, inheritEnv } from "./Options.js";

const invalid = (checked: Checked, variable: string, reason: string): InvalidEnv =>
  new InvalidEnv({ ...checked, variables: [variable], reason });

/** Fails when a value that is passed on without being named would be another one. */
const checkPassed = (
  call: Call,
  checked: Checked,
  { undecodable }: Caller["Type"],
): Effect.Effect<void, InvalidEnv> => {
  const isPassed = call.has(inheritEnv) ? () => true : isAlwaysPassed;
  const variables = [...undecodable.variables].filter(isPassed);
  if (variables.length === 0) return Effect.void;
  return Effect.fail(new InvalidEnv({ ...checked, variables, reason: NOT_UTF8 }));
};

/** One `--env`: `K=V`, or `K` for the caller's own value of it. */
const entryOf = (
  word: string,
  checked: Checked,
  { environment, undecodable }: Caller["Type"],
): Effect.Effect<EnvEntry, InvalidEnv> => {
  const at = word.indexOf("=");
  if (at > 0) return Effect.succeed([word.slice(0, at), Redacted.make(word.slice(at + 1))]);
  if (at === 0 || word === "") return Effect.fail(invalid(checked, "", "--env wants K or K=V"));
  const value = environment.get(word);
  if (undecodable.variables.has(word)) return Effect.fail(invalid(checked, word, NOT_UTF8));
  return value === undefined
    ? Effect.fail(invalid(checked, word, "is not set in your environment"))
    : Effect.succeed([word, Redacted.make(value)]);
};

/** The values of a call. An empty record when there are none. */
export const environmentOf = (
  call: Call,
  checked: Checked,
): Effect.Effect<Readonly<Record<string, Redacted.Redacted<string>>>, InvalidEnv, Caller> =>
  Effect.gen(function* () {
    const caller = yield* Caller;
    yield* checkPassed(call, checked, caller);
    const file = call.one(envFile);
    const fromFile =
      file === null
        ? []
        : yield* readEnvFile(resolve(caller.cwd, file)).pipe(
            Effect.mapError((reason) => invalid(checked, file, reason)),
          );
    const given = yield* Effect.forEach(call.all(env), (word) => entryOf(word, checked, caller));
    return Object.fromEntries([...fromFile, ...given]);
  });
