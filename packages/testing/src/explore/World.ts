/**
 * World: what is explored: a program over fakes, what must hold of its ending, and what may happen.
 *
 * A world is started anew for every run, so everything that a run changes is made inside `start`.
 * It must be a function of its choices alone: no real time, no chance but Effect's `Random`, no
 * state outside `start`. Only synchronous fakes fit into it; a real wait shows as a deadlock.
 */
import type { Effect } from "effect";

/** One start of a world. */
export interface Instance<A> {
  /** The run ends with it. It handles the failures it expects: one that is left is a finding. */
  readonly program: Effect.Effect<A, unknown>;
  /**
   * Judges the value that the program ended with, when everything that could go on has done so.
   * Gives, or throws, what is wrong; nothing when all is well. (A method, so that worlds of
   * different values can stand in one list: it only ever meets its own program's value.)
   */
  check?(value: A): string | null | undefined;
  /** A digest of what outlives the programs, to count how many different endings were seen. */
  readonly state?: () => string;
}

/** A world. All but its name and start have defaults, which add no choices. */
export interface World<A> {
  readonly name: string;
  /** Makes everything anew: no two runs may share anything that can change. */
  readonly start: () => Instance<A>;
  /**
   * `ports` (the default): fibers switch at points and where they wait. `visible`: before every
   * operation that can be seen from outside, as under a scheduler that may yield anywhere.
   */
  readonly granularity?: "ports" | "visible";
  /** Whether the earliest sleep may end although something could still run. */
  readonly time?: boolean;
  /** Whether programs may crash, at each of their points. */
  readonly crash?: boolean;
  /** What `Explore.reached` must say at least once in an exploration, or it fails. */
  readonly sometimes?: ReadonlyArray<string>;
  /** Steps of one run; one more is a failure. 20 000 unless it says otherwise. */
  readonly maxSteps?: number;
  /** Seeds Effect's `Random`, the same for every run. */
  readonly seed?: string;
}
