/**
 * CutOff: what a message that was cut off left of a session, finished under the claim of another.
 *
 * A creation is undone, a delete is done as it was asked for, and so is what was begun with single
 * terminals: as a reconcile does it, and nothing else of what that does. The claim is kept. What
 * cannot be shown to be gone fails as in a delete, and stays begun.
 */
import { Effect } from "effect";
import { deleteSeen, finishing } from "./Delete.js";
import { finishTerminal } from "./EndTerminal.js";
import type { Holding } from "./Holding.js";
import { type Doomed, lookAgain } from "./Kill.js";
import { type Decision, decide } from "./Lifecycle.js";
import type { SessionRecord } from "./Session.js";
import { observe } from "./Sight.js";
import type { Listing } from "./Tmux.js";
import { undoCreation } from "./Undo.js";
import { hasUnfinished } from "./Unfinished.js";

const KEPT = { release: false };

/** What can be due for a session whose terminals have nothing unfinished. */
export type Due = Exclude<Decision, { readonly _tag: "FinishTerminal" }>;

/** Finishes what was cut off with single terminals; how things are then, and what else is due. */
export const finishTerminals = Effect.fnUntraced(function* (holding: Holding, first: Doomed) {
  let doomed = first;
  let finished: string | null = null;
  for (;;) {
    const decision = decide(doomed.record, doomed.seen);
    if (decision._tag !== "FinishTerminal") return { doomed, decision, finished };
    const { terminal } = decision;
    const { record } = yield* finishTerminal(holding, { ...doomed, terminal }, KEPT);
    finished = decision.why;
    doomed = yield* lookAgain(holding, { ...doomed, record });
  }
});

/** Finishes what was begun with the session and is not ended; else it does nothing. */
export const finishCutOff = Effect.fnUntraced(function* (
  holding: Holding,
  record: SessionRecord,
  listing: Listing,
  attempted: string,
) {
  if (!hasUnfinished(record)) return;
  const seen = yield* observe(record, listing, attempted);
  const { decision, doomed } = yield* finishTerminals(holding, {
    record,
    listing,
    seen,
    attempted,
  });
  switch (decision._tag) {
    case "Undo":
    case "Fail":
      yield* undoCreation(holding, doomed, decision.why, KEPT);
      return;
    case "FinishDelete":
      yield* deleteSeen(holding, doomed, { ...finishing(doomed.record), ...KEPT });
      return;
    case "Nothing":
    case "Refresh":
    case "KillLate":
      return;
  }
});
