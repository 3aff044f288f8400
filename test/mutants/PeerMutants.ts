/**
 * PeerMutants: what tells one terminal of a session from another, taken away where one is ended,
 * recorded or undone.
 *
 * Their worlds have as much living in the other.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

const second = (next: string) =>
  world(`delete a terminal, beside what lives in main, cut off ∥ ${next}`);
const first = (next: string) =>
  world(`delete a terminal: the first, beside what lives in t2, cut off ∥ ${next}`);
const finished = (next: string) =>
  world(`reconcile of delete a terminal, in vain, beside what lives in main, cut off ∥ ${next}`);
const undone = (next: string) =>
  world(`add of what fails, beside what lives in main and t2, cut off ∥ ${next}`);
const closed = world("delete a terminal that is gone, beside what lives in main");

/** All of them. */
export const peerMutants: ReadonlyArray<Mutant> = [
  {
    name: "recorded-of-any-terminal",
    removes: "Of what is recorded only that of the terminal ends with it.",
    file: `${core}/Victims.ts`,
    from: "    .filter((id) => terminal === null || id.terminal === terminal)\n",
    to: "",
    killedBy: [second("reconcile"), first("add"), finished("reconcile"), undone("reconcile")],
  },
  {
    name: "marked-as-of-any-terminal",
    removes: "Of what forked twice only what bears the mark of the terminal ends with it.",
    file: `${core}/Victims.ts`,
    from: "yield* processes.marked(record.incarnation, terminal, among);",
    to: "yield* processes.marked(record.incarnation, null, among);",
    killedBy: [second("reconcile"), first("take the lease"), undone("add"), closed],
  },
  {
    name: "every-pane-ends-with-the-terminal",
    removes: "Of the panes only those in the window of the terminal end with it.",
    file: `${core}/EndTerminal.ts`,
    from: "panes: alone && own ? inWindow : [pane] };",
    to: "panes: alone && own ? seen.session.terminals : [pane] };",
    killedBy: [second("reconcile"), first("reconcile"), finished("add")],
  },
  {
    name: "recorded-with-the-terminal-that-is-added",
    removes: "Of a terminal that is added is what lives in its own window.",
    file: `${core}/AddTerminal.ts`,
    from: "victims(terminalLives({ record, seen, terminal: added }));",
    to: "victims({ record, terminal, panes: session.terminals, attachedTo: null });",
    killedBy: [second("reconcile"), closed],
  },
  {
    name: "recorded-as-of-no-terminal",
    removes: "What lives in a terminal is recorded as of that, for whoever finishes its delete.",
    file: `${core}/EndTerminal.ts`,
    from: "[recorded(lives.terminal, found), ...changes]",
    to: "[recorded(null, found), ...changes]",
    killedBy: [second("reconcile"), first("reconcile")],
  },
  {
    name: "who-is-ended-is-a-peer",
    removes: "Who deletes the last terminal that is not ended yet deletes the session.",
    file: `${core}/DeleteTerminal.ts`,
    from: 't.state !== "gone" && !isUnfinished(t))',
    to: 't.state !== "gone" && (isUnfinished(t) || true))',
    killedBy: [
      world("delete of the last terminal beside one in vain ∥ reconcile"),
      world("delete of the last terminal beside one in vain ∥ add"),
    ],
  },
];
