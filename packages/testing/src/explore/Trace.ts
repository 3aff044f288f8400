/**
 * Trace: what happened in one run, step by step, kept only when a run is shown to somebody.
 *
 * Lanes are kept and not their names, because a fiber is often named after its first step.
 */
import type { Lane } from "./KnownFibers.js";
import { printOperation } from "./VisibleOperations.js";

/** One line: who did what. `insteadOf` are those that production would have run first. */
export interface Step {
  readonly lane: Lane | null;
  readonly does: string;
  /** Whether it is more than a fiber that goes on from a wait, or time before more of it. */
  telling: boolean;
  readonly insteadOf: ReadonlyArray<string>;
  /** A choice of something that production would not have done by itself. */
  readonly event: boolean;
}

/** Mutable; one for each run that is traced. */
export class Trace {
  readonly steps: Array<Step> = [];
  /** Time that passed by itself after everything else that is told. */
  private time: Step | null = null;

  /** `everyStep`: also a fiber that only goes on from a wait is worth telling. */
  constructor(private readonly everyStep: boolean) {}

  /** A fiber goes on, to what its point says. */
  goesOn(lane: Lane, before: ReadonlyArray<Lane>): void {
    const insteadOf = before.map((other) => other.description);
    const operation = printOperation(lane.yieldedBefore);
    const telling = lane.at !== null || insteadOf.length > 0 || this.everyStep;
    const plain = lane.started ? `goes on${after(lane)}` : "starts";
    const next = lane.at ?? operation ?? (lane.fiber === null ? "runs" : plain);
    const stops = lane.interrupted && lane.interruptible;
    const does = stops && lane.at !== null ? `ends, and does not ${lane.at}` : next;
    this.keep({ lane, does, telling, insteadOf, event: false });
  }

  /** Something that no fiber does of itself: a fault, a crash, an interruption, time. */
  happens(lane: Lane | null, does: string): void {
    this.keep({ lane, does, telling: true, insteadOf: [], event: true });
  }

  /** Something worth knowing that was not chosen. */
  note(lane: Lane | null, does: string): void {
    this.keep({ lane, does, telling: true, insteadOf: [], event: false });
  }

  /** Time that passes, by a choice or because nothing else could go on. */
  timePasses(toMs: number | null, chosen: boolean): void {
    if (!chosen && this.time !== null) this.time.telling = false;
    const does = `time passes, to ${toMs} ms`;
    const step = { lane: null, does, telling: true, insteadOf: [], event: chosen };
    this.keep(step);
    if (!chosen) this.time = step;
  }

  private keep(step: Step): void {
    this.steps.push(step);
    if (step.telling) this.time = null;
  }
}

const after = (lane: Lane): string => (lane.label === null ? "" : `, after ${lane.label}`);
