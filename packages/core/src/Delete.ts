/**
 * Delete: the flow that ends a session, from the look to the last row.
 *
 * Look; snapshot; intent with the processes, in one transaction; TERM with a grace; the verified
 * kill; KILL; `deleted`. A failure of the first look changes nothing. From the intent on, whatever
 * fails leaves the row `deleting`, and running it again, or a reconcile, finishes the job.
 */
import { Effect, Option } from "effect";
import { beforeKill, toShow } from "./BeforeKill.js";
import { askToEnd } from "./EndProcesses.js";
import { behindSnapshot } from "./Forgotten.js";
import type { Holding } from "./Holding.js";
import type { IncarnationId } from "./Identity.js";
import { type Doomed, endSession, lookAgain, refuseGuests } from "./Kill.js";
import { endLate } from "./LateEffect.js";
import { cutOff, endChanges, isFinal, isRestoration } from "./Lifecycle.js";
import type { ProcessEntry } from "./ProcessTable.js";
import { type Change, Registry } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import { KillUnconfirmed, NotFound } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";
import type { DeleteResult } from "./SessionView.js";
import { Settings } from "./Settings.js";
import { observe } from "./Sight.js";
import { undoCreation } from "./Undo.js";
import { type Lives, leftOut, recorded, SPARING, sessionLives, victimsAndLeft } from "./Victims.js";

const resultOf = (record: SessionRecord, fields: Partial<DeleteResult>): DeleteResult => ({
  session: record.session,
  generation: record.generation,
  alreadyGone: false,
  killed: [],
  snapshot: "none",
  ...fields,
});

/** How a delete is done. With `release` the claim ends with the last write. */
export interface Deleting {
  readonly graceMs: number;
  readonly spareDetached: boolean;
  readonly snapshot: boolean;
  readonly release: boolean;
  /** Why, where nobody asked for it now; it stands in row and log. */
  readonly cause?: string | null | undefined;
}

/** How a delete that was cut off is finished: its programs were asked to end before. */
export const finishing = ({ cause }: SessionRecord): Deleting => ({
  graceMs: 0,
  spareDetached: cause === SPARING,
  snapshot: true,
  release: true,
  cause: cause === SPARING ? null : cause,
});

/** What lives of something that is to be ended, and how long it may take to end by itself. */
export interface Found {
  readonly lives: Lives;
  readonly found: ReadonlyArray<ProcessEntry>;
  readonly graceMs: number;
}

/**
 * Writes the intent with every process that is to be gone, and which of those known before are
 * spared; the record as it is then.
 */
const intend = Effect.fnUntraced(function* (holding: Holding, doomed: Doomed, how: Deleting) {
  const seen = doomed.seen._tag === "Present" ? doomed.seen.session : null;
  const lives = sessionLives(doomed.record, seen, how);
  const { found, left } = yield* victimsAndLeft(lives);
  const processes = recorded(null, found);
  const cause = how.spareDetached ? SPARING : (how.cause ?? null);
  // Of one that was begun before the last word counts: whoever finishes it does as that says.
  const begun = doomed.record.state === "deleting";
  const intent: Change = begun ? { _tag: "Cause", cause } : { _tag: "Move", to: "deleting", cause };
  const changes = [processes, intent];
  const intended = left.length === 0 ? changes : [leftOut(left), ...changes];
  const record = yield* holding.commit(doomed.record.incarnation, intended);
  return { found, lives, record };
});

/**
 * Asks what was found to end, within the grace, and ends what there is then; the pids that KILL was
 * sent to. Everything found must be recorded before. It writes no row.
 */
export const endFound = Effect.fnUntraced(function* (
  holding: Holding,
  doomed: Doomed,
  { found, graceMs, lives }: Found,
) {
  yield* askToEnd(lives, found, graceMs).pipe(
    Effect.catchTag(
      "LookupFailed",
      (failure) =>
        new KillUnconfirmed({
          session: doomed.record.session,
          attempted: doomed.attempted,
          detail: failure.message,
          after: null,
        }),
    ),
  );
  return yield* endSession(holding, doomed, lives);
});

/**
 * All of a delete but its last row: the intent, and then the verified end. The record is as it is
 * behind that, and still to be ended.
 */
const endSeen = Effect.fnUntraced(function* (holding: Holding, doomed: Doomed, how: Deleting) {
  yield* refuseGuests(doomed);
  const terminals = how.snapshot ? doomed.record.terminals : [];
  const snapshot = yield* beforeKill(doomed, terminals);
  const intended = intend(holding, doomed, how).pipe(behindSnapshot(doomed.record));
  const { found, lives, record } = yield* intended;
  // When it spares, what was found is all: a process that left before is in the record, too.
  const doomedOnes = found.map(({ id }) => ({ ...id, terminal: null }));
  const processes = how.spareDetached ? doomedOnes : record.processes;
  const killed = yield* endFound(
    holding,
    { ...doomed, record },
    {
      found,
      graceMs: how.graceMs,
      lives: { ...lives, record: { ...record, processes } },
    },
  );
  const alreadyGone = doomed.seen._tag === "Absent" && found.length === 0;
  return { record, done: { alreadyGone, killed, snapshot } };
});

/** Deletes what the look saw, or finishes a delete that was cut off. */
export const deleteSeen = Effect.fnUntraced(function* (
  holding: Holding,
  doomed: Doomed,
  how: Deleting,
) {
  const { done, record } = yield* endSeen(holding, doomed, how);
  yield* holding.commit(record.incarnation, endChanges(record, "deleted", how.cause ?? null), how);
  return resultOf(record, done);
});

/** Deletes what was being made: it is undone, and what is lost by that is deleted, too. */
const deleteBegun = Effect.fnUntraced(function* (holding: Holding, doomed: Doomed, how: Deleting) {
  const restores = isRestoration(doomed.record);
  const cause = restores ? cutOff(doomed.record) : "deleted";
  const { killed, record } = yield* undoCreation(holding, doomed, cause, { release: !restores });
  const alreadyGone = doomed.seen._tag === "Absent" && killed.length === 0;
  if (!restores) return resultOf(record, { alreadyGone, killed });
  const done = yield* deleteSeen(holding, yield* lookAgain(holding, { ...doomed, record }), how);
  return { ...done, alreadyGone, killed: [...killed, ...done.killed] };
});

/** What became of one that does not have its name any more: it ended before that. */
const deletedBefore = Effect.fnUntraced(function* (session: SessionName, meant: IncarnationId) {
  const known = Option.getOrNull(yield* (yield* Registry).find(meant));
  // One of another name may well run, and nothing is said of it here.
  if (known?.session !== session) {
    return yield* new NotFound({ session, attempted: "delete", what: "incarnation" });
  }
  return resultOf(known, { alreadyGone: true });
});

/**
 * Deletes the newest incarnation of the name, unless another is meant, which is gone then;
 * `NotFound` when there was never one.
 */
export const deleteSession = Effect.fn("Sessions.delete.flow")(function* (
  holding: Holding,
  message: Pick<Deleting, "spareDetached" | "snapshot"> & {
    readonly graceMs: number | null;
    readonly incarnation: IncarnationId | null;
  },
) {
  const attempted = "delete";
  const { incarnation: meant } = message;
  const settings = yield* Settings;
  const known = yield* holding.newest;
  if (Option.isNone(known)) return yield* new NotFound({ session: holding.session, attempted });
  const record = known.value;
  if (meant !== null && meant !== record.incarnation) {
    return yield* deletedBefore(holding.session, meant);
  }
  const show = message.snapshot ? toShow(record, settings.snapshotLines) : null;
  const listing = yield* holding.look(attempted, show);
  const seen = yield* observe(record, listing, attempted);
  const doomed = { record, listing, seen, attempted };
  if (isFinal(record.state)) {
    // It ended before, but what is listed of it all the same is a late effect.
    const late = seen._tag === "Present";
    const killed = late ? yield* endLate(holding, doomed, { release: true }) : [];
    return resultOf(record, { alreadyGone: !late, killed });
  }
  const graceMs = message.graceMs ?? settings.graceMs;
  const { snapshot, spareDetached } = message;
  const how = { graceMs, snapshot, spareDetached, release: true };
  const end = record.state === "creating" ? deleteBegun : deleteSeen;
  return yield* end(holding, doomed, how);
});
