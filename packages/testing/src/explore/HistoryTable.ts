/**
 * HistoryTable: calls as a picture of time: one line each, with where it began and ended.
 */
import type { Call } from "./History.js";
import { oneLine, printValue } from "./PrintedValue.js";

const columns = 3;

const textOf = (value: unknown): string => oneLine(printValue(value));

/** The calls over a common axis of time; one without an answer runs to the end. */
export const printCalls = <I, O>(calls: ReadonlyArray<Call<I, O>>): string => {
  const moments = calls
    .flatMap(({ beganAt, endedAt }) => [beganAt, endedAt])
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const place = (moment: number): number =>
    Number.isFinite(moment) ? moments.indexOf(moment) * columns : moments.length * columns;
  const end = moments.length * columns + 1;
  const names = calls.map(({ input, who }) => `${who}: ${textOf(input)}`);
  const width = Math.max(0, ...names.map((name) => name.length));
  return calls
    .map(({ answer, beganAt, endedAt }, i) => {
      const bar = "─".repeat(Math.max(1, place(endedAt) - place(beganAt) - 1));
      const time = `${" ".repeat(place(beganAt))}├${bar}${answer === null ? "" : "┤"}`;
      const said = answer === null ? "no answer" : textOf(answer.output);
      return `  ${(names[i] ?? "").padEnd(width)}  ${time.padEnd(end)}  ${said}`;
    })
    .join("\n");
};
