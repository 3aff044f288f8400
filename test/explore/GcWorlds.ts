/**
 * GcWorlds: gc beside whatever else happens to its name, in two programs that may crash: what was
 * made stays, and what ended is ended and forgotten once.
 *
 * Of what was forgotten the log tells nothing any more, and nobody else needs to.
 */
import type { GcReport } from "@troupe/core";
import { Effect } from "effect";
import { disagreement, type Ending, newest } from "./Agreement.js";
import { unheard } from "./ClaimWorlds.js";
import type { WorldEnding } from "./EndingOf.js";
import { unkeptOfLiving } from "./Keeping.js";
import { forkedTwice } from "./KillWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import { add, create, programEnds, reconcile, remove, restore } from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

/** What of a report is told: how many things came to what, whatever they are called. */
const counted = (value: unknown): unknown => {
  const { deleted, failed, forgotten, server } = value as GcReport;
  return { server, deleted: deleted.length, failed: failed.length, forgotten: forgotten.length };
};

/** Forgets all that has ended. */
export const gc: Call = {
  name: "gc",
  run: (s) => s.gc({ olderThanMs: 0 }),
  tells: counted,
};

/** The same, and deletes first what has exited. */
export const gcExited: Call = {
  name: "gc of what exited",
  run: (s) => s.gc({ olderThanMs: 0, exitedMs: 0 }),
  tells: counted,
};

const gcThenCreate: Call = {
  name: "gc, and create",
  run: (s, tmux) => Effect.zipRight(gc.run(s, tmux), create.run(s, tmux)),
};

/** With another session its server stays, whatever is forgotten. */
export const createOther: Call = {
  name: "create",
  run: (s) => s.create({ session: "b", command: ["sleep", "100000"], cwd: "/" }),
};

/** The agreement of what is left: what was forgotten is not asked for. */
export const agreement = (ending: WorldEnding): string | null => {
  const known = new Set(ending.records.map(({ incarnation }) => incarnation));
  const events = ending.events
    .filter(({ incarnation }) => known.has(incarnation))
    .map((event, index) => ({ ...event, sequence: index + 1 }));
  const told = ending.told.filter((line) => !line.startsWith("delete"));
  const [unclaimed] = ending.unclaimed;
  if (unclaimed !== undefined) return `the claim of ${unclaimed} is forgotten, which has a row`;
  return disagreement({ ...ending, events, told }) ?? unkeptOfLiving(ending);
};

const world = { instead: agreement, crash: true, cost: 1 };

/** A session that is over after a second. */
const createLimited: Call = {
  name: "create",
  run: (s) => s.create({ session: "a", command: ["sleep", "100000"], cwd: "/", ttlMs: 1_000 }),
};

const laterOn: Call = { name: "its time is over", run: () => Effect.sleep("2 seconds") };

/** What ends because of what it is, and not because somebody named it, with all that it has. */
export const endsByItself: ReadonlyArray<ListedWorld> = [
  {
    name: "reconcile of what is over, of what forked twice",
    cost: 1,
    before: [createLimited, forkedTwice("main"), laterOn],
    programs: [[reconcile]],
    crash: true,
    also: ({ alive }) => (alive.length === 0 ? null : `${alive[0]} lives behind its time`),
  },
];

/** A gc of what exited, and who brings it back. */
export const gcAndRestore: ListedWorld = {
  ...world,
  name: "gc of what exited ∥ restore",
  before: [create, programEnds, reconcile],
  programs: [[gcExited], [restore]],
};

/** Somebody opens a window of his own in the session. */
const userWindow: Call = {
  name: "a user opens a window",
  isAccident: true,
  run: (_, tmux) => tmux.client(["new-window", "-d", "-t", "=a:", "--", "cat"]),
};

/** gc ends none in which a program runs: what was added before it acts keeps the session. */
const addedLives = ({ records, told }: Ending): string | null => {
  const state = newest(records)[0]?.state ?? "forgotten";
  const isAdded = told.some((line) => line.startsWith("add: ok"));
  return isAdded && state !== "running"
    ? `a terminal was added, and the session is ${state}`
    : null;
};

const exited = [create, programEnds, reconcile];

/** A gc of what exited, and who begins something in it. */
const besideBegun: ReadonlyArray<ListedWorld> = [
  {
    name: "gc of what exited, and an add at any call of it",
    cost: 1,
    before: exited,
    programs: [[gcExited]],
    happens: add,
    instead: (ending) => agreement(ending) ?? addedLives(ending),
  },
  {
    ...world,
    name: "gc of what exited ∥ add",
    before: exited,
    programs: [[gcExited], [add]],
    instead: (ending) => agreement(ending) ?? addedLives(ending),
  },
  {
    name: "gc of what exited, with a window of a user's in it",
    cost: 0,
    before: [...exited, userWindow],
    programs: [[gcExited]],
    instead: ({ programs }) =>
      programs.includes("cat") ? null : "a program of a user's was ended",
  },
];

/** A gc, and others. */
export const gcWorlds: ReadonlyArray<ListedWorld> = [
  ...endsByItself,
  { ...world, name: "gc ∥ create", before: [create, remove], programs: [[gc], [create]] },
  { ...world, name: "gc ∥ gc", crash: false, before: [create, remove], programs: [[gc], [gc]] },
  gcAndRestore,
  ...besideBegun,
  {
    ...world,
    name: "gc ∥ create, with nobody dying",
    before: [create, remove],
    programs: [[gc], [create]],
    crash: false,
    succeeds: ["gc", "create"],
  },
  {
    ...world,
    name: "create, and a gc at any call of it",
    before: [create, remove],
    programs: [[create]],
    happens: gc,
    crash: false,
    succeeds: ["gc", "create"],
  },
  {
    name: "gc of a name whose fence stands, and create",
    cost: 0,
    before: [createOther, create, remove, unheard],
    programs: [[gcThenCreate]],
    instead: agreement,
    succeeds: ["gc, and create"],
  },
];
