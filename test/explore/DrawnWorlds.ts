/**
 * DrawnWorlds: worlds that are drawn by chance, each from its number: what there is before, who
 * does what at once in up to three programs, what happens to it and what fails.
 *
 * Every other list crosses what somebody thought of; here what nobody did meets, and only what
 * holds in every world is asked. A number gives the same world for ever, as long as the lists stay.
 */
import { Effect } from "effect";
import { PCGRandom } from "effect/Utils";
import { losses } from "./DaemonWorlds.js";
import { OFFSPRING, type WorldEnding } from "./EndingOf.js";
import { agreement, createOther, gc, gcExited } from "./GcWorlds.js";
import { childOf, forkedTwice } from "./KillWorlds.js";
import type { ListedWorld } from "./NamedWorld.js";
import { accidents, incidents, send, take, verbsIn } from "./Operations.js";
import { requested } from "./RequestWorlds.js";
import {
  add,
  adopt,
  anyFault,
  create,
  interrupted,
  later,
  madeByUser,
  reconcile,
  remove,
  removeByForce,
  removeFirst,
  removeTerminal,
  replacing,
  restore,
} from "./SessionCalls.js";
import type { Call } from "./SessionWorld.js";
import { sparing } from "./SparingWorlds.js";

/** What is attached to the terminal; without the mark its parents alone tell whose it is. */
const resident = (terminal: string, isMarked: boolean): Call => ({
  name: `what lives in ${terminal}`,
  run: (_, tmux) =>
    Effect.gen(function* () {
      const pane = (yield* tmux.processes).find(
        (p) => p.state === "running" && p.environment.get("TROUPE_TERMINAL") === terminal,
      );
      if (pane === undefined) return;
      const own = pane.environment.get("TROUPE_INCARNATION") ?? "";
      const mark = isMarked ? { TROUPE_INCARNATION: own, TROUPE_TERMINAL: terminal } : {};
      const how = { parent: pane.pid, leader: pane.pid, ignoresHup: true };
      const environment = { ...mark, [OFFSPRING]: `${own} ${terminal}` };
      yield* tmux.spawn({ ...how, program: "resident", environment });
    }),
});

/** What left the session, and is no part of any agreement: some spare it, and others do not. */
const leaver: Call = {
  name: "what left",
  run: (_, tmux) =>
    Effect.gen(function* () {
      const pane = (yield* tmux.processes).find((p) => p.environment.has("TROUPE_TERMINAL"));
      const own = pane?.environment.get("TROUPE_INCARNATION") ?? "";
      const environment = { TROUPE_INCARNATION: own, [OFFSPRING]: "" };
      yield* tmux.spawn({ parent: 1, program: "left", environment, ignoresHup: true });
    }),
};

const TERMINALS = ["main", "t2"];

/** What can be found whatever becomes of the session: it has the mark. */
const marked = [...TERMINALS.flatMap((t) => [forkedTwice(t), resident(t, true)]), leaver];

/** What is attached to its terminal, and known by that while nobody else ends what it lives in. */
const attached = [...TERMINALS.map((t) => resident(t, false)), leaver];

/** The same, and what is known by its parent alone. */
const below = [...attached, ...TERMINALS.map((t) => childOf(t))];

/** What comes to it: things end by themselves, or nothing does and some is spared, or neither. */
const moods = ["rough", "rough", "sparing", "calm"] as const;

/** What somebody has beside it, which nothing of all this concerns. */
const other = { session: "b", command: ["sleep", "100000"], cwd: "/" };

const addOther: Call = { name: "add to the other", run: (s) => s.addTerminal(other) };

const removeOther: Call = {
  name: "delete of the other",
  run: (s) => s.delete("b", { graceMs: 0 }),
};

const reconcileAll: Call = { name: "reconcile all", run: (s) => s.reconcileAll };

const stopServer: Call = { name: "stop the server", isAccident: true, run: (s) => s.stopServer };

/** What somebody calls. */
const calls: ReadonlyArray<Call> = [
  create,
  requested,
  replacing,
  add,
  send,
  remove,
  removeByForce,
  removeTerminal,
  removeFirst,
  reconcile,
  reconcileAll,
  restore,
  take,
  gc,
  gcExited,
  createOther,
  addOther,
  removeOther,
];

/** What another does to it in the middle of a call. */
const verbs = verbsIn(add).filter(({ isAccident }) => isAccident !== true);

/** What becomes of it by itself. */
const ends = [...new Set([...accidents, ...incidents, ...losses, stopServer])];

/** Who was overtaken leaves what he began to who came by force, who may have failed himself. */
const overtaken = / failed Busy$/;

/** What is not so any more of a row that a gc forgot meanwhile. */
const notSoAnyMore =
  /^untrue: delete.*(no such row|kept a snapshot)|^untrue: gc.*was kept, and is gone/;

/** Of what is left; of a row that was forgotten nobody is asked what he was told of it. */
const whatIsLeft = (ending: WorldEnding): string | null => {
  const isOfForgotten = (line: string): boolean => {
    const [, answer] = /^(?:create|restore|add)[^:]*: ok (.*)$/.exec(line) ?? [];
    if (answer === undefined) return notSoAnyMore.test(line);
    const { generation, session } = JSON.parse(answer);
    return !ending.records.some((r) => r.session === session && r.generation === generation);
  };
  return agreement({ ...ending, told: ending.told.filter((line) => !isOfForgotten(line)) });
};

/** In the middle of another, behind its start window, behind all that it waits for, and later. */
const LATER_MS = [50, 150, 1_000, 6_000, 20_000, 40_000];

/** What is in it, for whoever reads of a failure. */
const wordsOf = (
  before: ReadonlyArray<Call>,
  programs: ReadonlyArray<ReadonlyArray<Call>>,
  happens: ReadonlyArray<Call>,
): string => {
  const words = (calls: ReadonlyArray<Call>) => calls.map(({ name }) => name).join(", ");
  const beside = happens.length === 0 ? "" : `; ${happens.map(({ name }) => name).join(" or ")}`;
  return `${words(before)}: ${programs.map(words).join(" ∥ ")}${beside}`;
};

/** One world. */
const drawn = (seed: number): ListedWorld => {
  const random = new PCGRandom(seed);
  const is = (chance: number): boolean => random.number() < chance;
  const one = <A>(of: ReadonlyArray<A>): A => of[random.integer(of.length)] as A;
  const some = <A>(of: ReadonlyArray<A>, most: number): ReadonlyArray<A> => [
    ...new Set(Array.from({ length: random.integer(most + 1) }, () => one(of))),
  ];
  const adopts = is(0.1);
  const mood = one(moods);
  const isCalm = mood !== "rough";
  const made = [
    create,
    ...(is(0.3) ? [createOther] : []),
    ...(is(0.5) ? [add] : []),
    ...some({ rough: marked, sparing: attached, calm: below }[mood], 3),
  ];
  const ended = !isCalm && is(0.3) ? [one(losses), reconcileAll] : [];
  const before: ReadonlyArray<Call> = adopts ? [madeByUser] : [...made, ...ended];
  const timed = (call: Call): Call => (is(0.6) ? later(one(LATER_MS), call) : call);
  const asked = (call: Call): Call => (is(0.2) ? interrupted(timed(call)) : timed(call));
  // One end of a server, or of a way to it, and not two: what is out of reach is told of nothing.
  const loss = one(ends);
  const isBeside = is(0.5);
  const also = [
    ...(adopts ? [adopt, adopt, adopt] : []),
    ...{ rough: isBeside ? [] : [loss, loss], sparing: [sparing, sparing], calm: [] }[mood],
  ];
  const pool = [...calls, ...also];
  const programs = Array.from({ length: 1 + random.integer(3) }, () =>
    Array.from({ length: is(0.25) ? 2 : 1 }, () => asked(one(pool))),
  );
  const all = programs.flat().map(({ name }) => name);
  const happens = isBeside ? some(isCalm ? verbs : [...verbs, ...ends], 3) : [];
  const trouble = {
    ...(is(0.4) ? { crash: true } : {}),
    ...(is(0.15) ? { registryFaults: true } : {}),
    ...(is(0.2) ? { faults: anyFault } : {}),
    ...(is(0.1) ? { lateEffects: true } : {}),
    ...(is(0.15) ? { files: "with failures" as const } : {}),
    ...(is(0.2) ? { letGoFirst: true } : {}),
  };
  return {
    name: `drawn ${seed}: ${wordsOf(before, programs, happens)}`,
    cost: 1,
    lostMayLive: true,
    excuses: overtaken,
    before,
    programs,
    ...(happens.length === 0 ? {} : { happens }),
    ...trouble,
    ...(all.some((name) => name.startsWith("gc")) ? { instead: whatIsLeft } : {}),
  };
};

/** The worlds of the first so many numbers. */
export const drawnWorlds = (count: number): ReadonlyArray<ListedWorld> =>
  Array.from({ length: count }, (_, index) => drawn(index + 1));
