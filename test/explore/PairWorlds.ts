/**
 * PairWorlds: the pairs that contest a session or its terminals, with callers that may be
 * interrupted anywhere, in one program and in two: the largest worlds that are exhausted.
 */
import { contestedPairs } from "./ContestedPairs.js";
import type { ListedWorld } from "./NamedWorld.js";
import { interrupted } from "./SessionCalls.js";
import { terminalPairs } from "./TerminalPairs.js";

/** The worlds of every pair. */
export const pairWorlds: ReadonlyArray<ListedWorld> = [...contestedPairs, ...terminalPairs].flatMap(
  ([pair, before, a, b]) =>
    [[[a, b]], [[a], [b]]].map((calls) => ({
      name: `${pair}, interrupted, in ${calls.length === 1 ? "one program" : "two programs"}`,
      cost: 2,
      before,
      programs: calls.map((program) => program.map(interrupted)),
    })),
);
