/**
 * WalkCalls: what a walk calls, with everything drawn: the verbs of sessions, each with what it may
 * end, must have ended, and has made, for whoever holds that against what there is.
 *
 * Something may happen in the start window of what is made: a child is born there.
 */
import { isFinal, type SessionRecord, type Sessions } from "@troupe/core";
import { Effect } from "effect";
import { newest } from "./Agreement.js";
import { bearChild } from "./WalkAccidents.js";
import type { Walk } from "./WalkedHome.js";
import type { Whose } from "./WalkSight.js";
import type { Values } from "./WalkValues.js";

/** What a verb came to have made. */
export interface Made {
  readonly incarnation: string;
  readonly terminal: string;
  readonly pid: number | null;
  readonly state: string;
}

/** One call. */
export interface WalkCall {
  readonly name: string;
  readonly run: Effect.Effect<unknown, unknown>;
  /** What of what lives may end by it. */
  readonly mayEnd: (whose: Whose) => boolean;
  /** What has ended where it succeeds. */
  readonly ends?: Whose | null;
  /** Whether what left its terminal stays. */
  readonly spares?: boolean;
  /** Whether rows go by it of what was not over before. */
  readonly forgets?: boolean;
  /** What it has made, by its answer. */
  readonly made?: (answer: unknown) => ReadonlyArray<Made>;
  /** What it supplied; `formerly` is whose values it may take beside those. */
  readonly given?: Values;
  /** Whose values they are from now on, where nothing is made with them. */
  readonly holder?: string | null;
  readonly formerly?: string | null;
}

/** A verb, drawn. */
export type DrawCall = (walk: Walk, sessions: Sessions["Type"]) => WalkCall;

/** The names that are called, and those that users take. */
export const NAMES = ["a", "b"];
export const USERS = ["m", "n"];

const nothing = () => false;

/** What is to end with the whole of it; of what is over nothing is to end any more. */
const whole = (record: SessionRecord | undefined): Whose | null =>
  record === undefined || isFinal(record.state)
    ? null
    : { incarnation: record.incarnation, terminal: null };

const known = ({ before, dice }: Walk, session: string) => {
  const record = newest(before.records).find((r) => r.session === session);
  const terminals = record?.terminals.map(({ terminal }) => terminal) ?? [];
  return { record, terminal: terminals.length === 0 ? "main" : dice.one(terminals) };
};

/** One of the names, mostly of what is there. */
const anyName = ({ before, dice }: Walk): string => {
  const there = newest(before.records).filter(({ state }) => !isFinal(state));
  const all = [...NAMES, ...USERS];
  return there.length > 0 && dice.is(0.8) ? dice.one(there).session : dice.one(all);
};

const LASTING = ["sleep", "100000"];

const COMMANDS = [
  ...[LASTING, LASTING, LASTING, ["cat"]],
  ...[["telling"], ["telling"], ["true"], ["false"]],
];

/** Mostly children that are in a session of the kernel of their own. */
const inWindow = (walk: Walk, session: string, run: Effect.Effect<unknown, unknown>) => {
  if (walk.dice.is(0.5)) return run;
  const isDetached = walk.dice.is(0.6);
  const born = Effect.zipRight(Effect.sleep(50), bearChild(walk, session, isDetached));
  return Effect.map(Effect.all([run, born], { concurrency: 2 }), ([answer]) => answer);
};

interface View {
  readonly incarnation: string;
  readonly terminals: ReadonlyArray<{
    readonly terminal: string;
    readonly panePid: number | null;
    readonly state: string;
  }>;
}

const madeOf = ({ incarnation, terminals }: View): ReadonlyArray<Made> =>
  terminals.map(({ panePid, state, terminal }) => ({ incarnation, terminal, state, pid: panePid }));

const create: DrawCall = (walk, sessions) => {
  const { dice, values } = walk;
  const session = dice.one(NAMES);
  const { record } = known(walk, session);
  const env = values.draw();
  const replace = dice.is(0.3);
  const requestId = dice.is(0.15) ? `request ${dice.below(3)}` : undefined;
  const isAgain = requestId !== undefined && walk.requests.has(requestId);
  if (requestId !== undefined) walk.requests.add(requestId);
  const what = `create ${session}${replace ? ", replacing" : ""}`;
  // Nobody waits whether it fails, so it does not.
  const isBlind = dice.is(0.1);
  const command = isBlind ? LASTING : dice.one(COMMANDS);
  const window = isBlind ? { startWindowMs: 0 } : {};
  const run = sessions.create({ session, command, cwd: "/", env, replace, requestId, ...window });
  const old = replace ? record?.incarnation : undefined;
  return {
    name: `${what} ${requestId ?? ""}: ${command[0]} ${JSON.stringify(env)}`,
    run: inWindow(walk, session, run),
    mayEnd: ({ incarnation }) => incarnation === old,
    // What was asked before made what it made.
    ends: replace && !isAgain ? whole(record) : null,
    ...(isAgain ? {} : { made: (answer: unknown) => madeOf(answer as View) }),
    given: env,
  };
};

const restore: DrawCall = (walk, sessions) => {
  const session = anyName(walk);
  const { record } = known(walk, session);
  const env = walk.values.draw();
  const withoutEnv = walk.dice.is(0.5);
  const old = record?.incarnation ?? null;
  return {
    name: `restore ${session}${withoutEnv ? ", without" : ""} ${JSON.stringify(env)}`,
    run: inWindow(walk, session, sessions.restore(session, { env, withoutEnv })),
    mayEnd: ({ incarnation }) => incarnation === old,
    ends: whole(record),
    made: (answer) => madeOf(answer as View),
    given: env,
    formerly: withoutEnv ? null : old,
  };
};

const add: DrawCall = (walk, sessions) => {
  const session = anyName(walk);
  const { record } = known(walk, session);
  const env = walk.values.draw();
  const withoutEnv = walk.dice.is(0.4);
  const command = walk.dice.one(COMMANDS);
  const run = sessions.addTerminal({ session, command, cwd: "/", env, withoutEnv });
  return {
    name: `add to ${session}${withoutEnv ? ", without" : ""}: ${command[0]} ${JSON.stringify(env)}`,
    run: inWindow(walk, session, run),
    mayEnd: nothing,
    made: (answer) => {
      const { incarnation, terminal } = answer as { incarnation: string; terminal: never };
      return madeOf({ incarnation, terminals: [terminal] });
    },
    given: env,
    formerly: withoutEnv ? null : (record?.incarnation ?? null),
  };
};

const adopt: DrawCall = (walk, sessions) => {
  const strange = walk.before.panes.filter(({ incarnation }) => incarnation === "");
  const isThere = strange.length > 0 && walk.dice.is(0.9);
  const session = isThere ? walk.dice.one(strange).session : walk.dice.one([...USERS, ...NAMES]);
  return { name: `adopt ${session}`, run: sessions.adopt(session), mayEnd: nothing };
};

const remove: DrawCall = (walk, sessions) => {
  const session = anyName(walk);
  const { record } = known(walk, session);
  const { dice } = walk;
  const spareDetached = dice.is(0.15);
  const options = { graceMs: dice.one([0, 0, 500]), force: dice.is(0.2), snapshot: dice.is(0.5) };
  const own = record?.incarnation;
  return {
    name: `delete ${session}${spareDetached ? ", sparing" : ""}`,
    run: sessions.delete(session, { ...options, spareDetached }),
    mayEnd: ({ incarnation }) => incarnation === own,
    ends: whole(record),
    spares: spareDetached,
  };
};

const removeTerminal: DrawCall = (walk, sessions) => {
  const session = anyName(walk);
  const { record, terminal } = known(walk, session);
  const own = record?.incarnation;
  const isLast = walk.before.panes.every(
    (p) => p.incarnation !== own || p.terminal === "" || p.terminal === terminal,
  );
  return {
    name: `delete ${terminal} of ${session}`,
    run: sessions.deleteTerminal(session, terminal, { graceMs: 0, force: walk.dice.is(0.2) }),
    mayEnd: (whose) => whose.incarnation === own && (isLast || whose.terminal === terminal),
    ends: whole(record) === null || own === undefined ? null : { incarnation: own, terminal },
  };
};

const recordOf = ({ before }: Walk, { incarnation }: Whose) =>
  before.records.find((r) => r.incarnation === incarnation);

/** Whether whoever comes may have something to end of it: what is over, or was left half done. */
export const isOver = (walk: Walk, whose: Whose): boolean => {
  const { terminal } = whose;
  const record = recordOf(walk, whose);
  if (record === undefined || (record.state !== "running" && record.state !== "exited"))
    return true;
  const row = record.terminals.find((t) => t.terminal === terminal);
  return row !== undefined && row.state !== "running" && row.state !== "exited";
};

const reconcileAll: DrawCall = (_, sessions) => ({
  name: "reconcile all",
  run: sessions.reconcileAll,
  mayEnd: nothing,
});

const reconcile: DrawCall = (walk, sessions) => {
  const session = anyName(walk);
  return {
    name: `reconcile ${session}`,
    run: sessions.reconcile(session),
    mayEnd: nothing,
  };
};

const read: DrawCall = (walk, sessions) => {
  const session = anyName(walk);
  const { terminal } = known(walk, session);
  const reads: ReadonlyArray<readonly [string, Effect.Effect<unknown, unknown>]> = [
    ["get", sessions.get(session)],
    ["list", sessions.list({ all: true })],
    ["send", sessions.send(session, "x", { terminal })],
    ["plan", sessions.reconcilePlan],
    ["status", sessions.serverStatus],
    ["gc, dry", sessions.gc({ olderThanMs: 0, exitedMs: 0, dryRun: true })],
  ];
  const [what, run] = walk.dice.one(reads);
  return { name: `${what} ${session}`, run, mayEnd: nothing };
};

/** What has exited is deleted where that is asked for. */
const gc: DrawCall = (walk, sessions) => {
  const { dice } = walk;
  const ages = { olderThanMs: dice.one([0, 60_000]), ...(dice.is(0.5) ? { exitedMs: 0 } : {}) };
  return {
    name: `gc ${JSON.stringify(ages)}`,
    run: sessions.gc(ages),
    mayEnd: (whose) => "exitedMs" in ages && recordOf(walk, whose)?.state === "exited",
    forgets: true,
  };
};

const setEnv: DrawCall = (walk, sessions) => {
  const session = anyName(walk);
  const given = walk.values.draw();
  return {
    name: `values for ${session}: ${JSON.stringify(given)}`,
    run: sessions.setEnv(session, given),
    mayEnd: nothing,
    holder: known(walk, session).record?.incarnation ?? null,
    given,
  };
};

const stopServer: DrawCall = (_, sessions) => ({
  name: "stop the server",
  run: sessions.stopServer,
  mayEnd: nothing,
});

/** What is called, and how often. */
export const walkCalls: ReadonlyArray<readonly [weight: number, draw: DrawCall]> = [
  [6, create],
  [7, add],
  [7, adopt],
  [5, remove],
  [3, removeTerminal],
  [2, restore],
  [2, reconcile],
  [2, reconcileAll],
  [2, read],
  [1, gc],
  [2, setEnv],
  [1, stopServer],
];
