/**
 * LateEffect: ending what appears in tmux of an incarnation that has ended.
 *
 * A client that was killed at its deadline may have its list run later, and an older program may
 * act behind its time. What comes of it is killed and shown to be gone as in a delete; only then
 * the log tells of it, once. The row has its last state already and stays as it is.
 */
import { Effect } from "effect";
import type { Holding } from "./Holding.js";
import { type Doomed, endSession } from "./Kill.js";

/**
 * Ends it, and writes the event; the pids that KILL was sent to. With `release` the claim ends with
 * that write. A kill that is not confirmed is told by the failure alone.
 */
export const endLate = Effect.fnUntraced(function* (
  holding: Holding,
  doomed: Doomed,
  options: { readonly release: boolean },
) {
  const { incarnation, state } = doomed.record;
  const killed = yield* endSession(holding, doomed);
  const cause = `it appeared after it was ${state}`;
  yield* holding.commit(incarnation, [{ _tag: "Late", cause }], options);
  return killed;
});
