/**
 * Chance: numbers that look random and are the same for the same seed.
 *
 * For scripts and samples that must be repeated by their seed alone.
 */

/** Draws from a seed. */
export interface Chance {
  /** A whole number from 0, less than the bound. */
  readonly below: (bound: number) => number;
  /** One of these, which are not none. */
  readonly one: <A>(of: ReadonlyArray<A>) => A;
}

/** The numbers of a seed (mulberry32). */
export const chanceOf = (seed: number): Chance => {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    below,
    one: (of) => {
      const chosen = of[below(of.length)];
      if (chosen === undefined) throw new Error("there is nothing to choose from");
      return chosen;
    },
  };
};

/** So many of them, in their order. */
export const sample = <A>(
  { below }: Chance,
  of: ReadonlyArray<A>,
  count: number,
): ReadonlyArray<A> => {
  const left = of.map((_, index) => index);
  const chosen = new Set<number>();
  while (chosen.size < Math.min(count, of.length)) {
    const [index = 0] = left.splice(below(left.length), 1);
    chosen.add(index);
  }
  return of.filter((_, index) => chosen.has(index));
};
