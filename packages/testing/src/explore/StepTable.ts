/**
 * StepTable: a trace as a table for people: who, where, what, and what was chosen against.
 *
 * Steps that only go on from a wait are left out unless they were chosen; a long run shows its
 * beginning and its end. The arrow marks where the schedule leaves production order.
 */
import { oneLine } from "./PrintedValue.js";
import type { Step } from "./Trace.js";

const shownAtStart = 30;
const shownAtEnd = 50;

type Row = readonly [step: string, runtime: string, fiber: string, does: string, choice: string];

const rowOf = ({ does, event, insteadOf, lane }: Step, index: number): Row => [
  String(index + 1),
  oneLine(lane?.program?.name ?? (lane === null ? "" : "world")),
  oneLine(lane?.name ?? ""),
  oneLine(does),
  event ? "◀ chosen" : insteadOf.length === 0 ? "" : `◀ before ${oneLine(insteadOf.join(", "))}`,
];

const shortened = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const left = rows.length - shownAtStart - shownAtEnd;
  if (left <= 0) return rows;
  const gap: Row = ["…", "", "", `${left} steps`, ""];
  return [...rows.slice(0, shownAtStart), gap, ...rows.slice(-shownAtEnd)];
};

/** The table, with a head; columns as wide as they must be. */
export const printSteps = (steps: ReadonlyArray<Step>): string => {
  const told = steps.map(rowOf).filter((_, index) => steps[index]?.telling === true);
  const head: Row = ["step", "runtime", "fiber", "does", "choice"];
  const rows = [head, ...shortened(told)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: Row): string =>
    row
      .map((text, column) =>
        column === 0 ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  return rows.map(line).join("\n");
};
