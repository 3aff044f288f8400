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

const saving = "of two terminals whose programs save when they are asked to end";

/** What ends a whole session. */
const whole: ReadonlyArray<Mutant> = [
  {
    name: "term-to-the-first-alone",
    removes: "Every program that handles TERM is asked to end, in whichever terminal it runs.",
    file: `${core}/EndProcesses.ts`,
    from: "const polite = found.filter((entry) => entry.catchesTerm);",
    to: "const polite = found.filter((entry) => entry.catchesTerm).slice(0, 1);",
    killedBy: [
      world(`delete, ${saving}`),
      world(`delete, sparing, ${saving}`),
      world(`create, replacing, ${saving}`),
      world(`reconcile of what is over, ${saving}`),
    ],
  },
  {
    name: "grace-of-the-first-alone",
    removes: "The grace lasts until all that were asked have ended, not the first of them.",
    file: `${core}/EndProcesses.ts`,
    from: "(now) => now.every((entry, i) => !isSame(entry, polite[i])),",
    to: "(now) => now.slice(0, 1).every((entry, i) => !isSame(entry, polite[i])),",
    killedBy: [world(`delete, ${saving}`)],
  },
  {
    name: "marked-as-of-the-first-alone",
    removes: "What forked twice is looked for by the mark of every terminal of a session.",
    file: `${core}/Victims.ts`,
    from: "yield* processes.marked(record.incarnation, terminal, among);",
    to: `yield* processes.marked(
        record.incarnation,
        terminal ?? record.terminals[0]?.terminal ?? null,
        among,
      );`,
    killedBy: [
      world("delete, of two terminals, behind a user removes the session"),
      world("restore, of two terminals, behind the server dies and reconcile"),
      world("create, replacing, of two terminals, cut off ∥ reconcile"),
      world("gc of what exited, of two terminals, cut off ∥ add"),
    ],
  },
];

const inVain = (what: string) => world(`deletes of two terminals, in vain, and ${what}`);

/** What was begun with several terminals. */
const begun: ReadonlyArray<Mutant> = [
  {
    name: "first-that-was-begun-is-finished-alone",
    removes: "What was cut off is finished with every terminal with which it was begun.",
    file: `${core}/CutOff.ts`,
    from: 'if (decision._tag !== "FinishTerminal") return { doomed, decision, finished };',
    to: `if (decision._tag !== "FinishTerminal" || finished !== null) {
      return { doomed, decision, finished };
    }`,
    killedBy: [inVain("reconcile"), inVain("take the lease")],
  },
  {
    name: "first-that-was-begun-is-finished-before-an-add",
    removes: "A terminal is added when nothing is left of what was begun with any other.",
    file: `${core}/AddTerminal.ts`,
    from: "const terminal = record.terminals.find(isUnfinished);",
    to: "const terminal = record === known ? record.terminals.find(isUnfinished) : undefined;",
    killedBy: [inVain("add")],
  },
  {
    name: "unfinished-is-what-was-begun-with-the-first",
    removes: "What was begun with any terminal is unfinished, for whoever takes the lease.",
    file: `${core}/Unfinished.ts`,
    from: "[state, ...terminals.map((t) => t.state)].some(",
    to: "[state, ...terminals.slice(0, 1).map((t) => t.state)].some(",
    killedBy: [world("delete of the second terminal, in vain, and take the lease")],
  },
];

const adoption = (rest: string) => world(`adopt of two windows, ${rest}`);

/** What users have done with windows. */
const windows: ReadonlyArray<Mutant> = [
  {
    name: "first-window-alone-is-marked",
    removes: "Every window of what is adopted is marked as ours.",
    file: `${core}/AdoptStranger.ts`,
    from: "panes: own.map(({ paneId }, at) => ({",
    to: "panes: own.slice(0, 1).map(({ paneId }, at) => ({",
    killedBy: [adoption("with trouble")],
  },
  {
    name: "first-window-alone-is-taken-up",
    removes: "Every window of what is adopted gets a row.",
    file: `${core}/Adopt.ts`,
    from: "const terminals = seen.terminals.flatMap((t) =>",
    to: "const terminals = seen.terminals.slice(0, 1).flatMap((t) =>",
    killedBy: [adoption("with trouble"), adoption("cut off ∥ delete a terminal")],
  },
  {
    name: "first-window-alone-is-disowned",
    removes: "An adopt that fails takes the mark off every window.",
    file: `${core}/AdoptStranger.ts`,
    from: "    .map((t) => t.paneId);",
    to: "    .map((t) => t.paneId)\n    .slice(0, 1);",
    killedBy: [adoption("with trouble")],
  },
  {
    name: "first-window-elsewhere-alone-is-ended",
    removes: "Every window of ours that a user has elsewhere ends with its session.",
    file: `${core}/Kill.ts`,
    from: "of [...seen.terminals].reverse()) {",
    to: "of [...seen.terminals].filter((t) => t.away).slice(0, 1)) {",
    killedBy: [
      world("delete, where a user has two windows elsewhere"),
      world("create, replacing, where a user has two windows elsewhere"),
    ],
  },
];

const printed = (call: string) => world(`${call}, of two terminals that printed`);
const oneByOne = world("two terminals, whose programs end one after the other");
const atOnce = world("two terminals, whose programs end at once");
const earlyList = (terminal: string) =>
  world(`an early list, and at any call of it the program of ${terminal} ends, and a reconcile`);
const fromSecond = world("a session that is attached to from its second terminal");

/** What is written, kept and told. */
const told: ReadonlyArray<Mutant> = [
  {
    name: "first-terminal-alone-is-kept",
    removes: "A delete keeps what every terminal shows.",
    file: `${core}/Delete.ts`,
    from: "const terminals = how.snapshot ? doomed.record.terminals : [];",
    to: "const terminals = how.snapshot ? doomed.record.terminals.slice(0, 1) : [];",
    killedBy: [
      printed("delete"),
      printed("create, replacing"),
      printed("reconcile of what is over"),
    ],
  },
  {
    name: "first-terminal-alone-is-kept-of-what-is-restored",
    removes: "A restore keeps what every terminal of the old generation shows.",
    file: `${core}/Restore.ts`,
    from: "yield* beforeKill(doomed, doomed.record.terminals);",
    to: "yield* beforeKill(doomed, doomed.record.terminals.slice(0, 1));",
    killedBy: [printed("restore")],
  },
  {
    name: "first-terminal-alone-is-gone",
    removes: "With a session every terminal of it is gone.",
    file: `${core}/Lifecycle.ts`,
    from: '    .filter((t) => t.state !== "gone")\n    .map((t): Change',
    to: '    .filter((t) => t.state !== "gone")\n    .slice(0, 1)\n    .map((t): Change',
    killedBy: [
      world("delete, of two terminals, cut off ∥ reconcile"),
      world("restore, of two terminals, behind a user removes the session"),
    ],
  },
  {
    name: "session-is-as-its-first-terminal",
    removes: "A session runs while the program of any terminal does.",
    file: `${core}/Lifecycle.ts`,
    from: "session.terminals.some((t) => t.terminal !== null && t.exit === null);",
    to: "session.terminals.slice(0, 1).some((t) => t.terminal !== null && t.exit === null);",
    killedBy: [oneByOne],
  },
  {
    name: "first-row-alone-is-brought-up-to-date",
    removes: "The row of every terminal is brought up to what is seen of it.",
    file: `${core}/Lifecycle.ts`,
    from: "    .map(({ after }) => after);",
    to: "    .map(({ after }) => after)\n    .slice(0, 1);",
    killedBy: [atOnce],
  },
  {
    name: "first-exit-alone-is-waited-for",
    removes: "How a program ended is asked for again until it is known of every terminal.",
    file: `${core}/ExitStatus.ts`,
    from: "session.terminals.every((t) => t.terminal === null || isKnown(t.exit));",
    to: "session.terminals.slice(0, 1).every((t) => t.terminal === null || isKnown(t.exit));",
    killedBy: [oneByOne],
  },
  {
    name: "first-terminal-alone-is-told-of",
    removes: "A reader is told of every terminal that tmux showed.",
    file: `${core}/Readers.ts`,
    from: "terminals: shown.flatMap(({ exit",
    to: "terminals: shown.slice(0, 1).flatMap(({ exit",
    killedBy: [oneByOne],
  },
  {
    name: "early-list-counts-by-the-first-terminal",
    removes: "An early list counts where it is as new as the row of every terminal.",
    file: `${core}/Readers.ts`,
    from: "shown.length === known.length && known.every(isShown);",
    to: "shown.length === known.length && known.slice(0, 1).every(isShown);",
    killedBy: [earlyList("t2")],
  },
  {
    name: "early-list-counts-whatever-ended",
    removes: "An early list counts where no program runs in it that has ended by its row.",
    file: `${core}/Readers.ts`,
    from: '(one.state === "running" || t.exit !== null),',
    to: '(one.state === "running" || t.exit !== undefined),',
    killedBy: [earlyList("main"), earlyList("t2")],
  },
  {
    name: "first-window-alone-keeps-it-from-gc",
    removes: "A program in any window keeps a session from a gc of what exited.",
    file: `${core}/GcStep.ts`,
    from: "seen.session.terminals.some(({ exit }) => exit === null)",
    to: "seen.session.terminals.slice(0, 1).some(({ exit }) => exit === null)",
    killedBy: [world("gc of what exited, with a window of a user's in it")],
  },
  {
    name: "first-recorder-alone-is-asked",
    removes: "A session is idle when every terminal of it is known to have printed nothing.",
    file: `${core}/TimeLimits.ts`,
    from: "for (const { state, terminal } of terminals) {",
    to: "for (const { state, terminal } of terminals.slice(0, 1)) {",
    killedBy: [world("reconcile of what is idle, and a terminal of which nothing is recorded")],
  },
  {
    name: "inside-by-the-first-pane-alone",
    removes: "Who is in any pane of a session does not attach to it.",
    file: `${core}/Attach.ts`,
    from: "s.terminals.some(({ paneId }) => paneId === from.pane);",
    to: "s.terminals.slice(0, 1).some(({ paneId }) => paneId === from.pane);",
    killedBy: [fromSecond],
  },
  {
    name: "inside-by-the-first-process-alone",
    removes: "Nor does who is in the kernel's session of any of its panes.",
    file: `${core}/Attach.ts`,
    from: "seen.terminals.some(({ panePid }) => panePid === from.processSession);",
    to: "seen.terminals.slice(0, 1).some(({ panePid }) => panePid === from.processSession);",
    killedBy: [fromSecond],
  },
];

/** All of them. */
export const terminalsMutants: ReadonlyArray<Mutant> = [
  ...attached,
  ...whole,
  ...begun,
  ...windows,
  ...told,
];
