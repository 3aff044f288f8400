/**
 * KnownName: whether a name may be sent to its actor: one that nobody ever used needs no claim, and
 * makes no home.
 *
 * One query, and a look at tmux where there is no row: for a reconcile, or where a registry may
 * have been lost. It decides nothing about the session: whoever is let through reads and looks
 * again under the claim. What this program holds of a name without a row goes here, since no
 * message of the name comes to do that.
 */
import { Effect } from "effect";
import { newestOrHeld } from "./LettingGo.js";
import { listProven } from "./ListenAgain.js";
import { NotFound } from "./SessionError.js";
import { parseSessionName } from "./SessionName.js";
import { Settings } from "./Settings.js";
import { noLostRows } from "./Unrecorded.js";

/** A name that was seen before: one that was not needs no claim, and makes no home. */
export const knownName = Effect.fnUntraced(function* (name: string, attempted: string) {
  const session = yield* parseSessionName(name, attempted);
  const { letGo, record } = yield* newestOrHeld(session);
  if (record !== null) return session;
  yield* noLostRows(session, attempted);
  yield* letGo;
  return yield* new NotFound({ session, attempted });
});

/** The same, or one that tmux has with the mark of this home. */
export const reconcilable = Effect.fnUntraced(function* (name: string) {
  const attempted = "reconcile";
  const session = yield* parseSessionName(name, attempted);
  const { letGo, record } = yield* newestOrHeld(session);
  if (record !== null) return session;
  const { home } = yield* Settings;
  const listing = yield* listProven(attempted);
  const sessions = listing._tag === "Server" ? listing.sessions : [];
  if (sessions.some((s) => s.name === name && s.mark?.home === home)) return session;
  yield* letGo;
  return yield* new NotFound({ session, attempted });
});
