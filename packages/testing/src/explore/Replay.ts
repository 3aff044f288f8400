/**
 * Replay: a world run once more, along a replay string that an exploration printed.
 *
 * The program may have changed since. A run that had other decisions than the string knows of is
 * stale, whatever came of it: it neither passes nor fails.
 */
import { follow, parseReplay, staleness } from "./Deviations.js";
import { type Failure, failureOf } from "./Report.js";
import { printSteps } from "./StepTable.js";
import type { World } from "./World.js";
import { runWorld } from "./WorldRun.js";

/** What came of it. `table` tells the steps. */
export type Replayed =
  | { readonly _tag: "Failed"; readonly failure: Failure; readonly table: string }
  | { readonly _tag: "Passed"; readonly table: string }
  | { readonly _tag: "Stale"; readonly reason: string; readonly table: string };

/** Runs the world along the string. */
export const replay = <A>(world: World<A>, text: string): Replayed => {
  const parsed = parseReplay(text);
  if (parsed === null) {
    return { _tag: "Stale", reason: `not a replay string: ${text}`, table: "" };
  }
  const outcome = runWorld(world, follow(parsed.deviations), true);
  const table = printSteps(outcome.trace?.steps ?? []);
  const reason = staleness(parsed, outcome.choices);
  if (reason !== null) return { _tag: "Stale", reason, table };
  if (outcome.finding === null) return { _tag: "Passed", table };
  return { _tag: "Failed", failure: failureOf(outcome.finding, outcome), table };
};
