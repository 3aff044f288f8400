/**
 * Walks: schedules by seeded chance, for what is too large to exhaust.
 *
 * A uniform walk takes any fiber. A priority walk (PCT: Burckhardt and others, 2010) gives fibers
 * random priorities that change at a few random decisions, which finds orders of depth d more
 * often than chance does. In both, events are rare, with a rate that each walk draws for itself.
 */
import type { Chooser } from "./Choices.js";
import type { Search } from "./Search.js";

/** A number from 0 to 1, and the next, as a function of the seed (mulberry32). */
const chanceOf = (seed: number): (() => number) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
};

const eventRates = [1 / 64, 1 / 16, 1 / 4];

/** Takes an event at the rate of this walk, and leaves the order to the other chooser. */
const withEvents = (chance: () => number, order: Chooser): Chooser => {
  const rate = eventRates[Math.floor(chance() * eventRates.length)] ?? 0;
  return (question) => {
    const events = question.n - question.order;
    if (events > 0 && chance() < rate) return question.order + Math.floor(chance() * events);
    return question.order === 1 ? 0 : order(question);
  };
};

const uniform = (seed: number): Chooser => {
  const chance = chanceOf(seed);
  return withEvents(chance, ({ order }) => Math.floor(chance() * order));
};

const byPriority = (seed: number, changes: number, decisions: number): Chooser => {
  const chance = chanceOf(seed);
  const changesAt = new Set(
    Array.from({ length: changes }, () => Math.floor(chance() * decisions)),
  );
  const priorities = new Map<object, number>();
  let lowest = 0;
  const first = (candidates: ReadonlyArray<object>): number => {
    let best = 0;
    for (const [i, candidate] of candidates.entries()) {
      const priority = priorities.get(candidate) ?? 1 + chance();
      priorities.set(candidate, priority);
      if (priority > (priorities.get(candidates[best] ?? candidate) ?? 0)) best = i;
    }
    return best;
  };
  return withEvents(chance, ({ at, candidates, order }) => {
    const best = Math.min(first(candidates), order - 1);
    const demoted = candidates[best];
    if (demoted === undefined || !changesAt.has(at)) return best;
    priorities.set(demoted, --lowest);
    return Math.min(first(candidates), order - 1);
  });
};

/** So many uniform walks, each with the next seed. */
export function* uniformWalks(seed: number, walks: number): Search {
  for (let walk = 0; walk < walks; walk++) yield uniform(seed + walk);
  return null;
}

/** So many priority walks; each is as long as the longest before it was. */
export function* priorityWalks(seed: number, walks: number, changes: number): Search {
  let decisions = 20;
  for (let walk = 0; walk < walks; walk++) {
    const { choices } = yield byPriority(seed + walk, changes, decisions);
    decisions = Math.max(decisions, choices.length);
  }
  return null;
}
