/**
 * ContestedPairs: two things that happen to one session at once, and what there is before them.
 *
 * Every pair is explored in one program, in two, and with callers that may be interrupted.
 */
import { create, programEnds, reconcile, remove } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

/** Name, what was done before, and the two calls. */
export const contestedPairs: ReadonlyArray<readonly [string, ReadonlyArray<Call>, Call, Call]> = [
  ["create ∥ create", [], create, create],
  ["create ∥ delete", [], create, remove],
  ["recreate ∥ delete", [create], remove, create],
  ["delete ∥ delete", [create], remove, remove],
  ["delete ∥ reconcile", [create], remove, reconcile],
  ["delete ∥ program exit", [create], remove, programEnds],
  ["create ∥ program exit", [], create, programEnds],
  ["reconcile ∥ program exit", [create], reconcile, programEnds],
];
