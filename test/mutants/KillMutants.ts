/**
 * KillMutants: how a session and a terminal end: the look behind a kill, the intent before it, the
 * processes, and whose they are.
 *
 * Their worlds look at tmux and at the processes at the moment of the acknowledgement.
 */
import { type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";

/** The condition in the list that kills. */
const listTakesGuests = {
  file: "packages/tmux/src/KillList.ts",
  from: "both(guarded(target), withoutGuests(target))",
  to: "guarded(target)",
};

/** Edits of what ends things. */
export const killMutants: ReadonlyArray<Mutant> = [
  {
    name: "kill-not-looked-at",
    removes: "A kill behind which tmux still lists the session is not taken for its end.",
    file: `${core}/Kill.ts`,
    from: 'case "StillThere":\n      return { gone: false, doomed };',
    to: 'case "StillThere":\n      return { gone: true, doomed };',
    killedBy: [world("delete of a session that lingers")],
  },
  {
    name: "kill-bound-is-success",
    removes: "A session that is still there at the bound of a kill is KillUnconfirmed.",
    file: `${core}/Kill.ts`,
    from: "  if (gone) return doomed;\n",
    to: "  if (gone || doomed !== null) return doomed;\n",
    killedBy: [world("delete of a session that stays")],
  },
  {
    name: "kill-unknown-is-gone",
    removes: "A kill whose outcome is unknown is looked up before it counts.",
    file: `${core}/Kill.ts`,
    from: "return Effect.as(holding.outcomeUnknown, false);",
    to: "return Effect.as(holding.outcomeUnknown, true);",
    killedBy: [world("delete, with a silent client")],
  },
  {
    name: "kill-before-intent",
    removes: "The intent, with the processes, is written before anything is killed.",
    file: `${core}/Delete.ts`,
    from: "  const { found, lives, record } = yield* intended;",
    to: "  if (doomed.seen._tag === 'Present') yield* endSession(holding, doomed);\n  const { found, lives, record } = yield* intended;",
    killedBy: [world("delete, with a child and a crash")],
  },
  {
    name: "row-before-kill",
    removes: "The last row is written behind the proof of the end, not before it.",
    file: `${core}/Delete.ts`,
    from: "  const { done, record } = yield* endSeen(holding, doomed, how);\n",
    to: `  const { record } = yield* intend(holding, doomed, how);
  yield* holding.commit(record.incarnation, endChanges(record, "deleted", null));
  const killed = yield* endSession(holding, { ...doomed, record });
  const done = { alreadyGone: false, killed, snapshot: "none" as const };
  if (how !== null) return resultOf(record, done);
`,
    killedBy: [world("delete of a session that stays")],
  },
  {
    name: "terminal-intent-not-written",
    removes: "The delete of a terminal is written down before its window is killed.",
    file: `${core}/DeleteTerminal.ts`,
    from: "recordTerminal(holding, first, [intent])",
    to: "recordTerminal(holding, first, [])",
    killedBy: [world("delete a terminal, with a child and a crash")],
  },
  {
    name: "processes-not-recorded",
    removes: "What lived in a session is recorded with the intent, so that it is known afterwards.",
    file: `${core}/Victims.ts`,
    from: "processes: found.map((entry) => entry.id) });",
    to: "processes: found.slice(0, 0).map((entry) => entry.id) });",
    killedBy: [world("delete, with a child and a crash")],
  },
  {
    name: "descendants-not-found",
    removes: "The descendants of a pane's process are among what a delete ends.",
    file: `${core}/Victims.ts`,
    from: "if (found.has(entry.parent)) found.add(entry.id.pid);",
    to: "if (found.has(entry.id.pid)) found.add(entry.id.pid);",
    killedBy: [world("delete, with a child and a crash")],
  },
  {
    name: "double-fork-not-found",
    removes: "What forked twice is still known by the mark in its environment.",
    file: `${core}/Victims.ts`,
    from: "const marked = sparing ? [] :",
    to: "const marked = !sparing ? [] :",
    killedBy: [world("delete of what forked twice")],
  },
  {
    name: "nested-server-killed",
    removes: "A user's tmux server inside a session, and what is below it, is spared.",
    file: `${core}/Victims.ts`,
    from: "return belowOther || line.includes(processes.ownPid);",
    to: "return line.includes(processes.ownPid);",
    killedBy: [world("delete, with a user's server inside")],
  },
  {
    name: "own-process-killed",
    removes: "The program that asks, and what it started, is never among what it kills.",
    file: `${core}/Victims.ts`,
    from: "return belowOther || line.includes(processes.ownPid);",
    to: "return belowOther;",
    killedBy: [world("delete, asked for from inside the session")],
  },
  {
    name: "survivor-not-told",
    removes: "A process that outlives its KILL is ProcessesSurvived and not success.",
    file: `${core}/EndProcesses.ts`,
    from: "  if (gone) return [...killed]",
    to: "  if (gone || killed.size > 0) return [...killed]",
    killedBy: [world("delete, with a child that nothing ends")],
  },
  {
    name: "rest-not-killed",
    removes: "KILL goes to what is left of the processes when tmux has let go of them.",
    file: `${core}/EndProcesses.ts`,
    from: 'yield* Effect.either(processes.signal(id, "KILL"));',
    to: "yield* Effect.void;",
    killedBy: [world("delete, with a child and a crash")],
  },
  {
    name: "term-not-sent",
    removes: "Programs that handle TERM are asked to end before they are killed.",
    file: `${core}/EndProcesses.ts`,
    from: "const polite = found.filter((entry) => entry.catchesTerm);",
    to: "const polite = found.filter((entry) => !entry.catchesTerm);",
    killedBy: [world("delete of a program that saves when it is asked to end")],
  },
  {
    name: "grace-not-waited",
    removes: "Who was asked to end has the grace to do so.",
    file: `${core}/EndProcesses.ts`,
    from: "yield* lookUntil({ boundMs: graceMs, spacingMs: lookSpacingMs }, ended);",
    to: "yield* lookUntil({ boundMs: graceMs && 0, spacingMs: lookSpacingMs }, ended);",
    killedBy: [world("delete of a program that saves when it is asked to end")],
  },
  {
    name: "pid-is-enough",
    removes: "A process is known by its start time too, so that a reused pid is another.",
    file: `${core}/Identity.ts`,
    from: "a.pid === b.pid && a.startTime === b.startTime && a.bootId === b.bootId;",
    to: "a.pid === b.pid && a.bootId === b.bootId;",
    killedBy: [world("delete, where the kernel gave a pid again")],
  },
  {
    name: "boot-not-compared",
    removes: "A process of another boot is another, whatever its pid and its ticks.",
    file: `${core}/Identity.ts`,
    from: "a.pid === b.pid && a.startTime === b.startTime && a.bootId === b.bootId;",
    to: "a.pid === b.pid && a.startTime === b.startTime;",
    killedBy: [world("delete, with the same pid in another boot")],
  },
  {
    name: "guest-killed",
    removes: "A pane of another session that a user moved here is not ended with this one.",
    file: `${core}/Kill.ts`,
    from: "  if (guests.length === 0) return;",
    to: "  if (guests.length >= 0) return;",
    and: [listTakesGuests],
    killedBy: [world("delete, with a guest inside")],
  },
  {
    name: "guest-killed-behind-the-look",
    removes: "Nor one that a user moved here behind the look on which the kill was decided.",
    ...listTakesGuests,
    killedBy: [world("delete, and a window that a user moves in at any call of it")],
  },
  {
    name: "last-terminal-alone",
    removes: "The last terminal takes its session with it, as a delete of that.",
    file: `${core}/DeleteTerminal.ts`,
    from: 'if (others.length === 0 || record.state === "deleting") {',
    to: 'if (record.state === "deleting") {',
    killedBy: [world("delete of the last terminal")],
  },
  {
    name: "any-incarnation-was-of-this-name",
    removes: "An incarnation that is of another name is none of this one, and may run.",
    file: `${core}/Delete.ts`,
    from: "if (known?.session !== session) {",
    to: "if (known === null) {",
    killedBy: [world("how a session is ended, and what is kept of it")],
  },
  {
    name: "snapshot-fails-delete",
    removes: "A snapshot that fails is told, and the delete goes on.",
    file: `${core}/BeforeKill.ts`,
    from: "Effect.catchAllCause((cause) =>",
    to: "Effect.tapErrorCause((cause) =>",
    killedBy: [world("delete, whose snapshot fails")],
  },
  {
    name: "born-between-two-attempts",
    removes: "A delete that is run again records what was born since the first attempt.",
    file: `${core}/Delete.ts`,
    from: "[processes, intent]",
    to: "begun ? [intent] : [processes, intent]",
    killedBy: [
      world("delete, in vain, a child is born, and delete again"),
      world("delete, in vain, a child is born, and reconcile"),
    ],
  },
  {
    name: "born-between-two-attempts-at-a-terminal",
    removes: "Whoever finishes the delete of a terminal records what was born in it since.",
    file: `${core}/EndTerminal.ts`,
    from: "const { doomed: known } = yield* recordTerminal(holding, doomed, []);",
    to: "const known = doomed;",
    killedBy: [world("delete a terminal, in vain, a child is born, and reconcile")],
  },
  {
    name: "processes-looked-for-once",
    removes: "What is to be ended is looked for again until nothing is found, not once.",
    file: `${core}/EndProcesses.ts`,
    from: "    living = yield* victims({ ...lives, panes: [] });",
    to: `    living = killed.size === 0
      ? yield* victims({ ...lives, panes: [] })
      : (yield* processes.snapshot).filter(({ id }) => killed.has(id.pid));`,
    killedBy: [
      world("delete, while what forked twice forks again"),
      world("delete a terminal, while what forked twice forks again"),
    ],
  },
  {
    name: "left-behind-without-its-mark",
    removes:
      "A terminal that went by itself is searched for what bears its mark when it is deleted.",
    file: `${core}/DeleteTerminal.ts`,
    from: "const lives = { record, terminal: terminal.terminal, panes: [], attachedTo: null };",
    to: "const lives = { record, terminal: terminal.terminal, panes: [], attachedTo: [] };",
    killedBy: [world("delete a terminal that is gone, and what forked twice there")],
  },
  {
    name: "pane-pid-is-anybody",
    removes: "Who has the pid of a pane is of the session only as a child of its server.",
    file: `${core}/Victims.ts`,
    from: "  entry !== undefined && entry.parent === server?.pid;",
    to: "  entry !== undefined && server !== undefined;",
    killedBy: [
      world("delete, and a pid of main that the kernel gives again"),
      world("delete a terminal, and a pid of t2 that the kernel gives again"),
    ],
  },
];
