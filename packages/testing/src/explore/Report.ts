/**
 * Report: what an exploration did, and what it found, as values and as text for people.
 *
 * The text of a failure has all that is needed to understand it and to have it again; that of a
 * report is one line. Nothing here decides whether a test passes.
 */
import { totalCost } from "./Choices.js";
import { printReplay } from "./Deviations.js";
import type { Finding } from "./Finding.js";
import { printSteps } from "./StepTable.js";
import type { RunOutcome } from "./WorldRun.js";

/** A finding with what a person needs: the shrunk run, step by step, and how to repeat it. */
export interface Failure extends Finding {
  /** For `Explore.replay`; `null` when the finding belongs to no single run. */
  readonly replay: string | null;
  /** What the shrunk schedule costs. */
  readonly cost: number;
  readonly table: string;
}

/** The schedules of one cost. */
export interface BudgetReport {
  readonly cost: number;
  readonly schedules: number;
  readonly exhausted: boolean;
}

/** What an exploration did. */
export interface Report {
  readonly world: string;
  readonly schedules: number;
  readonly budgets: ReadonlyArray<BudgetReport>;
  readonly uniformWalks: number;
  readonly priorityWalks: number;
  /** Whether the world has no schedule that was not run, at any cost. */
  readonly complete: boolean;
  /** How many different digests the ends of the runs had; `null` when the world gives none. */
  readonly states: number | null;
  readonly reached: ReadonlyArray<string>;
  readonly steps: number;
  readonly seconds: number;
  /** The bound that ended the exploration early. */
  readonly stoppedBy: string | null;
  readonly failure: Failure | null;
}

/** A traced run as a failure. */
export const failureOf = (finding: Finding, { choices, trace }: RunOutcome): Failure => ({
  ...finding,
  replay: printReplay(choices),
  cost: totalCost(choices),
  table: printSteps(trace?.steps ?? []),
});

/** A failure as a text: what, the steps, how to run it again. */
export const printFailure = (world: string, failure: Failure): string => {
  const head = `${world}\n${failure.kind}: ${failure.message}`;
  if (failure.replay === null) return head;
  return `${head}\n\n${failure.table}\n\nreplay: ${failure.replay} (cost ${failure.cost})`;
};

const countOf = (count: number, of: string): string => `${count} ${of}${count === 1 ? "" : "s"}`;

/** One line about what was done, and the failure if there is one. */
export const printReport = (report: Report): string => {
  const budgets = report.budgets
    .map((b) => `cost ${b.cost}: ${b.schedules}${b.exhausted ? "" : " (not exhausted)"}`)
    .join(", ");
  const walks = report.uniformWalks + report.priorityWalks;
  const parts = [
    `${countOf(report.schedules, "schedule")} in ${report.seconds.toFixed(2)} s`,
    report.complete ? `${budgets}, which is all there are` : budgets,
    ...(walks > 0 ? [countOf(walks, "walk")] : []),
    ...(report.states === null ? [] : [countOf(report.states, "state")]),
    ...(report.reached.length > 0 ? [`reached: ${report.reached.join(", ")}`] : []),
    ...(report.stoppedBy === null ? [] : [`stopped by ${report.stoppedBy}`]),
  ];
  const line = `${report.world}: ${parts.join("; ")}`;
  return report.failure === null ? line : `${line}\n${printFailure("", report.failure).trim()}`;
};
