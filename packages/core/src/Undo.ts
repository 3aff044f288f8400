/**
 * Undo: taking back a creation that did not end well, whoever finds it.
 *
 * The session, if it is there, is killed and verified with its processes; then the row becomes
 * `failed`, or `lost` where a restore was making the session anew. What cannot be shown to be gone
 * leaves the row `creating`, which the next reconcile or delete takes up.
 */
import { Effect } from "effect";
import type { Holding } from "./Holding.js";
import { type Doomed, endSession, lookAgain } from "./Kill.js";
import { cutOff, endChanges, isFinal, undoneState } from "./Lifecycle.js";
import { recorded, sessionLives, victims } from "./Victims.js";

/**
 * Ends what there is of the creation, then says `failed` or `lost` with the cause; the row as it is
 * then, and the pids that were killed. With `release` the claim ends with that, as the last write
 * of its message.
 */
export const undoCreation = Effect.fnUntraced(function* (
  holding: Holding,
  doomed: Doomed,
  cause: string,
  options: { readonly release: boolean },
) {
  const seen = doomed.seen._tag === "Present" ? doomed.seen.session : null;
  const found = yield* victims(sessionLives(doomed.record, seen));
  // Recorded first: after the kill a process that left the pane is known by this row alone.
  const begun =
    found.length === 0
      ? doomed.record
      : yield* holding.commit(doomed.record.incarnation, [recorded(null, found)]);
  const killed = yield* endSession(holding, { ...doomed, record: begun });
  const changes = endChanges(begun, undoneState(begun), cause);
  const record = yield* holding.commit(begun.incarnation, changes, options);
  return { killed, record };
});

/** Undoes a creation that was cut off; how things are then. A name that is lost is still held. */
export const undoCutOff = Effect.fnUntraced(function* (holding: Holding, doomed: Doomed) {
  const how = { release: false };
  const { record } = yield* undoCreation(holding, doomed, cutOff(doomed.record), how);
  const undone: Doomed = { ...doomed, record };
  return isFinal(record.state) ? undone : yield* lookAgain(holding, undone);
});
