/**
 * Delete: the flow that ends a session, from the look to the last row.
 *
 * Look; snapshot; intent with the processes, in one transaction; TERM with a grace; the verified
 * kill; KILL; `deleted`. A failure of the first look changes nothing. From the intent on, whatever
 * fails leaves the row `deleting`, and running it again, or a reconcile, finishes the job.
 */
import { Effect, Option } from "effect";
import { beforeKill } from "./BeforeKill.js";
import { askToEnd } from "./EndProcesses.js";
import type { Holding } from "./Holding.js";
import { type Doomed, endSession, refuseGuests } from "./Kill.js";
import { endLate } from "./LateEffect.js";
import { endChanges, isFinal } from "./Lifecycle.js";
import type { Change } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import { KillUnconfirmed, NotFound } from "./SessionError.js";
import type { DeleteResult } from "./SessionView.js";
import { Settings } from "./Settings.js";
import { observe } from "./Sight.js";
import { undoCreation } from "./Undo.js";
import { recorded, sessionLives, victims } from "./Victims.js";

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
  /** A restore ends it, to make it anew. */
  readonly restoring?: boolean | undefined;
}

/** The cause of a delete that spares; a reconcile that finishes it spares the same. */
const SPARING = "sparing what left the session";

/** The cause of a restore's delete, and of what it ended when it was cut off before the new one. */
export const RESTORING = "restoring";

/** How a delete that was cut off is finished: its programs were asked to end before. */
export const finishing = ({ cause }: SessionRecord): Deleting => ({
  graceMs: 0,
  spareDetached: cause === SPARING,
  snapshot: true,
  release: true,
  restoring: cause === RESTORING,
});

const causeOf = ({ restoring }: Deleting): string | null => (restoring === true ? RESTORING : null);

/** Writes the intent with every process that is to be gone; the record as it is then. */
const intend = Effect.fnUntraced(function* (holding: Holding, doomed: Doomed, how: Deleting) {
  const seen = doomed.seen._tag === "Present" ? doomed.seen.session : null;
  const lives = sessionLives(doomed.record, seen, how);
  const found = yield* victims(lives);
  const processes = recorded(null, found);
  const cause = how.spareDetached ? SPARING : causeOf(how);
  const begin: Change = { _tag: "Move", to: "deleting", cause };
  const begun = doomed.record.state === "deleting";
  const record = yield* holding.commit(
    doomed.record.incarnation,
    begun ? [processes] : [processes, begin],
  );
  return { found, lives, record };
});

/**
 * All of a delete but its last row: the intent, and then the verified end. The record is as it is
 * behind that, and still to be ended.
 */
export const endSeen = Effect.fnUntraced(function* (
  holding: Holding,
  doomed: Doomed,
  how: Deleting,
) {
  yield* refuseGuests(doomed);
  const terminals = how.snapshot ? doomed.record.terminals : [];
  const snapshot = yield* beforeKill(doomed, terminals);
  const { found, lives, record } = yield* intend(holding, doomed, how);
  const intended = { ...doomed, record };
  yield* askToEnd(lives, found, how.graceMs).pipe(
    Effect.catchTag(
      "LookupFailed",
      (failure) =>
        new KillUnconfirmed({
          session: record.session,
          attempted: doomed.attempted,
          detail: failure.message,
          after: null,
        }),
    ),
  );
  // When it spares, what was found is all: a process that left before is in the record, too.
  const doomedOnes = found.map(({ id }) => ({ ...id, terminal: null }));
  const processes = how.spareDetached ? doomedOnes : record.processes;
  const killed = yield* endSession(holding, intended, {
    ...lives,
    record: { ...record, processes },
  });
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
  yield* holding.commit(record.incarnation, endChanges(record, "deleted", causeOf(how)), how);
  return resultOf(record, done);
});

/** Deletes the newest incarnation of the name; `NotFound` when there was never one. */
export const deleteSession = Effect.fn("Sessions.delete.flow")(function* (
  holding: Holding,
  message: Pick<Deleting, "spareDetached" | "snapshot"> & { readonly graceMs: number | null },
) {
  const attempted = "delete";
  const settings = yield* Settings;
  const known = yield* holding.newest;
  if (Option.isNone(known)) return yield* new NotFound({ session: holding.session, attempted });
  const record = known.value;
  const listing = yield* holding.look(attempted);
  const seen = yield* observe(record, listing, attempted);
  const doomed = { record, listing, seen, attempted };
  if (isFinal(record.state)) {
    // It ended before, but what is listed of it all the same is a late effect.
    const late = seen._tag === "Present";
    const killed = late ? yield* endLate(holding, doomed, { release: true }) : [];
    return resultOf(record, { alreadyGone: !late, killed });
  }
  if (record.state === "creating") {
    const killed = yield* undoCreation(holding, doomed, "deleted", { release: true });
    return resultOf(record, { alreadyGone: seen._tag === "Absent" && killed.length === 0, killed });
  }
  const graceMs = message.graceMs ?? settings.graceMs;
  return yield* deleteSeen(holding, doomed, { ...message, graceMs, release: true });
});
