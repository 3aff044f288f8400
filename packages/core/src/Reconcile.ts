/**
 * Reconcile: the flow that brings one name's rows and tmux together.
 *
 * It takes the claim, reads the row, looks, and does what `decide` says; it never acts on an older
 * look. A name whose claim a living program holds is left alone. Idempotent, and any number of
 * them in any order end in the same rows.
 */
import { Effect, Option } from "effect";
import { adoptSession, orphans } from "./Adopt.js";
import { type Due, finishTerminals } from "./CutOff.js";
import { deleteSeen, finishing } from "./Delete.js";
import { exitsKnown, untilReaped } from "./ExitStatus.js";
import type { Holding } from "./Holding.js";
import { type Doomed, lookAgain, refuseGuests, serverOf } from "./Kill.js";
import { endLate } from "./LateEffect.js";
import { type Decision, decide, isFinal } from "./Lifecycle.js";
import { Registry } from "./Registry.js";
import type { SessionRecord, SessionState } from "./Session.js";
import type { Busy } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";
import type { ReconcileResult } from "./SessionView.js";
import { Settings } from "./Settings.js";
import { observe } from "./Sight.js";
import { limitDue } from "./TimeLimits.js";
import type { Listing, SeenSession } from "./Tmux.js";
import { undoCreation } from "./Undo.js";

const attempted = "reconcile";

const resultOf = (
  record: SessionRecord,
  after: SessionState,
  decision: Decision,
): ReconcileResult => ({
  session: record.session,
  generation: record.generation,
  before: record.state,
  after,
  changed: decision._tag !== "Nothing",
  why: decision.why,
});

/** Does what was decided; the state that the row has then. */
const act = Effect.fnUntraced(function* (holding: Holding, doomed: Doomed, decision: Due) {
  const { record } = doomed;
  switch (decision._tag) {
    case "Nothing":
      return record.state;
    case "Refresh": {
      const now = yield* holding.commit(record.incarnation, decision.changes, { release: true });
      return now.state;
    }
    case "Fail":
    case "Undo":
      return (yield* undoCreation(holding, doomed, decision.why, { release: true })).record.state;
    case "FinishDelete":
      yield* deleteSeen(holding, doomed, finishing(record));
      return "deleted" as const;
    case "KillLate":
      yield* endLate(holding, doomed, { release: true });
      return record.state;
  }
});

/**
 * Deletes a session whose time limit has passed, which was shown to be there; why, or `null` when
 * it is not over. Windows of somebody else keep it.
 */
const endIfOver = Effect.fnUntraced(function* (holding: Holding, doomed: Doomed, decision: Due) {
  const cause = yield* limitDue(doomed.record, doomed.seen, decision._tag);
  if (cause === null || (yield* Effect.option(refuseGuests(doomed)))._tag === "None") return null;
  const { graceMs } = yield* Settings;
  const how = { graceMs, spareDetached: false, snapshot: true, release: true, cause };
  yield* deleteSeen(holding, doomed, how);
  return cause;
});

/**
 * The same things when the server knows how what ended did. Only what would change the row is
 * waited for: one that is recorded as ended, unknown how, is looked at once.
 */
const withStatus = Effect.fnUntraced(function* (holding: Holding, doomed: Doomed) {
  const { record, seen } = doomed;
  const server = serverOf(doomed.listing);
  if (seen._tag === "Absent" || server === null || exitsKnown(seen.session)) return doomed;
  if (decide(record, seen)._tag === "Nothing") return doomed;
  let now: Doomed = doomed;
  const look = Effect.map(lookAgain(holding, doomed), (again) => {
    now = again;
    return again.seen._tag === "Present" ? again.seen.session : { ...seen.session, terminals: [] };
  });
  yield* untilReaped(server, seen.session, look);
  return now;
});

/** Brings a row that holds its name up to what is seen of it; how things are then. */
export const settleSession = Effect.fnUntraced(function* (holding: Holding, first: Doomed) {
  const known = yield* withStatus(holding, first);
  const { decision, doomed } = yield* finishTerminals(holding, known);
  if (decision._tag !== "Refresh") return doomed;
  const record = yield* holding.commit(doomed.record.incarnation, decision.changes);
  return { ...doomed, record };
});

/** Sessions of this home that carry the mark of an older incarnation of this name. */
const strays = Effect.fnUntraced(function* (record: SessionRecord, listing: Listing) {
  const registry = yield* Registry;
  const { home } = yield* Settings;
  const sessions = listing._tag === "Server" ? listing.sessions : [];
  const found: Array<readonly [SessionRecord, SeenSession]> = [];
  for (const seen of sessions) {
    const { mark } = seen;
    if (mark === null || mark.home !== home || mark.incarnation === record.incarnation) continue;
    const owner = Option.getOrNull(yield* registry.find(mark.incarnation));
    const ended = owner?.session === record.session && isFinal(owner.state);
    if (ended) found.push([owner, seen]);
  }
  return found;
});

const adopted = (record: SessionRecord): ReconcileResult => ({
  ...resultOf(record, record.state, { _tag: "Nothing", why: "adopted: no row knew it" }),
  changed: true,
});

/** Brings the newest incarnation to what is true, and ends late effects of older ones. */
export const reconcileSession = Effect.fn("Sessions.reconcile.flow")(function* (holding: Holding) {
  const newest = yield* holding.newest;
  const listing = yield* holding.look(attempted);
  if (Option.isNone(newest)) return adopted(yield* adoptSession(holding, listing));
  const record = newest.value;
  if (
    isFinal(record.state) &&
    (yield* orphans(listing)).some(({ name }) => name === record.session)
  )
    return adopted(yield* adoptSession(holding, listing));
  const late = yield* strays(record, listing);
  for (const [owner, session] of late) {
    const seen = { _tag: "Present", session } as const;
    const doomed = { record: owner, listing, seen, attempted };
    yield* endLate(holding, doomed, { release: false });
  }
  const seen = yield* observe(record, listing, attempted);
  const known = yield* withStatus(holding, { record, listing, seen, attempted });
  const settled = yield* finishTerminals(holding, known);
  const { decision, doomed, finished } = settled;
  const over = yield* endIfOver(holding, doomed, decision);
  if (over !== null) {
    return { ...resultOf(record, "deleted", decision), changed: true, why: over };
  }
  const after = yield* act(holding, doomed, decision);
  const due = resultOf(record, after, decision);
  const result = finished === null ? due : { ...due, changed: true, why: finished };
  if (late.length === 0) return result;
  const why = `${result.why}; ended what generation ${late[0]?.[0].generation} left`;
  return { ...result, changed: true, why };
});

/** What a living program holds is nobody else's to reconcile: nothing is done, and that is told. */
export const leaveAlone = Effect.fnUntraced(function* (busy: Busy, session: SessionName) {
  const registry = yield* Registry;
  const known = yield* registry.get(session);
  if (Option.isNone(known)) return yield* busy;
  const why = `held by ${busy.holder}`;
  return resultOf(known.value, known.value.state, { _tag: "Nothing", why });
});
