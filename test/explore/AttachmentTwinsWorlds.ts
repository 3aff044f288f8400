/**
 * AttachmentTwinsWorlds: who is at a writer, and what his coming and going makes of it, said twice:
 * the table and a plain program answer alike to every sequence of events.
 *
 * Of two clients every sequence up to a length, where a state that was met before is not gone into
 * again; of three, long ones that are drawn, each number a schedule.
 */
import { Explore, type World } from "@troupe/testing";
import { Effect } from "effect";
import { type AttachmentTwins, newTwins, stepTwins } from "./AttachmentTwins.js";
import type { Bounds, Happens, Sight } from "./AttachmentTwinsModel.js";
import type { NamedWorld } from "./NamedWorld.js";
import { diceOf } from "./RegistryTwinsHand.js";

/** A grace, a silence and a settling, of which none is another's. */
const GRACE: Bounds = { graceMs: 10, silentMs: 15, settleMs: 20 };

const nothing: Sight = { turn: null, isAwaited: false, background: "none", tmux: "none" };
const silent: Sight = { ...nothing, turn: { id: "one", activity: null } };

const sightsAt = (now: number): ReadonlyArray<Sight> => [
  nothing,
  silent,
  { ...nothing, turn: { id: "one", activity: now - 15 }, isAwaited: true },
  { ...nothing, turn: { id: "one", activity: now - 14 } },
  { ...nothing, turn: { id: "one", activity: now + 1 } },
  { ...nothing, turn: { id: "two", activity: now } },
  { ...nothing, isAwaited: true },
  { ...nothing, background: "some", isAwaited: true },
  { ...nothing, background: "unknown", turn: { id: "one", activity: null } },
  { ...nothing, tmux: "some", background: "some" },
  { ...nothing, tmux: "unknown", background: "unknown" },
];

/** What may be done by a client with attachments of these numbers. */
const ofClient = (who: string, holds: ReadonlyArray<number>): ReadonlyArray<Happens> => [
  ...holds.flatMap((hold): ReadonlyArray<Happens> => {
    const comes = { what: "comes", who, hold, isLive: true, waits: true } as const;
    return [
      { ...comes, closes: false },
      { ...comes, closes: true },
      { what: "leaves", who, hold },
    ];
  }),
  { what: "comes", who, hold: 9, closes: true, isLive: false, waits: true },
  { what: "comes", who, hold: 9, closes: false, isLive: true, waits: false },
  { what: "leaves", who, hold: null },
];

/** Everything that may happen at a moment. */
const happeningsAt = (clients: ReadonlyArray<string>, now: number): ReadonlyArray<Happens> => [
  ...clients.flatMap((who) => ofClient(who, [1, 2])),
  ...sightsAt(now).map((sight): Happens => ({ what: "looked", late: 0, sight })),
  { what: "looked", late: 1, sight: nothing },
  ...["one", "two"].flatMap(
    (turn): ReadonlyArray<Happens> => [
      { what: "settled", turn, isNext: false },
      { what: "settled", turn, isNext: true },
    ],
  ),
  { what: "expected" },
  { what: "evicted", isIdle: true },
  { what: "evicted", isIdle: false },
  { what: "ended" },
  { what: "over" },
  { what: "time passes", ms: 9 },
  { what: "time passes", ms: 10 },
];

/** A number of an attachment is used once while it is open. */
const isOpen = ({ state }: AttachmentTwins, event: Happens): boolean => {
  if (event.what !== "comes") return false;
  const viewers =
    state._tag === "Attached" ? state.viewers : state._tag === "Interrupting" ? state.waiting : [];
  return viewers.some((v) => v.client === event.who && v.holds.includes(event.hold));
};

/** What is behind an event, and what was said until then. */
interface Reached {
  readonly twins: AttachmentTwins;
  readonly said: ReadonlyArray<string>;
}

const keyOf = ({ now, plain }: AttachmentTwins): string => `${now} ${plain.words}`;

/** A program, and what has happened at its writer before. */
interface Beginning {
  readonly bounds: Bounds;
  readonly before: ReadonlyArray<Happens>;
}

/** Nothing has happened, or a turn that went silent was asked to stop. */
const beginnings: readonly [Beginning, ...ReadonlyArray<Beginning>] = [
  { bounds: GRACE, before: [] },
  {
    bounds: GRACE,
    before: [
      { what: "expected" },
      { what: "time passes", ms: 10 },
      { what: "looked", late: 0, sight: silent },
    ],
  },
  { bounds: { ...GRACE, graceMs: 0 }, before: [] },
  { bounds: { ...GRACE, silentMs: 0 }, before: [] },
];

/** Both behind what has happened before. */
const begun = ({ before, bounds }: Beginning): Reached | string => {
  let twins = newTwins(bounds);
  for (const event of before) {
    const then = stepTwins(twins, event, bounds);
    if (typeof then === "string") return `${JSON.stringify(event)}: ${then}`;
    twins = then;
  }
  return { twins, said: before.map((event) => JSON.stringify(event)) };
};

/** Every sequence of so many events; the first difference. */
const exhausted = (clients: ReadonlyArray<string>, beginning: Beginning, length: number) => {
  const { bounds } = beginning;
  const begin = begun(beginning);
  if (typeof begin === "string") return begin;
  const met = new Set([keyOf(begin.twins)]);
  let last: ReadonlyArray<Reached> = [begin];
  for (let count = 1; count <= length; count++) {
    const next: Array<Reached> = [];
    for (const { said, twins } of last) {
      for (const event of happeningsAt(clients, twins.now)) {
        if (isOpen(twins, event)) continue;
        const then = stepTwins(twins, event, bounds);
        if (typeof then === "string") return `${[...said, JSON.stringify(event)]}: ${then}`;
        const key = keyOf(then);
        if (met.has(key)) continue;
        met.add(key);
        next.push({ twins: then, said: [...said, JSON.stringify(event)] });
      }
    }
    last = next;
  }
  return null;
};

/** How often each kind is drawn: mostly what comes, goes and is looked at, seldom an end. */
const weights: Readonly<Record<Happens["what"], number>> = {
  comes: 8,
  leaves: 8,
  looked: 8,
  settled: 4,
  "time passes": 8,
  expected: 2,
  evicted: 1,
  ended: 1,
  over: 1,
};

const kinds = Object.entries(weights).flatMap(([what, weight]) =>
  Array.from({ length: weight }, () => what),
);

/** So many long sequences, drawn from a number; the first difference. */
const drawn = (clients: ReadonlyArray<string>, seed: number, walks: number, length: number) => {
  const dice = diceOf(seed);
  for (let walk = 1; walk <= walks; walk++) {
    const beginning = dice.one(beginnings);
    const { bounds } = beginning;
    const begin = begun(beginning);
    if (typeof begin === "string") return begin;
    let { twins } = begin;
    for (let count = 1; count <= length; count++) {
      const kind = dice.one(kinds);
      const event = dice.one(happeningsAt(clients, twins.now).filter(({ what }) => what === kind));
      if (isOpen(twins, event)) continue;
      const then = stepTwins(twins, event, bounds);
      if (typeof then === "string") {
        return `walk ${walk} of ${seed}, step ${count}, ${JSON.stringify(event)}: ${then}`;
      }
      twins = then;
    }
  }
  return null;
};

const worldOf = <A>(
  name: string,
  choices: readonly [A, ...ReadonlyArray<A>],
  differs: (choice: A) => string | null,
): World<string | null> => ({
  name,
  start: () => ({
    program: Effect.map(Explore.choose("which", choices), differs),
    check: (found) => found,
  }),
});

const numbers = Array.from({ length: 15 }, (_, index) => index + 2);

/** Every sequence of two clients, and long ones of three. */
export const attachmentTwinsWorlds: ReadonlyArray<NamedWorld> = [
  {
    world: worldOf(
      "attachments, said twice: every sequence of two clients",
      beginnings,
      (beginning) => exhausted(["A", "B"], beginning, 5),
    ),
    cost: 1,
  },
  {
    world: worldOf("attachments, said twice: long ones of three", [1, ...numbers], (seed) =>
      drawn(["A", "B", "C"], seed, 100, 40),
    ),
    cost: 1,
  },
];
