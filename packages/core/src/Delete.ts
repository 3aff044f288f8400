/**
 * Delete: the flow that ends a session, from the look to the last row.
 *
 * Look; intent with the processes, in one transaction; TERM with a grace; the verified kill; KILL;
 * `deleted`. A failure of the first look changes nothing. From the intent on, whatever fails
 * leaves the row `deleting`, and running it again, or a reconcile, finishes the job.
 */
import { Effect, Option } from "effect";
import type { Holding } from "./Holding.js";
import { askToEnd, type Doomed, endSession } from "./Kill.js";
import { endChanges, isFinal } from "./Lifecycle.js";
import { type Change, Registry } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import { KillUnconfirmed, NotFound } from "./SessionError.js";
import type { DeleteResult } from "./SessionView.js";
import { Settings } from "./Settings.js";
import { observe } from "./Sight.js";
import { undoCreation } from "./Undo.js";
import { victims } from "./Victims.js";

const resultOf = (
  record: SessionRecord,
  alreadyGone: boolean,
  killed: ReadonlyArray<number>,
): DeleteResult => ({
  session: record.session,
  generation: record.generation,
  alreadyGone,
  killed,
});

/** Writes the intent with every process that is to be gone; the record as it is then. */
const intend = Effect.fnUntraced(function* (holding: Holding, doomed: Doomed) {
  const seen = doomed.seen._tag === "Present" ? doomed.seen.session : null;
  const found = yield* victims(doomed.record, seen);
  const processes: Change = { _tag: "Processes", processes: found.map((entry) => entry.id) };
  const begin: Change = { _tag: "Move", to: "deleting", cause: null };
  const begun = doomed.record.state === "deleting";
  const record = yield* holding.commit(
    doomed.record.incarnation,
    begun ? [processes] : [processes, begin],
  );
  return { found, record };
});

/**
 * Deletes what the look saw, or finishes a delete that was cut off. With `release` the claim ends
 * with the last write.
 */
export const deleteSeen = Effect.fnUntraced(function* (
  holding: Holding,
  doomed: Doomed,
  graceMs: number,
  options: { readonly release: boolean },
) {
  const { found, record } = yield* intend(holding, doomed);
  const intended = { ...doomed, record };
  yield* askToEnd(intended, found, graceMs).pipe(
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
  const killed = yield* endSession(holding, intended);
  yield* holding.commit(record.incarnation, endChanges(record, "deleted", null), options);
  return resultOf(record, doomed.seen._tag === "Absent" && found.length === 0, killed);
});

/** Deletes the newest incarnation of the name; `NotFound` when there was never one. */
export const deleteSession = Effect.fn("Sessions.delete.flow")(function* (
  holding: Holding,
  graceMs: number | null,
) {
  const attempted = "delete";
  const registry = yield* Registry;
  const settings = yield* Settings;
  const known = yield* registry.get(holding.session);
  if (Option.isNone(known)) return yield* new NotFound({ session: holding.session, attempted });
  const record = known.value;
  const listing = yield* holding.look(attempted);
  const seen = yield* observe(record, listing, attempted);
  const doomed = { record, listing, seen, attempted };
  if (isFinal(record.state)) {
    // It ended before, but what is listed of it all the same is a late effect.
    const late = seen._tag === "Present";
    return resultOf(record, !late, late ? yield* endSession(holding, doomed) : []);
  }
  if (record.state === "creating") {
    const killed = yield* undoCreation(holding, doomed, "deleted", { release: true });
    return resultOf(record, seen._tag === "Absent" && killed.length === 0, killed);
  }
  return yield* deleteSeen(holding, doomed, graceMs ?? settings.graceMs, { release: true });
});
