/**
 * Rounds: ways to do the same, measured in turns, and told as rows of a table.
 *
 * A round does each way once, one after the other, so that what else the machine does meets all of
 * them. A ratio is the median of the ratios of the rounds, with where eight of ten of them lie; a
 * goal is of the ratio, or of the measure itself. The first way is what the others are compared
 * with. A first round is not counted.
 */
import { Effect } from "effect";

/** What must hold of a ratio, or of a measure. */
export interface Goal {
  readonly of: "ratio" | "measure";
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** One way to do it; `once` does it and measures it. */
export interface Way<E = never, R = never> {
  readonly name: string;
  readonly once: Effect.Effect<number, E, R>;
  readonly goal?: Goal;
}

/** How much of the others' the ratio may be. */
export const atMost = (ratio: number): Goal => ({ of: "ratio", atMost: ratio });

/** How much of the others' the ratio must be. */
export const atLeast = (ratio: number): Goal => ({ of: "ratio", atLeast: ratio });

/** What was measured of one way, a number for each round. */
export interface Measured {
  readonly name: string;
  readonly numbers: ReadonlyArray<number>;
  readonly goal?: Goal | undefined;
}

const at = (numbers: ReadonlyArray<number>, part: number): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.round(part * (sorted.length - 1))] ?? Number.NaN;
};

/** The middle one. */
export const median = (numbers: ReadonlyArray<number>): number => at(numbers, 0.5);

const shown = (number: number): string => {
  if (number >= 1000) return Math.round(number).toLocaleString("en").replaceAll(",", " ");
  return number >= 100 ? number.toFixed(0) : number.toFixed(2);
};

const holds = ({ atLeast, atMost }: Goal, number: number): boolean =>
  number <= (atMost ?? Number.POSITIVE_INFINITY) && number >= (atLeast ?? Number.NEGATIVE_INFINITY);

const verdict = (goal: Goal | undefined, ratio: number, measure: number): string => {
  if (goal === undefined) return "";
  const bound = goal.atMost === undefined ? `≥ ${shown(goal.atLeast ?? 0)}` : `≤ ${goal.atMost}`;
  return `${bound}: ${holds(goal, goal.of === "ratio" ? ratio : measure) ? "holds" : "missed"}`;
};

/** Prints the head of a table whose measures have this unit. */
export const heading = (unit: string): void => {
  console.log(`| what | way | ${unit} | ratio, and eight of ten | goal |`);
  console.log("| --- | --- | --: | --: | --- |");
};

/** Prints the rows of what was measured; the first one is what the others are compared with. */
export const report = (what: string, all: ReadonlyArray<Measured>): void => {
  const base = all[0]?.numbers ?? [];
  for (const { goal, name, numbers } of all) {
    const ratios = numbers.map((number, round) => number / (base[round] ?? Number.NaN));
    const [low, middle, high] = [0.1, 0.5, 0.9].map((part) => at(ratios, part).toFixed(2));
    const ratio = numbers === base ? "1" : `${middle} (${low} to ${high})`;
    const told = verdict(goal, Number(middle), median(numbers));
    console.log(`| ${what} | ${name} | ${shown(median(numbers))} | ${ratio} | ${told} |`);
  }
};

/** Measures the ways in so many rounds, and prints their rows. */
export const compare = <E, R>(
  what: string,
  rounds: number,
  ways: ReadonlyArray<Way<E, R>>,
): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    const round = Effect.forEach(ways, ({ once }) => once);
    yield* round;
    const all = yield* Effect.replicateEffect(round, rounds);
    const measured = ways.map(({ goal, name }, way) => ({
      ...{ name, goal },
      numbers: all.map((numbers) => numbers[way] ?? Number.NaN),
    }));
    report(what, measured);
  });

/** How many of these a second: what the work does, by how long it takes. */
export const perSecond = <E, R>(
  count: number,
  work: Effect.Effect<unknown, E, R>,
): Effect.Effect<number, E, R> =>
  Effect.gen(function* () {
    const startedAt = performance.now();
    yield* work;
    return count / ((performance.now() - startedAt) / 1000);
  });

/** Milliseconds of the work. */
export const milliseconds = <E, R>(
  work: Effect.Effect<unknown, E, R>,
): Effect.Effect<number, E, R> => Effect.map(perSecond(1, work), (rate) => 1000 / rate);
