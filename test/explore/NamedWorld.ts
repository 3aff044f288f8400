/**
 * NamedWorld: a world under its own name with the cost up to which it is exhausted, so that a
 * test, a mutant and a person at a terminal mean the same one.
 */
import type { World } from "@troupe/testing";
import type { SessionWorldOptions } from "./SessionWorld.js";

/** A world, and up to which total cost it has no schedule that breaks it. */
export interface NamedWorld {
  readonly world: World<unknown>;
  readonly cost: number;
  /** How many schedules are drawn beyond that, by priorities, from a fixed seed. */
  readonly walks?: number;
  /** Whether each schedule is a number of its own, from which another run is drawn. */
  readonly isDrawn?: boolean;
}

/** The same for a world of sessions, before it is made. */
export type ListedWorld = SessionWorldOptions & Omit<NamedWorld, "world">;
