/**
 * CurrentRun: the run that is under way, for the tools that a world's program calls.
 *
 * A run is one synchronous call, so there is at most one at a time, and none for code that runs in
 * production: every tool is then a no-op.
 */
import type { ExploredRun } from "./ExploredRun.js";

let current: ExploredRun | null = null;

/** The run under way; `null` outside an exploration. */
export const currentRun = (): ExploredRun | null => current;

/** Makes a run the current one during the body. */
export const during = <A>(run: ExploredRun, body: () => A): A => {
  const outer = current;
  current = run;
  try {
    return body();
  } finally {
    current = outer;
  }
};
