/**
 * Undo: taking back a creation that did not end well, whoever finds it.
 *
 * The session, if it is there, is killed and verified with its processes; then the row becomes
 * `failed`. What cannot be shown to be gone leaves the row `creating`, which the next reconcile or
 * delete takes up.
 */
import { Effect } from "effect";
import type { Holding } from "./Holding.js";
import { type Doomed, endSession } from "./Kill.js";
import { endChanges } from "./Lifecycle.js";
import { recorded, sessionLives, victims } from "./Victims.js";

/**
 * Ends what there is of the creation, then says `failed` with the cause; the pids it killed. With
 * `release` the claim ends with that, as the last write of its message.
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
  const record =
    found.length === 0
      ? doomed.record
      : yield* holding.commit(doomed.record.incarnation, [recorded(null, found)]);
  const killed = yield* endSession(holding, { ...doomed, record });
  yield* holding.commit(record.incarnation, endChanges(record, "failed", cause), options);
  return killed;
});
