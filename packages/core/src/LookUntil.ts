/**
 * LookUntil: looking for a fact until it holds or a bound passes.
 *
 * The first look is at once and the last one exactly at the bound, so a fact that becomes true
 * within it is never missed. It waits on Effect's Clock, and where the caller cannot be
 * interrupted neither can it.
 */
import { Clock, Effect } from "effect";

/** How long and how often. */
export interface LookBound {
  readonly boundMs: number;
  readonly spacingMs: number;
  /** The pause behind the first look; each further one is twice as long, up to `spacingMs`. */
  readonly firstMs?: number | undefined;
}

/** Looks every `spacingMs` until the look says true, or once more at the bound; says which. */
export const lookUntil = <E, R>(
  { boundMs, firstMs, spacingMs }: LookBound,
  look: Effect.Effect<boolean, E, R>,
): Effect.Effect<boolean, E, R> =>
  Effect.gen(function* () {
    const end = (yield* Clock.currentTimeMillis) + boundMs;
    for (let pauseMs = firstMs ?? spacingMs; ; pauseMs = Math.min(2 * pauseMs, spacingMs)) {
      if (yield* look) return true;
      const left = end - (yield* Clock.currentTimeMillis);
      if (left <= 0) return false;
      yield* Effect.sleep(Math.min(pauseMs, left));
    }
  });
