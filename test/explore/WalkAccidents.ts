/**
 * WalkAccidents: what happens to a walk's home beside what is called: what users do to tmux, what
 * programs do in it, time, and the end of a program that calls.
 *
 * Nothing of it is judged; what is so behind it is what the next call starts from.
 */
import { Effect } from "effect";
import { OFFSPRING } from "./EndingOf.js";
import { restartProgram, type Walk } from "./WalkedHome.js";
import { type Living, type PaneSeen, sightOf } from "./WalkSight.js";

/** Something that happens. */
export interface WalkAccident {
  readonly name: string;
  readonly run: Effect.Effect<unknown>;
}

/** It, drawn; `null` where there is nothing that it could happen to. */
export type DrawAccident = (walk: Walk) => WalkAccident | null;

const USER = ["--", "sleep", "100000"];

const asked = ({ tmux }: Walk, argv: ReadonlyArray<string>): Effect.Effect<unknown> =>
  Effect.orDie(tmux.client(argv));

const spawned = ({ tmux }: Walk, pane: PaneSeen, isDetached: boolean, pid?: number) => {
  const whose = `${pane.incarnation} ${pane.terminal}`;
  return tmux.spawn({
    ...(pid === undefined ? {} : { pid }),
    ...(isDetached ? {} : { leader: pane.pid }),
    ...{ parent: pane.pid, program: "child", ignoresHup: true },
    environment: { [OFFSPRING]: whose },
  });
};

const isOurs = ({ incarnation, isDead, terminal }: PaneSeen): boolean =>
  incarnation !== "" && terminal !== "" && !isDead;

/** A child of the newest terminal of a session, which knows of it by its parent alone. */
export const bearChild = (walk: Walk, session: string, isDetached: boolean) =>
  Effect.gen(function* () {
    const { panes } = yield* sightOf(walk.tmux, walk.store);
    const pane = panes.filter((one) => one.session === session && isOurs(one)).at(-1);
    if (pane !== undefined) yield* spawned(walk, pane, isDetached);
  });

const ours = ({ before, dice }: Walk): PaneSeen | null => {
  const panes = before.panes.filter(isOurs);
  return panes.length === 0 ? null : dice.one(panes);
};

const anyPane = ({ before, dice }: Walk): PaneSeen | null =>
  before.panes.length === 0 ? null : dice.one(before.panes);

const child: DrawAccident = (walk) => {
  const pane = ours(walk);
  const isDetached = walk.dice.is(0.5);
  if (pane === null) return null;
  return { name: `a child of ${pane.session}`, run: spawned(walk, pane, isDetached) };
};

const daemon: DrawAccident = (walk) => {
  const pane = ours(walk);
  const parent = walk.before.living.find(({ pid }) => pid === pane?.pid);
  if (parent === undefined || !parent.environment.has("TROUPE_TERMINAL")) return null;
  const environment = Object.fromEntries(parent.environment);
  return {
    name: `a process of ${pane?.session} that forked twice`,
    run: walk.tmux.spawn({ parent: 1, program: "daemon", environment, ignoresHup: true }),
  };
};

const children = ({ before }: Walk): ReadonlyArray<Living> =>
  before.living.filter(({ program }) => program === "child");

const childEnds: DrawAccident = (walk) => {
  const all = children(walk);
  if (all.length === 0) return null;
  const { pid } = walk.dice.one(all);
  walk.freePids.push(pid);
  return { name: `child ${pid} ends`, run: walk.tmux.signal(pid, "KILL") };
};

/** One that was a child's is given to a child of somebody: often of the same session. */
const pidAgain: DrawAccident = (walk) => {
  const all = children(walk);
  const one = all.length > 0 && walk.dice.is(0.7) ? walk.dice.one(all) : null;
  const free = walk.freePids.filter((pid) => !walk.before.living.some((p) => p.pid === pid));
  const pid = one?.pid ?? (free.length === 0 ? null : walk.dice.one(free));
  const pane = ours(walk);
  if (pid === null || pane === null) return null;
  const isDetached = walk.dice.is(0.8);
  return {
    name: `the pid ${pid} is given to a child of ${pane.session}`,
    run: Effect.gen(function* () {
      if (one !== null) yield* walk.tmux.signal(pid, "KILL");
      yield* Effect.sleep("1 second");
      yield* spawned(walk, pane, isDetached, pid);
    }),
  };
};

const programEnds: DrawAccident = (walk) => {
  const pane = anyPane(walk);
  if (pane === null || pane.isDead) return null;
  return {
    name: `the program ${pane.pid} in ${pane.session} ends`,
    run: walk.tmux.signal(pane.pid, walk.dice.is(0.5) ? "KILL" : "HUP"),
  };
};

/** With windows in a drawn order, of which some are of another session. */
const userMakes: DrawAccident = (walk) => {
  const { before, dice } = walk;
  const free = ["m", "n"].filter((name) => !before.panes.some((p) => p.session === name));
  if (free.length === 0) return null;
  const session = dice.one(free);
  const guests = before.panes.filter(isOurs);
  const windows = Array.from({ length: dice.below(5) }, () =>
    guests.length > 0 && dice.is(0.6) ? dice.one(guests).window : null,
  );
  return {
    name: `a user makes ${session} with ${windows.map((w) => w ?? "his own").join(", ")}`,
    run: Effect.gen(function* () {
      yield* asked(walk, ["new-session", "-d", "-s", session, ...USER]);
      for (const [at, window] of windows.entries()) {
        const to = ["-t", `=${session}:${at + 3}`];
        if (window === null) yield* asked(walk, ["new-window", "-d", ...to, ...USER]);
        else yield* asked(walk, ["link-window", "-d", "-s", window, ...to]);
      }
    }),
  };
};

const userOpens: DrawAccident = (walk) => {
  const pane = anyPane(walk);
  if (pane === null) return null;
  return {
    name: `a user opens a window in ${pane.session}`,
    run: asked(walk, ["new-window", "-d", "-t", `=${pane.session}:`, ...USER]),
  };
};

const userLinks: DrawAccident = (walk) => {
  const [from, to] = [anyPane(walk), anyPane(walk)];
  if (from === null || to === null || from.session === to.session) return null;
  return {
    name: `a user links a window of ${from.session} into ${to.session}`,
    run: asked(walk, ["link-window", "-d", "-s", from.window, "-t", `=${to.session}:`]),
  };
};

const userCloses: DrawAccident = (walk) => {
  const pane = anyPane(walk);
  if (pane === null) return null;
  return {
    name: `a user closes a window of ${pane.session}`,
    run: asked(walk, ["kill-window", "-t", pane.window]),
  };
};

const userEnds: DrawAccident = (walk) => {
  const pane = anyPane(walk);
  if (pane === null) return null;
  return {
    name: `a user ends ${pane.session}`,
    run: asked(walk, ["kill-session", "-t", `=${pane.session}`]),
  };
};

const serverDies: DrawAccident = ({ tmux }) => ({ name: "the server dies", run: tmux.crash });

const passes: DrawAccident = ({ dice }) => {
  const ms = dice.one([10, 1_000, 60_000]);
  return { name: `${ms} ms`, run: Effect.sleep(ms) };
};

const crashes: DrawAccident = (walk) => {
  const at = walk.dice.below(walk.programs.length);
  return { name: `program ${at} dies`, run: restartProgram(walk, at) };
};

/** What happens, and how often. */
export const walkAccidents: ReadonlyArray<readonly [weight: number, draw: DrawAccident]> = [
  [2, child],
  [1, daemon],
  [1, childEnds],
  [6, pidAgain],
  [1, programEnds],
  [8, userMakes],
  [1, userOpens],
  [1, userLinks],
  [1, userCloses],
  [1, userEnds],
  [1, serverDies],
  [2, passes],
  [1, crashes],
];
