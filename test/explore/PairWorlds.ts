/**
 * PairWorlds: every pair of calls on one name, as worlds that are too large for `npm test`: in two
 * programs with time among the choices, and with callers that may be interrupted anywhere, in one
 * program and in two.
 */
import { contestedPairs } from "./ContestedPairs.js";
import type { ListedWorld } from "./NamedWorld.js";
import { interrupted } from "./SessionCalls.js";
import { terminalPairs } from "./TerminalPairs.js";

/** The worlds of every pair. */
export const pairWorlds: ReadonlyArray<ListedWorld> = [...contestedPairs, ...terminalPairs].flatMap(
  ([pair, before, a, b]) => [
    { name: `${pair}, in two programs`, cost: 2, before, programs: [[a], [b]], time: true },
    ...[[[a, b]], [[a], [b]]].map((calls) => ({
      name: `${pair}, interrupted, in ${calls.length === 1 ? "one program" : "two programs"}`,
      cost: 2,
      before,
      programs: calls.map((program) => program.map(interrupted)),
    })),
  ],
);
