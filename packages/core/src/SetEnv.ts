/**
 * SetEnv: supplying values to a session that is there, for terminals to come.
 *
 * A message of its name that takes no claim: it changes nothing but what this program holds. What
 * that held of an incarnation that has ended goes first, as with any message of the name.
 */
import { Effect, Option } from "effect";
import type { SuppliedEnvironment } from "./Environment.js";
import { newestAlone } from "./LettingGo.js";
import { isFinal } from "./Lifecycle.js";
import { NotFound } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";
import { SessionScopes } from "./SessionScopes.js";

/** Supplies values to the newest incarnation of the name; `NotFound` when it has ended. */
export const setEnv = Effect.fnUntraced(function* (
  session: SessionName,
  values: SuppliedEnvironment,
) {
  const record = Option.getOrNull(yield* newestAlone(session));
  if (record === null || isFinal(record.state)) {
    return yield* new NotFound({ session, attempted: "set the environment" });
  }
  const scopes = yield* SessionScopes;
  yield* scopes.open(session, record.incarnation, values);
});
