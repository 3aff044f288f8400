/**
 * Unrecorded: what a registry that knows of nothing proves of a name: nothing, while a tmux server
 * of this home lives.
 *
 * That is what is left when a registry was lost. Its sessions carry the mark of the home, and a
 * reconcile takes them up; until then nobody is told that there are none. Where no server of the
 * socket lives tmux is not asked.
 */
import { Effect, Either } from "effect";
import { orphans } from "./Adopt.js";
import { serversOfSocket, surveyed } from "./OtherServer.js";
import { Registry } from "./Registry.js";
import { LookupFailed } from "./SessionError.js";
import { serverLife } from "./Sight.js";
import { Tmux } from "./Tmux.js";

/** Sessions with our mark that no row knows. */
const lostRows = (session: string | null, attempted: string, names: ReadonlyArray<string>) =>
  new LookupFailed({
    session,
    attempted,
    source: "tmux",
    reason: "unclear",
    detail: `the registry does not know sessions that carry the mark of this home: ${names.join(", ")}`,
  });

/** Whether a recorded server lives, or cannot be seen to be dead. */
const knowsLiving = Effect.fnUntraced(function* (attempted: string) {
  const registry = yield* Registry;
  for (const known of yield* registry.servers) {
    const life = yield* Effect.either(serverLife(known, null, attempted));
    if (Either.isLeft(life) || life.right === "alive") return true;
  }
  return false;
});

/**
 * Fails where a registry without any row may have lost some: a server of the socket lives that has
 * sessions of this home, that of this name unless it is `null`, or that does not answer.
 */
export const noLostRows = Effect.fnUntraced(function* (session: string | null, attempted: string) {
  const tmux = yield* Tmux;
  const isInUse = yield* knowsLiving(attempted);
  // A registry that knows the server that lives knows what was made in it.
  if (isInUse && session !== null) return;
  if (!isInUse && (yield* serversOfSocket).length === 0) return;
  const { beside, listing } = yield* surveyed([], attempted, tmux.list(attempted));
  if (beside !== null) return yield* beside;
  const lost = (yield* orphans(listing))
    .map(({ name }) => name)
    .filter((name) => session === null || name === session);
  if (lost.length > 0) return yield* lostRows(session, attempted, lost);
});
