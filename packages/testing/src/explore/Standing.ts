/**
 * Standing: what a fiber is in an exploration, inherited by every fiber that it forks.
 *
 * The program that it belongs to and whether it may outlive the world are read when a fiber is
 * first seen, so a fiber never changes its program.
 */
import { FiberRef } from "effect";
import type { SimulatedProcess } from "./SimulatedProcess.js";

/** The standing of a fiber; `program` is `null` for what belongs to the world itself. */
export interface Standing {
  readonly program: SimulatedProcess | null;
  readonly background: boolean;
}

/** The standing of the current fiber. A join never brings a child's standing to its parent. */
export const standing: FiberRef.FiberRef<Standing> = FiberRef.unsafeMake<Standing>(
  { program: null, background: false },
  { join: (parent) => parent },
);
