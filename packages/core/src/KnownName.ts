/**
 * KnownName: whether a name may be sent to its actor: one that nobody ever used needs no claim, and
 * makes no home.
 *
 * One query, and a look at tmux where there is no row: for a reconcile, or where a registry may
 * have been lost. It decides nothing about the
 * session: whoever is let through reads and looks again under the claim.
 */
import { Effect, Either, Option } from "effect";
import { listProven } from "./ListenAgain.js";
import { Registry } from "./Registry.js";
import { NotFound } from "./SessionError.js";
import { parseSessionName } from "./SessionName.js";
import { Settings } from "./Settings.js";
import { noLostRows } from "./Unrecorded.js";

/** A name that has a row. */
const recorded = Effect.fnUntraced(function* (name: string, attempted: string) {
  const registry = yield* Registry;
  const session = yield* parseSessionName(name, attempted);
  const known = yield* registry.get(session);
  return Option.isSome(known) ? session : yield* new NotFound({ session, attempted });
});

/** A name that was seen before: one that was not needs no claim, and makes no home. */
export const knownName = (name: string, attempted: string) =>
  recorded(name, attempted).pipe(
    Effect.tapErrorTag("NotFound", ({ session }) => noLostRows(session, attempted)),
  );

/** The same, or one that tmux has with the mark of this home. */
export const reconcilable = Effect.fnUntraced(function* (name: string) {
  const known = yield* Effect.either(recorded(name, "reconcile"));
  if (Either.isRight(known)) return known.right;
  if (known.left._tag !== "NotFound") return yield* known.left;
  const { home } = yield* Settings;
  const listing = yield* listProven("reconcile");
  const sessions = listing._tag === "Server" ? listing.sessions : [];
  const ours = sessions.some((s) => s.name === name && s.mark?.home === home);
  return ours ? yield* parseSessionName(name, "reconcile") : yield* known.left;
});
