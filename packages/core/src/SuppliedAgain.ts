/**
 * SuppliedAgain: the values that a session was made with, found again or asked for again.
 *
 * No value is kept anywhere but in the memory of the program that was given it. So what this
 * program holds is taken, what the caller gives now wins, and a name of which there is no value is
 * told, never silently left out; one of that name that the host has is another. The caller may say
 * that it is to start without them.
 */
import { Effect } from "effect";
import {
  type Checked,
  checkEnvironment,
  checkInherited,
  checkSize,
  inheritedEnvironment,
  type SuppliedEnvironment,
} from "./Environment.js";
import { Host } from "./Host.js";
import type { SessionSpec } from "./Session.js";
import { InvalidEnv } from "./SessionError.js";
import type { CreateOptions } from "./SessionOptions.js";

/** What is given now. */
export interface GivenAgain {
  readonly env?: CreateOptions["env"];
  /** Start without the values of before. */
  readonly withoutEnv?: boolean | undefined;
}

const MISSING = "the session was made with it, and this program does not have its value";

/**
 * The values, and the names of those that were supplied. `InvalidEnv` names what is missing, too
 * large, or not to be passed on as it is.
 */
export const suppliedAgain = Effect.fnUntraced(function* (
  checked: Checked,
  spec: SessionSpec,
  held: SuppliedEnvironment,
  given: GivenAgain,
) {
  const host = yield* Host;
  const supplied = yield* checkEnvironment(checked, given.env ?? {});
  const anew = given.withoutEnv === true;
  const known: SuppliedEnvironment = anew ? supplied : new Map([...held, ...supplied]);
  const inherits = spec.inheritEnv && !anew;
  yield* checkInherited(checked, host.undecodable, { given: known, inherits });
  if (anew) return { environment: supplied, names: [...supplied.keys()].sort() };
  const inherited = inherits ? inheritedEnvironment(host.environment) : [];
  const environment: SuppliedEnvironment = new Map([...inherited, ...known]);
  const variables = spec.envNames.filter((name) => !known.has(name));
  if (variables.length > 0)
    return yield* new InvalidEnv({ ...checked, variables, reason: MISSING });
  yield* checkSize(checked, environment);
  const names = [...new Set([...spec.envNames, ...supplied.keys()])].sort();
  return { environment, names };
});
