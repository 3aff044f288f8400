/**
 * MeetingWorlds: every operation beside every other on one name: in one program, in two, and with
 * whatever can go wrong; beside every accident of the server; three on one name; two names.
 *
 * Pairs are exhausted to a cost of 2; with trouble, of three, and on SQLite to a cost of 1, the
 * last two walked beyond that. Trouble is, at every port call, a crash, an interruption, a tmux
 * call that fails, is lost, hangs or is late, a registry call that fails, is lost or dies, and
 * whatever can happen to the server or to what the calls are about. All of it is a product of the
 * kinds in Operations: what is added there meets everything.
 */
import { type Ending, newest } from "./Agreement.js";
import { branches } from "./Branches.js";
import type { WorldEnding } from "./EndingOf.js";
import type { ListedWorld } from "./NamedWorld.js";
import {
  accidents,
  before,
  called,
  forced,
  incidents,
  incidentsIn,
  notMissed,
  operations,
  send,
  takerKeeps,
  userUnhurt,
  verbsIn,
} from "./Operations.js";
import { madeOnce, requested } from "./RequestWorlds.js";
import {
  add,
  adopt,
  anyFault,
  create,
  interrupted,
  later,
  programEnds,
  reconcile,
  remove,
  removeByForce,
  removeTerminalByForce,
  replacing,
  restore,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";
import { START_WINDOW_MS } from "./WorldProgram.js";

/** How many schedules are drawn beyond what is exhausted. */
const WALKS = 1_000;

/** The same on SQLite, where each takes as long as four in memory. */
const SQLITE_WALKS = 400;

const trouble = {
  crash: true,
  faults: anyFault,
  registryFaults: true,
  files: "with failures",
  lateEffects: true,
} as const;

const named = (calls: ReadonlyArray<Call>): string => calls.map(({ name }) => name).join(" ∥ ");

/** Every two operations, each with itself, too. */
export const meetings: ReadonlyArray<readonly [Call, Call]> = operations.flatMap((first, index) =>
  operations.slice(index).map((second) => [first, second] as const),
);

/** What needs a session, or a terminal, comes in the start window of what makes that. */
const inTime = (a: Call, b: Call): Call => {
  const waits =
    a === create ? ![create, restore, adopt].includes(b) : a === add && b === removeTerminalByForce;
  return waits ? later(START_WINDOW_MS / 2, b) : b;
};

/** Where nothing goes wrong, nobody is told that it did. */
const calm = ({ told }: Ending): string | null =>
  told.find((line) => /: (failed (LookupFailed|Registry|Kill|Processes)|died)/.test(line)) ?? null;

const unhurt = (ending: WorldEnding): string | null => userUnhurt(ending) ?? notMissed(ending);

const pair = ([a, other]: readonly [Call, Call]): ReadonlyArray<ListedWorld> => {
  const name = named([a, other]);
  const world = { before: before([a, other]) };
  const plain = { ...world, cost: 2, time: true, also: calm };
  const b = inTime(a, other);
  const apart = `${name}: two programs`;
  const isEvent = other === programEnds && a !== programEnds;
  return [
    {
      ...plain,
      name: `${name}: one program`,
      programs: [[a, b]],
      sometimes: branches[name] ?? [],
    },
    {
      ...plain,
      name: apart,
      ...(isEvent ? { programs: [[a]], happens: other } : { programs: [[a], [b]] }),
      sometimes: branches[apart] ?? branches[name] ?? [],
    },
    {
      ...world,
      ...trouble,
      name: `${name}: trouble`,
      cost: 1,
      programs: [[interrupted(a)], [interrupted(b)]],
      happens: [...accidents, ...incidents],
      also: userUnhurt,
    },
  ];
};

const accident = (call: Call, event: Call): ListedWorld => ({
  name: named([call, event]),
  sometimes: branches[named([call, event])] ?? [],
  cost: 2,
  before: before([call]),
  // A program's end is no call of a port, so nothing would happen in it.
  ...(call === programEnds
    ? { programs: [[call], [event]], time: true }
    : { programs: [[call]], happens: event, crash: true }),
  also: unhurt,
});

/** A call, and whatever happens in the middle of it to what it is about; its caller may leave. */
const incident = (call: Call): ListedWorld => ({
  name: `${call.name}, and an incident at any call of it`,
  // What makes something undoes it when it fails: there an incident and a crash come together.
  cost: [create, add, restore].includes(call) ? 2 : 1,
  before: before([call]),
  programs: [[interrupted(call)]],
  happens: incidentsIn(call),
  crash: true,
});

/** A call, and what another program does in the middle of it; nobody has to come behind them. */
const between = (call: Call): ListedWorld => ({
  name: `${call.name}, and another program's verb at any call of it`,
  cost: 1,
  before: before([call]),
  programs: [[interrupted(call)]],
  happens: verbsIn(call),
  also: takerKeeps,
});

/** A call, and a delete that waits for nobody. */
const byForce = ([a, b]: readonly [Call, Call]): ReadonlyArray<ListedWorld> => {
  const name = named([a, b]);
  const second = inTime(a, b);
  const world = { before: before([a, b]) };
  const apart = `${name}: two programs`;
  return [
    {
      ...world,
      name: apart,
      cost: b === removeByForce ? 2 : 1,
      time: true,
      programs: [[a], [second]],
      sometimes: branches[apart] ?? [],
    },
    {
      ...world,
      ...trouble,
      name: `${name}: trouble`,
      cost: 1,
      programs: [[interrupted(a)], [interrupted(second)]],
      happens: [...accidents, ...incidents],
      also: userUnhurt,
    },
  ];
};

/** The same call on another name. */
const onB = (call: Call, run: Call["run"]): Call => ({ name: `${call.name} b`, run });

const spec = { session: "b", command: ["sleep", "100000"], cwd: "/" };
const createB = onB(create, (s) => s.create(spec));
const removeB = onB(remove, (s) => s.delete("b", { graceMs: 0 }));

const several = (
  calls: ReadonlyArray<Call>,
  first: ReadonlyArray<Call>,
  how: Partial<ListedWorld> = {},
): ReadonlyArray<ListedWorld> =>
  [[calls], calls.map((call) => [call])].map((programs) => ({
    name: `${named(calls)}: ${programs.length === 1 ? "one program" : "a program each"}`,
    cost: 1,
    ...(calls.length > 2 && programs.length > 1 ? { walks: WALKS } : {}),
    before: first,
    programs,
    also: calm,
    sometimes: branches[named(calls)] ?? [],
    ...how,
  }));

/** Three at once on one name, two names, and calls that join, ask again or replace. */
export const severalWorlds: ReadonlyArray<ListedWorld> = [
  ...several([create, remove, reconcile], []),
  ...several([create, create, remove], []),
  ...several([remove, add, reconcile], [create]),
  ...several([send, remove, create], [create]),
  ...several([restore, remove, reconcile], before([restore])),
  ...several([remove, remove, create], [create]),
  ...several([create, createB], [], { cost: 2 }),
  ...several([remove, removeB], [create, createB], { cost: 2 }),
  ...several([remove, createB], [create], { cost: 2 }),
  ...several([requested, requested], [], { cost: 2 }),
  ...several([requested, requested, remove], []),
  ...several([replacing, replacing], [create], { cost: 2 }),
  ...several([replacing, remove], [create], { cost: 2 }),
  ...several([replacing, reconcile], [create], { cost: 2 }),
  ...several([reconcile, reconcile, remove], [create]),
];

const late = { lateEffects: true, cost: 2 };

/** A row says that a session is lost only where the name is not one that tmux has. */
const notLost = ({ records, strangers }: WorldEnding): string | null => {
  const odd = newest(records).find(
    ({ session, state }) => state === "lost" && strangers.includes(session),
  );
  return odd === undefined ? null : `a row says that ${odd.session} is lost, and tmux has it`;
};

/**
 * A mark that comes late is the intent of an adopt, which has no row that could bar it: whoever
 * reconciles behind it takes the session up. So what hangs is let go before that.
 */
const lateOf = (call: Call) => ({
  ...late,
  before: before([call]),
  ...(call === adopt ? { letGoFirst: true, also: notLost } : {}),
});

/** A list that is done late, and one thing more; an adopt, and a registry that fails twice. */
export const lateWorlds: ReadonlyArray<ListedWorld> = [
  ...[create, adopt].map((call) => ({
    ...lateOf(call),
    name: `${call.name}, late, the registry fails`,
    registryFaults: true,
    programs: [[call]],
  })),
  ...[create, remove, reconcile, adopt].map((call) => ({
    ...lateOf(call),
    name: `${call.name}, late, its caller leaves`,
    programs: [[interrupted(call)]],
  })),
  {
    name: "adopt, the registry fails twice",
    cost: 2,
    before: before([adopt]),
    programs: [[adopt]],
    registryFaults: true,
    also: notLost,
  },
];

const onSqlite = ([a, b]: readonly [Call, Call], first = before([a, b])): ListedWorld => ({
  name: `${named([a, b])}${first.includes(create) && a === create ? ", again" : ""}: on SQLite`,
  cost: 1,
  walks: SQLITE_WALKS,
  sqlite: true,
  before: first,
  programs: [[interrupted(a)], [interrupted(b)]],
  time: true,
});

/** What a request made is one, also where rows and requests are tables of a database. */
const sqliteRequests: ReadonlyArray<ListedWorld> = [
  { first: [], met: [requested, requested] as const },
  { first: [requested, remove], met: [requested, requested] as const },
].map(({ first, met }) => ({
  ...onSqlite(met, first),
  name: `${named(met)}${first.length === 0 ? "" : `, behind ${named(first)}`}: on SQLite`,
  walks: 0,
  also: madeOnce(0),
}));

/** Two programs whose registry is the real one. */
export const sqliteMeetings: ReadonlyArray<ListedWorld> = [
  onSqlite([create, create]),
  onSqlite([create, remove]),
  onSqlite([create, remove], [create]),
  onSqlite([remove, reconcile]),
  onSqlite([remove, add]),
  onSqlite([restore, remove]),
  ...sqliteRequests,
];

/** Every meeting. */
export const meetingWorlds: ReadonlyArray<ListedWorld> = [
  ...meetings.flatMap(pair),
  ...operations.flatMap((call) => accidents.map((event) => accident(call, event))),
  ...called.flatMap((call) => [incident(call), between(call)]),
  ...forced.flatMap(byForce),
  ...severalWorlds,
  ...lateWorlds,
  ...sqliteMeetings,
];
