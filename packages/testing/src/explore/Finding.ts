/**
 * Finding: what is wrong with a run, or with an exploration as a whole, in one sentence.
 *
 * A value alone: it says what kind of wrong and where it was seen. How it is shown is `Report`'s.
 */
import { Cause } from "effect";
import { printValue } from "./PrintedValue.js";

/** What went wrong. The last two are about an exploration and belong to no single run. */
export type FindingKind =
  | "violated"
  | "program failed"
  | "deadlock"
  | "step limit"
  | "leak"
  | "escape"
  | "not deterministic"
  | "unreached";

/** One finding. */
export interface Finding {
  readonly kind: FindingKind;
  readonly message: string;
}

/** Effect prints what a cause holds as JSON, which cannot print everything. */
const prettyOf = (cause: Cause.Cause<unknown>): string => {
  try {
    return Cause.pretty(cause);
  } catch {
    return [...Cause.failures(cause), ...Cause.defects(cause)].map(printValue).join("\n");
  }
};

/** A cause without the frames of Effect itself and without the numbers of fibers. */
export const printCause = (cause: Cause.Cause<unknown>): string =>
  prettyOf(cause)
    .split("\n")
    .filter((line) => !/node_modules|\(node:/.test(line))
    .join("\n")
    .replace(/#\d+/g, "#");

/** What a thrown value says. */
export const printThrown = (thrown: unknown): string =>
  thrown instanceof Error && thrown.message === "" ? thrown.name : printValue(thrown);
