/**
 * Unfinished: what programs that died, or gave up, in the middle of a message left undone.
 *
 * For a program that starts: one query tells which names; each of them is reconciled like any
 * other, under its claim, so of several programs that start at once one does it. What a living
 * program holds is none, and neither is a session that only needs a look. With nothing left to do
 * tmux is not asked.
 */
import { Effect } from "effect";
import { Registry } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import type { ReconcileItem, Sessions } from "./Sessions.js";

/** How many names are brought in order at once: each waits for tmux by itself. */
const AT_ONCE = 4;

/** Whether something was begun with the session, or with a terminal of it, and is not ended. */
export const hasUnfinished = ({ state, terminals }: SessionRecord): boolean =>
  [state, ...terminals.map((t) => t.state)].some((s) => s === "creating" || s === "deleting");

/**
 * Whether nobody who lives will finish this. Who may live counts as living. Where the fence is due,
 * what was asked of tmux may still come, and is to be barred.
 */
export const isLeft = (record: SessionRecord): boolean => {
  const { fenceDue, holder } = record.claim;
  return holder === "dead" || (holder === "none" && (fenceDue || hasUnfinished(record)));
};

/** Finishes what was left; goes on past a name that fails. What came of each. */
export const reconcileUnfinished = Effect.fn("reconcileUnfinished")(function* (
  sessions: Pick<Sessions["Type"], "reconcile">,
) {
  const registry = yield* Registry;
  const { records } = yield* registry.list({ ended: false });
  return yield* Effect.forEach(
    records.filter(isLeft),
    ({ session }): Effect.Effect<ReconcileItem> =>
      Effect.map(Effect.either(sessions.reconcile(session)), (outcome) => ({ session, outcome })),
    { concurrency: AT_ONCE },
  );
});
