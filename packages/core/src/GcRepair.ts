/**
 * GcRepair: what a gc does first: names that have rows are brought up to what is true, so that
 * none is judged by what was cut off.
 *
 * Each is reconciled as always, one after another; one that fails is told and the others go on. A
 * session that no row knows is left to a reconcile: nobody asked a gc to take it up.
 */
import { Effect, Either } from "effect";
import { done } from "./GcReport.js";
import type { GcTally } from "./GcTally.js";
import { planEvery } from "./Plan.js";
import { Registry } from "./Registry.js";
import type { NameFailure } from "./SessionFailures.js";
import type { SessionName } from "./SessionName.js";
import type { ReconcileResult } from "./SessionView.js";

const repairFailed = (session: SessionName, failure: NameFailure) => ({
  what: `session ${session}`,
  session,
  failure,
});

/** Repairs them by `reconcile`; what was changed, and what failed. */
export const repairEach = Effect.fnUntraced(function* (
  reconcile: (session: SessionName) => Effect.Effect<ReconcileResult, NameFailure>,
  tally: GcTally,
) {
  const registry = yield* Registry;
  const { records } = yield* registry.history(null);
  const plan = yield* planEvery({ heals: true });
  const orphaned = new Set<string>(
    records.filter(({ claim }) => claim.holder === "dead").map(({ session }) => session),
  );
  const due = new Set<string>(plan.filter((part) => part.due).map(({ session }) => session));
  const names = new Set(records.map(({ session }) => session));
  const outcomes = yield* tally.each(
    [...names].filter((session) => due.has(session) || orphaned.has(session)),
    (session) => Effect.map(Effect.either(reconcile(session)), (outcome) => ({ session, outcome })),
    false,
  );
  const failures = outcomes.flatMap(({ outcome, session }) =>
    Either.isLeft(outcome) ? [repairFailed(session, outcome.left)] : [],
  );
  const repaired = outcomes.flatMap(({ outcome }) =>
    Either.isRight(outcome) && outcome.right.changed ? [outcome.right] : [],
  );
  return { repaired, told: done({ failed: failures }) };
});
