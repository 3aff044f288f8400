/**
 * TerminalsMutants: what is done for every terminal of a session, done for the first of them alone.
 *
 * Their worlds and plays have two terminals, with as much in the one as in the other.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

const sparing = (rest: string) => world(`delete of two terminals, sparing, ${rest}`);

/** What a delete that spares ends all the same. */
const attached: ReadonlyArray<Mutant> = [
  {
    name: "attached-is-known-by-the-first-row",
    removes:
      "Where no pane is seen any more, every row tells what is attached, not the first alone.",
    file: `${core}/Victims.ts`,
    from: "const pids = [...record.terminals, ...panes].flatMap(({ panePid }) => panePid ?? []);",
    to: `const known = panes.length > 0 ? panes : record.terminals.slice(0, 1);
  const pids = known.flatMap(({ panePid }) => panePid ?? []);`,
    killedBy: [
      sparing("cut off ∥ reconcile"),
      sparing("cut off ∥ delete, sparing"),
      sparing("in doubt, a user removes the session, and reconcile"),
      sparing("in doubt, the server dies, and gc"),
    ],
  },
  {
    name: "attached-is-what-the-first-pane-has",
    removes: "What is attached is looked for below every pane that is seen.",
    file: `${core}/Victims.ts`,
    from: "  panes.filter((t) => t.exit === null).map((t) => t.panePid);",
    to: "  panes.filter((t) => t.exit === null).slice(0, 1).map((t) => t.panePid);",
    killedBy: [sparing("cut off ∥ reconcile")],
  },
];

/** All of them. */
export const terminalsMutants: ReadonlyArray<Mutant> = [...attached];
