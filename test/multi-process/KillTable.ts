/**
 * KillTable: the boundaries of the operations, which of them are drawn, and how they came out.
 *
 * A line for each operation and each way to die, a sign for each boundary in its order. Pure.
 */
import type { Boundary, Outcome } from "./KillMatrix.js";

/** A boundary of an operation. */
export interface Cell {
  readonly operation: string;
  readonly boundary: Boundary;
}

const numbers = (to: number): ReadonlyArray<number> =>
  Array.from({ length: to }, (_, index) => index + 1);

/** Every boundary of an operation that calls tmux and commits so often. */
export const cellsOf = (
  operation: string,
  { calls, commits }: { readonly calls: number; readonly commits: number },
): ReadonlyArray<Cell> => {
  const cells = (of: Boundary["of"], when: Boundary["when"], to: number) =>
    numbers(to).map((at): Cell => ({ operation, boundary: { of, when, at } }));
  return [
    ...cells("call", "before", calls),
    ...cells("call", "after", calls),
    ...cells("call", "late", calls),
    ...cells("commit", "before", commits),
    ...cells("commit", "after", commits),
  ];
};

const signOf = (outcome: Outcome | undefined): string => {
  if (outcome === undefined) return ".";
  if (outcome === "held") return "+";
  return outcome === "ended" ? "-" : "X";
};

const nameOf = ({ boundary, operation }: Cell): string =>
  `${operation.padEnd(16)}${boundary.when.padStart(6)} ${boundary.of.padEnd(7)}`;

/** The table: `+` held, `-` the program ended before, `X` wrong, `.` not drawn. */
export const printed = (all: ReadonlyArray<Cell>, outcomes: ReadonlyMap<Cell, Outcome>): string => {
  const lines = new Map<string, string>();
  for (const cell of all) {
    const name = nameOf(cell);
    lines.set(name, (lines.get(name) ?? "") + signOf(outcomes.get(cell)));
  }
  const wrong = [...outcomes].flatMap(([cell, outcome]) =>
    typeof outcome === "string" ? [] : [`${nameOf(cell)} ${cell.boundary.at}: ${outcome.wrong}`],
  );
  return [...[...lines].map(([name, signs]) => `${name} ${signs}`), ...wrong].join("\n");
};
