/**
 * GcTally: how far a gc has come, told to whoever asked for it.
 *
 * Things are counted when they are known to be due, so the total grows while a gc looks; each is
 * told behind it, whatever came of it. Telling is part of the gc and in no actor: one that takes
 * long slows the gc and no name. Mutable; of one gc.
 */
import { Effect } from "effect";
import type { GcOptions } from "./GcReport.js";

/** How many at once: names are independent of each other. */
const AT_ONCE = 8;

/** The count of one gc. */
export class GcTally {
  private done = 0;
  private total = 0;

  constructor(private readonly tell: GcOptions["onProgress"]) {}

  /** Does it with each, several at once where they are `independent`, and tells of each. */
  each<A, B, E, R>(
    all: Iterable<A>,
    does: (one: A) => Effect.Effect<B, E, R>,
    independent: boolean,
  ): Effect.Effect<ReadonlyArray<B>, E, R> {
    const due = [...all];
    this.total += due.length;
    const step = (one: A) => Effect.zipLeft(does(one), this.stepped);
    return Effect.forEach(due, step, { concurrency: independent ? AT_ONCE : 1 });
  }

  private readonly stepped = Effect.suspend(() => {
    this.done += 1;
    const { done, tell, total } = this;
    return tell === undefined ? Effect.void : tell({ done, total });
  });
}
