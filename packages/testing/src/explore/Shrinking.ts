/**
 * Shrinking: from a schedule that fails to a cheaper one that fails in the same way.
 *
 * Greedy, towards production order: first whole stretches of deviations are taken back, then
 * single ones, then delays are made shorter. What is left fails, and every single step back from
 * it that was tried does not. Bounded in tries, so the result may not be the least there is.
 */
import { totalCost } from "./Choices.js";
import { type Deviation, deviationsOf } from "./Deviations.js";
import type { RunOutcome } from "./WorldRun.js";

const mostTries = 500;
/** Runs that do not end are long, each as long as the bound of steps. */
const mostTriesWithoutEnd = 20;

/** The schedules that are a step back from this one, greatest steps first. */
function* stepsBack(all: ReadonlyArray<Deviation>): Generator<ReadonlyArray<Deviation>> {
  for (let size = all.length; size >= 1; size = Math.floor(size / 2)) {
    for (let end = all.length; end > 0; end -= size) {
      yield [...all.slice(0, Math.max(0, end - size)), ...all.slice(end)];
    }
  }
  for (const [i, deviation] of all.entries()) {
    for (let chosen = 1; chosen < deviation.chosen; chosen++) {
      yield all.with(i, { ...deviation, chosen });
    }
  }
}

const isLess = (a: RunOutcome, b: RunOutcome): boolean => {
  const [costA, costB] = [totalCost(a.choices), totalCost(b.choices)];
  if (costA !== costB) return costA < costB;
  return deviationsOf(a.choices).length < deviationsOf(b.choices).length;
};

/** The outcome of the cheapest schedule found; `run` must be a function of the deviations. */
export const shrink = (
  failing: RunOutcome,
  run: (deviations: ReadonlyArray<Deviation>) => RunOutcome,
): RunOutcome => {
  const tryMost = failing.finding?.kind === "step limit" ? mostTriesWithoutEnd : mostTries;
  let best = failing;
  let tries = 0;
  for (let improved = true; improved; ) {
    improved = false;
    for (const deviations of stepsBack(deviationsOf(best.choices))) {
      if (++tries > tryMost) return best;
      const outcome = run(deviations);
      if (outcome.finding?.kind !== best.finding?.kind || !isLess(outcome, best)) continue;
      best = outcome;
      improved = true;
      break;
    }
  }
  return best;
};
