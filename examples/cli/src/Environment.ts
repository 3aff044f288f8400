/**
 * Environment: the values that a call gives to the program of a session.
 *
 * From `--env-file` first, then from `--env`, so that what is on the command line wins. Every
 * value is redacted as soon as it is read, and no error holds one: not of a value, and not of what
 * was meant to be one.
 */
import { resolve } from "node:path";
import { type Checked, InvalidEnv } from "@troupe/core";
import { Effect, Redacted } from "effect";
import { Caller } from "./Caller.js";
import type { Call } from "./CommandSpec.js";
import { type EnvEntry, readEnvFile } from "./EnvFile.js";
import { env, envFile } from "./Options.js";

const invalid = (checked: Checked, variable: string, reason: string): InvalidEnv =>
  new InvalidEnv({ ...checked, variables: [variable], reason });

/** One `--env`: `K=V`, or `K` for the caller's own value of it. */
const entryOf = (
  word: string,
  checked: Checked,
  environment: ReadonlyMap<string, string>,
): Effect.Effect<EnvEntry, InvalidEnv> => {
  const at = word.indexOf("=");
  if (at > 0) return Effect.succeed([word.slice(0, at), Redacted.make(word.slice(at + 1))]);
  if (at === 0 || word === "") return Effect.fail(invalid(checked, "", "--env wants K or K=V"));
  const value = environment.get(word);
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
    const file = call.one(envFile);
    const fromFile =
      file === null
        ? []
        : yield* readEnvFile(resolve(caller.cwd, file)).pipe(
            Effect.mapError((reason) => invalid(checked, file, reason)),
          );
    const given = yield* Effect.forEach(call.all(env), (word) =>
      entryOf(word, checked, caller.environment),
    );
    return Object.fromEntries([...fromFile, ...given]);
  });
