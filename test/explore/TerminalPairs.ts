/**
 * TerminalPairs: two calls about the terminals of one session, and what there is before them.
 *
 * Every pair is explored in one program, in two, and with callers that may be interrupted.
 */
import { add, create, reconcile, remove, removeFirst, removeTerminal } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

/** Name, what was done before, and the two calls. */
export const terminalPairs: ReadonlyArray<readonly [string, ReadonlyArray<Call>, Call, Call]> = [
  ["add ∥ add", [create], add, add],
  ["delete ∥ add", [create], remove, add],
  ["add ∥ reconcile", [create], add, reconcile],
  ["delete a terminal ∥ add", [create, add], removeTerminal, add],
  ["delete a terminal ∥ delete a terminal", [create, add], removeTerminal, removeTerminal],
  ["delete a terminal ∥ delete the other", [create, add], removeTerminal, removeFirst],
  ["delete a terminal ∥ delete", [create, add], removeTerminal, remove],
  ["delete a terminal ∥ reconcile", [create, add], removeTerminal, reconcile],
  ["delete the last terminal ∥ add", [create], removeFirst, add],
];
