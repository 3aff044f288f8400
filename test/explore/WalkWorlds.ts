/**
 * WalkWorlds: long walks, each from its number: calls with drawn arguments, one after the other, in
 * one program or two, and between them what users, programs and time do to the same home.
 *
 * No race and no cost: here sequences meet that nobody wrote down. Behind every step it is asked
 * what holds behind any; a number is one schedule, and gives the same walk for ever.
 */
import { Explore } from "@troupe/testing";
import { Effect, Exit } from "effect";
import { newest } from "./Agreement.js";
import { endingOf } from "./EndingOf.js";
import { agreement } from "./GcWorlds.js";
import type { NamedWorld } from "./NamedWorld.js";
import { walkAccidents } from "./WalkAccidents.js";
import { type WalkCall, walkCalls } from "./WalkCalls.js";
import { noteSupplied, type Walk, walkOf } from "./WalkedHome.js";
import { isKnown, sightOf, type Whose, whoseIs } from "./WalkSight.js";
import { inTrouble, troubleOver } from "./WalkTroubles.js";
import { truths } from "./WalkTruths.js";
import { textOf } from "./WalkValues.js";

const weighed = <A>({ dice }: Walk, of: ReadonlyArray<readonly [number, A]>): A =>
  dice.one(of.flatMap(([weight, one]) => Array.from({ length: weight }, () => one)));

const see = (walk: Walk) =>
  Effect.map(sightOf(walk.tmux, walk.store), (sight) => {
    walk.before = sight;
  });

/** Where a value is told, in words. */
const disclosed = (walk: Walk, exit: Exit.Exit<unknown, unknown>) =>
  Effect.gen(function* () {
    const requests = yield* walk.tmux.requests;
    const places = {
      "what was answered": textOf(exit),
      "the rows": JSON.stringify(walk.before.records),
      "the log": JSON.stringify(walk.before.events),
      "the snapshots": JSON.stringify([...walk.store.files.snapshots.kept.values()]),
      "an argv": JSON.stringify(requests.map(({ argv }) => argv)),
    };
    for (const [place, text] of Object.entries(places)) {
      const word = walk.values.toldIn(text);
      if (word !== null) return `${word} of a value is told in ${place}: ${text}`;
    }
    return null;
  });

/** Whether the session that it is of is there. */
const hasSession = ({ records }: Walk["before"], { incarnation }: Whose): boolean =>
  records.some((r) => r.incarnation === incarnation && /^(running|exited)$/.test(r.state));

/** What lives and is known to be of what is over; of what is lost nobody was to end anything. */
const mortal = ({ before, spared }: Walk): ReadonlyArray<string> => {
  const lost = newest(before.records).filter(({ state }) => state === "lost");
  return before.living.flatMap((one) => {
    const whose = whoseIs(before, one);
    if (whose === null || spared.has(whose.incarnation)) return [];
    if (lost.some(({ incarnation }) => incarnation === whose.incarnation)) return [];
    // Of a terminal that a user has closed, what lives on ends with its session.
    if (hasSession(before, whose)) return [];
    return isKnown(before, one, whose) ? [`${whose.incarnation} ${whose.terminal ?? ""}`] : [];
  });
};

/** Whether everything agrees behind a reconcile of all. */
const agrees = Effect.fnUntraced(function* (walk: Walk) {
  const ending = yield* endingOf(walk.machine, walk.store, { told: [], adopts: true });
  // Whose a pane is it says itself, wherever its window is; what a user has is no terminal.
  const panes = walk.before.panes
    .filter(({ terminal }) => terminal !== "")
    .map(({ incarnation, terminal }) => `${incarnation} ${terminal}`);
  return agreement({ ...ending, panes, alive: mortal(walk) });
});

const noted = (walk: Walk, { formerly, given, holder, made }: WalkCall, answer: unknown): void => {
  if (given === undefined) return;
  if (holder) noteSupplied(walk, holder, given);
  if (made === undefined) return;
  const [one] = made(answer);
  if (one !== undefined) noteSupplied(walk, one.incarnation, given, formerly ?? null);
};

/** Calls something, and holds what came of it against what there is. */
const called = Effect.fnUntraced(function* (walk: Walk, call: WalkCall, isTroubled: boolean) {
  const exit = yield* Effect.exit(call.run);
  const after = yield* sightOf(walk.tmux, walk.store);
  for (const truth of truths) {
    const odd = truth({ walk, call, exit, after });
    if (odd !== null) return odd;
  }
  walk.before = after;
  if (call.spares === true && call.ends) walk.spared.add(call.ends.incarnation);
  if (Exit.isSuccess(exit)) noted(walk, call, exit.value);
  const told = yield* disclosed(walk, exit);
  if (told !== null) return told;
  // A name that could not be looked at is told of as that, and the others are gone over.
  return call.name === "reconcile all" && !isTroubled && Exit.isSuccess(exit)
    ? yield* agrees(walk)
    : null;
});

const step = Effect.fnUntraced(function* (walk: Walk, path: Array<string>) {
  yield* see(walk);
  if (walk.dice.is(0.4)) {
    const accident = weighed(walk, walkAccidents)(walk);
    if (accident === null) return null;
    path.push(accident.name);
    yield* accident.run;
    return null;
  }
  const { sessions } = walk.dice.one(walk.programs);
  const call = weighed(walk, walkCalls)(walk, sessions);
  const { begin, name } = inTrouble(walk, call.name);
  path.push(name);
  yield* begin;
  const isTroubled = name !== call.name;
  const odd = yield* called(walk, call, isTroubled);
  if (isTroubled) yield* troubleOver(walk);
  return odd;
});

const walked = Effect.fnUntraced(function* (seed: number, isStored: boolean) {
  const walk = yield* walkOf(seed, isStored);
  const path: Array<string> = [];
  const steps = 10 + walk.dice.below(16);
  while (path.length < steps) {
    const odd = yield* step(walk, path);
    if (odd !== null) return `${path.join("; ")}: ${odd}`;
  }
  return null;
});

/** The walks of these numbers, each a schedule. */
export const walks = (
  name: string,
  [first = 1, ...numbers]: ReadonlyArray<number>,
  isStored: boolean,
): NamedWorld => ({
  cost: 1,
  isDrawn: true,
  world: {
    name,
    start: () => {
      let odd: string | null = null;
      const program = Effect.gen(function* () {
        const seed = yield* Explore.choose("the walk", [first, ...numbers]);
        odd = yield* Explore.quietly(walked(seed, isStored));
      }).pipe(Explore.scoped, Effect.orDie, Effect.withTracerEnabled(false));
      return { program, check: () => odd };
    },
  },
});

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** In memory and on SQLite. */
export const walkWorlds: ReadonlyArray<NamedWorld> = [
  walks("long walks", upTo(700), false),
  walks("long walks on SQLite", upTo(50), true),
];
