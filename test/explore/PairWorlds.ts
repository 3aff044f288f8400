/**
 * PairWorlds: the pairs that contest a session or its terminals, with callers that may be
 * interrupted anywhere, in one program and in two.
 *
 * In one they are the largest worlds that are exhausted; in two, which without interruptions are
 * exhausted as far, they are walked beyond a cost of 1.
 */
import { contestedPairs } from "./ContestedPairs.js";
import type { ListedWorld } from "./NamedWorld.js";
import { interrupted } from "./SessionCalls.js";
import { terminalPairs } from "./TerminalPairs.js";

/** How many schedules of two programs are drawn beyond what is exhausted. */
const WALKS = 400;

/** The worlds of every pair. */
export const pairWorlds: ReadonlyArray<ListedWorld> = [...contestedPairs, ...terminalPairs].flatMap(
  ([pair, before, a, b]) =>
    [[[a, b]], [[a], [b]]].map((calls) => ({
      name: `${pair}, interrupted, in ${calls.length === 1 ? "one program" : "two programs"}`,
      ...(calls.length === 1 ? { cost: 2 } : { cost: 1, walks: WALKS }),
      before,
      programs: calls.map((program) => program.map(interrupted)),
    })),
);
