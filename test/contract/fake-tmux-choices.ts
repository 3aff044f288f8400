/**
 * A reproducible source of choices, for the generator of scripts.
 *
 * The same seed gives the same choices on every machine. It is no source of randomness.
 */

/** Choices of one seed. */
export class Choices {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** From 0 to below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<A>(among: ReadonlyArray<A>): A {
    return among[this.below(among.length)] as A;
  }

  /** Sometimes these words, else none. */
  some<A>(probability: number, words: () => ReadonlyArray<A>): ReadonlyArray<A> {
    return this.chance(probability) ? words() : [];
  }

  /** One of these, by weight. */
  weighted<A>(among: ReadonlyArray<readonly [weight: number, value: A]>): A {
    let at = this.next() * among.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of among) {
      at -= weight;
      if (at < 0) return value;
    }
    return (among[0] as readonly [number, A])[1];
  }
}
