/**
 * Rule: one sentence of the house style that a machine can check.
 *
 * A rule is a pure function of all texts at once, because some of them compare one text with
 * another. It brings a bad sample of its own, and the test shows that the sample is found: a rule
 * that finds nothing anywhere would otherwise look like a tidy house.
 */
import type { Node } from "typescript/unstable/ast";
import { lineAt, nodesOf, type Source } from "./Source.js";

/** Where a text breaks a rule, and how. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** A sentence, its check, and texts by path that break it, each of them. */
export interface Rule {
  readonly sentence: string;
  readonly check: (sources: ReadonlyArray<Source>) => ReadonlyArray<Finding>;
  readonly sample: Readonly<Record<string, string>>;
  /** Texts that break nothing, for a rule that compares one text with another. */
  readonly beside?: Readonly<Record<string, string>>;
}

/** A rule that looks at each text alone. */
export const eachSource =
  (check: (source: Source) => ReadonlyArray<Finding>): Rule["check"] =>
  (sources) =>
    sources.flatMap(check);

/** A rule that looks at each node of each parsed text alone; a message is a finding. */
export const eachNode = (check: (node: Node, source: Source) => string | null): Rule["check"] =>
  eachSource((source) => {
    const { path, tree } = source;
    if (tree === null) return [];
    return [...nodesOf(tree)].flatMap((node) => {
      const message = check(node, source);
      return message === null ? [] : [{ path, line: lineAt(tree, node.getStart(tree)), message }];
    });
  });

/** How a finding is printed. */
export const printFinding = (finding: Finding): string =>
  `${finding.path}:${finding.line}: ${finding.message}`;
