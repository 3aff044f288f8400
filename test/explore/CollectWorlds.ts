/**
 * CollectWorlds: what ends because of what it is, and what is forgotten: a gc, and a reconcile of
 * what is over, with trouble at every port call, beside every operation, and cut off.
 *
 * The files are explored, too: each call about what is kept of terminals may fail. Behind it all a
 * whole gc comes, which leaves nothing of what has ended, and all of what has not. It is a product
 * of lists, as the meetings are; a gc is long, so it is exhausted less far.
 */
import { Effect } from "effect";
import { endedTooEarly } from "./Agreement.js";
import { losses } from "./DaemonWorlds.js";
import type { WorldEnding } from "./EndingOf.js";
import { agreement, createOther, gc, gcExited } from "./GcWorlds.js";
import { forkedTwice } from "./KillWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import { before, called, incidents, serverDies, socketGoes } from "./Operations.js";
import {
  add,
  adopt,
  create,
  interrupted,
  programEnds,
  reconcile,
  remove,
  removeByForce,
  removedByUser,
  restore,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";

const spec = { session: "a", command: ["cat"], cwd: "/" };

/** Past the limit of these worlds. */
const laterOn: Call = { name: "its time is over", run: () => Effect.sleep("3 seconds") };

/** A session that prints nothing for longer than it may is over. */
const createIdle: Call = { name: "create", run: (s) => s.create({ ...spec, idleTtlMs: 1_000 }) };

/** Its program prints what is typed. */
const prints: Call = { name: "it prints", run: (_, tmux) => tmux.type("a", "printed") };

const over: Call = { ...reconcile, name: "reconcile of what is over" };

/** What collects, and what there is before it. */
interface Collector {
  readonly call: Call;
  /** With something that lives in what is collected. */
  readonly before: (lives: ReadonlyArray<Call>) => ReadonlyArray<Call>;
  /** What can happen to it in the middle. */
  readonly happens: ReadonlyArray<Call>;
  /** What another program may do in the middle of it, from its beginning to its end. */
  readonly verbs: ReadonlyArray<Call>;
}

const accidents = [serverDies, socketGoes];
const happens = [...accidents, ...incidents.filter(({ name }) => !name.includes("t2"))];

const collectors: ReadonlyArray<Collector> = [
  {
    call: gc,
    before: (lives) => [create, remove, create, ...lives],
    happens,
    verbs: [create, removeByForce],
  },
  {
    call: gcExited,
    before: (lives) => [create, ...lives, programEnds, reconcile],
    happens: [...accidents, removedByUser],
    verbs: [create, add, restore, removeByForce],
  },
  {
    call: over,
    before: (lives) => [createIdle, ...lives, laterOn],
    happens,
    verbs: [add, removeByForce],
  },
];

/** What a lost session left lives until that is deleted. */
const withoutLost = (ending: WorldEnding): WorldEnding => {
  const lost = ending.records.filter(({ state }) => state === "lost");
  const isLost = (whose: string): boolean =>
    lost.some(({ incarnation }) => `${whose} `.startsWith(`${incarnation} `));
  return { ...ending, alive: ending.alive.filter((whose) => !isLost(whose)) };
};

const collected = (ending: WorldEnding): string | null =>
  agreement(withoutLost(ending)) ?? endedTooEarly(ending);

const world = { cost: 1, crash: true, collects: true, instead: collected } as const;

const trouble = {
  ...world,
  // What hangs or comes late meets the same kill in the trouble of a delete.
  faults: { faults: ["failed", "lost"] },
  registryFaults: true,
  files: "with failures",
} as const;

const daemon = forkedTwice("main");

/** What it ends, it ends with all that left it, whatever happens to that in the middle. */
const alone = ({ before, call, happens }: Collector): ListedWorld => ({
  ...trouble,
  name: `${call.name}: trouble`,
  before: before([daemon]),
  programs: [[interrupted(call)]],
  happens,
});

/** Both end by the same delete, which a gc finishes by a reconcile. */
const cutOffBy = (call: Call): ReadonlyArray<Call> => {
  if (call === gc) return [];
  return call === gcExited ? [reconcile] : [create, add, reconcile, removeByForce];
};

/** Who comes behind one that ends something, and was cut off. */
const cutOff = ({ before, call }: Collector): ReadonlyArray<ListedWorld> =>
  cutOffBy(call).map((next) => ({
    ...world,
    name: `${call.name}, of what forked twice, cut off ∥ ${next.name}`,
    before: before([daemon]),
    programs: [[call], [next]],
  }));

/** It meets a delete and a gc of another program; two that end nothing are among the others. */
const beside = ({ before, call }: Collector): ReadonlyArray<ListedWorld> =>
  (call === gc ? [remove] : [remove, gc]).map((other) => ({
    ...world,
    files: "with points",
    name: `${call.name} ∥ ${other.name}: two programs`,
    before: before([]),
    programs: [[interrupted(call)], [interrupted(other)]],
  }));

/** Nobody waits for a name in a gc, so a whole verb comes between two steps of it. */
const between = ({ before, call, verbs }: Collector): ListedWorld => ({
  ...world,
  crash: false,
  files: "with points",
  name: `${call.name}, and another program's verb at any call of it`,
  before: before([]),
  programs: [[interrupted(call)]],
  happens: verbs,
});

/** It meets each call that is none of these, with what it is about beside what has ended. */
const besideCalls: ReadonlyArray<ListedWorld> = called
  .filter((call) => call !== remove)
  .map((call) => ({
    ...world,
    name: `${gcExited.name} ∥ ${call.name}: two programs`,
    // A user's session has the name only when no ended one of ours is to be forgotten.
    before: [...(call === adopt ? [] : [create, remove]), ...before([call])],
    programs: [[interrupted(gcExited)], [interrupted(call)]],
  }));

/** What it deletes it deletes with what left that, however it went by itself before. */
const behindLosses: ReadonlyArray<ListedWorld> = [gcExited, over].flatMap((call) =>
  losses.map((loss) => ({
    ...world,
    crash: false,
    cost: 0,
    name: `${call.name}, of what forked twice, behind ${loss.name}`,
    before: [call === over ? createIdle : create, daemon, loss, reconcile, laterOn],
    programs: [[call]],
  })),
);

/** With another session its server stays, and nothing else stands for the name. */
const withAnother: ListedWorld = {
  ...world,
  crash: false,
  files: "with points",
  name: "gc beside another session, and a create at any call of it",
  before: [createOther, create, remove],
  programs: [[interrupted(gc)]],
  happens: create,
};

/** Doubt ends nothing: where its output could not be asked for, no time without any has passed. */
const doubted = ({ filesFailed, told }: WorldEnding): string | null =>
  filesFailed.some((call) => call.startsWith("output.")) &&
  told.some((line) => line.startsWith(over.name) && line.includes('"after":"deleted"'))
    ? "it was ended for its silence, which nobody knows of"
    : null;

const silent: ReadonlyArray<ListedWorld> = [
  {
    name: "reconcile of what is idle, and files that fail",
    cost: 1,
    files: "with failures",
    before: [createIdle, laterOn],
    programs: [[over]],
    also: doubted,
  },
  {
    name: "reconcile of what was idle, and printed",
    cost: 0,
    before: [createIdle, laterOn, prints],
    programs: [[over]],
    also: ({ records }) =>
      records[0]?.state === "running" ? null : `it printed, and is ${records[0]?.state}`,
  },
];

/** The worlds. */
export const collectWorlds: ReadonlyArray<ListedWorld> = [
  ...collectors.flatMap((one) => [alone(one), ...cutOff(one), ...beside(one), between(one)]),
  ...besideCalls,
  ...behindLosses,
  withAnother,
  ...silent,
];
