/**
 * ClearName: what a create finds at its name, before it makes anything.
 *
 * A session that holds the name refuses it, or is deleted first when that was asked for. What a
 * dead program left of a creation is undone; of a restore, the session is lost then and holds the
 * name as before. A late effect of an ended incarnation is killed. A session without our mark is a
 * stranger and is never touched; one with it that has no row holds the name.
 */
import { Effect, Option } from "effect";
import type { Creation } from "./Creation.js";
import { deleteSeen } from "./Delete.js";
import type { Holding } from "./Holding.js";
import type { Doomed } from "./Kill.js";
import { endLate } from "./LateEffect.js";
import { isFinal } from "./Lifecycle.js";
import { Registry } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import { AlreadyExists, ForeignSession } from "./SessionError.js";
import { Settings } from "./Settings.js";
import { observe } from "./Sight.js";
import type { Listing } from "./Tmux.js";
import { undoCutOff } from "./Undo.js";

const attempted = "create";
const KEEP = { release: false };

/** What is told for a state of a session that carries our mark and has no row of this name. */
export const UNRECORDED = "unrecorded";

/** The session that the same request made already, unless that failed. */
const madeBefore = Effect.fnUntraced(function* (holding: Holding, requestId: string | null) {
  if (requestId === null) return null;
  const registry = yield* Registry;
  const made = Option.getOrNull(yield* registry.findRequest(requestId));
  if (made === null || made.state === "failed" || made.state === "creating") return null;
  if (made.session === holding.session) return made;
  return yield* new AlreadyExists({ session: made.session, attempted, state: made.state });
});

/** Ends what the record left, or refuses because it holds the name. */
const clearRecord = Effect.fnUntraced(function* (
  holding: Holding,
  creation: Creation,
  doomed: Doomed,
) {
  const { graceMs } = yield* Settings;
  const replacing = { graceMs, spareDetached: false, snapshot: true, ...KEEP };
  if (isFinal(doomed.record.state)) {
    if (doomed.seen._tag === "Present") yield* endLate(holding, doomed, KEEP);
    return;
  }
  const cut = doomed.record.state === "creating";
  const now = cut ? yield* undoCutOff(holding, doomed) : doomed;
  const { session, state } = now.record;
  if (isFinal(state)) return;
  if (!creation.replace) return yield* new AlreadyExists({ session, attempted, state });
  yield* deleteSeen(holding, now, replacing);
});

/** Clears the name, or gives the session that the same request made; else the name is free. */
export const clearName = Effect.fnUntraced(function* (
  holding: Holding,
  creation: Creation,
  listing: Listing,
) {
  const { session } = holding;
  const made = yield* madeBefore(holding, creation.requestId);
  if (made !== null) return made;
  const known: SessionRecord | null = Option.getOrNull(yield* holding.newest);
  if (known !== null) {
    const seen = yield* observe(known, listing, attempted);
    yield* clearRecord(holding, creation, { record: known, listing, seen, attempted });
  }
  const sessions = listing._tag === "Server" ? listing.sessions : [];
  const other = sessions.find((s) => s.name === session);
  const ours = known !== null && other?.mark?.incarnation === known.incarnation;
  if (other === undefined || ours) return null;
  const { home } = yield* Settings;
  if (other.mark?.home === home) {
    return yield* new AlreadyExists({ session, attempted, state: UNRECORDED });
  }
  return yield* new ForeignSession({ session, attempted, sessionId: other.sessionId });
});
