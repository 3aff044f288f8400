/**
 * Search: a way through the schedules of a world: it gives choosers and is told what came of each.
 *
 * It ends with what it found wrong with the world itself, or with `null` when it has no more. The
 * one who runs it may stop at any time: nothing is left open.
 */
import type { Chooser } from "./Choices.js";
import type { Finding } from "./Finding.js";
import type { RunOutcome } from "./WorldRun.js";

/** Gives choosers, takes outcomes. */
export type Search = Generator<Chooser, Finding | null, RunOutcome>;
