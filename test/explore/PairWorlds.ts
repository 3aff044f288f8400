/**
 * PairWorlds: the pairs that contest a session or its terminals, with callers that may be
 * interrupted anywhere, in one program and in two.
 *
 * Those of a session in one program are the largest worlds that are exhausted; the others, which
 * without interruptions are exhausted as far, are walked beyond a cost of 1.
 */
import { contestedPairs } from "./ContestedPairs.js";
import type { ListedWorld } from "./NamedWorld.js";
import { interrupted } from "./SessionCalls.js";
import { terminalPairs } from "./TerminalPairs.js";

/** How many schedules are drawn beyond what is exhausted. */
const WALKS = 400;

type Pair = (typeof contestedPairs)[number];

/** The calls in one program, and in two. */
const splits = ([, , a, b]: Pair): ReadonlyArray<ListedWorld["programs"]> => [[[a, b]], [[a], [b]]];

const where = (programs: ListedWorld["programs"]): string =>
  programs.length === 1 ? "in one program" : "in two programs";

const leaving = (pair: Pair): ReadonlyArray<ListedWorld> =>
  splits(pair).map((programs) => ({
    name: `${pair[0]}, interrupted, ${where(programs)}`,
    ...(programs.length === 1 && contestedPairs.includes(pair)
      ? { cost: 2 }
      : { cost: 1, walks: WALKS }),
    before: pair[1],
    programs: programs.map((calls) => calls.map(interrupted)),
  }));

/** Pairs that the product of all operations has no world of, with callers that stay. */
const staying = (pair: Pair): ReadonlyArray<ListedWorld> =>
  splits(pair).map((programs) => ({
    name: `${pair[0]}, ${where(programs)}, to its end`,
    cost: 2,
    before: pair[1],
    programs,
  }));

/** The worlds of every pair. */
export const pairWorlds: ReadonlyArray<ListedWorld> = [
  ...[...contestedPairs, ...terminalPairs].flatMap(leaving),
  ...terminalPairs.flatMap(staying),
];
