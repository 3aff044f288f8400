/**
 * ExploredRun: one run of a world: the loop that picks what happens next until the root has ended.
 *
 * At every step the options are the fibers that can go on, in production order, and then the
 * events that the world allows. When nothing can go on, the earliest sleep ends; when nobody
 * sleeps either, it is a deadlock. Everything happens inside one synchronous call.
 */
import { Exit, FiberId } from "effect";
import { ChoiceScheduler } from "./ChoiceScheduler.js";
import { Choices, type Chooser } from "./Choices.js";
import { type Finding, printCause, printThrown } from "./Finding.js";
import { type AnyFiber, KnownFibers, type Lane } from "./KnownFibers.js";
import type { SimulatedProcess } from "./SimulatedProcess.js";
import { Trace } from "./Trace.js";
import { VirtualTime } from "./VirtualTime.js";
import { printOperation, VisibleOperations } from "./VisibleOperations.js";
import type { World } from "./World.js";

/** Steps that leftovers get to end in, after the verdict. */
const stepsToEnd = 5_000;

/** Fibers that a message names. */
const mostNamed = 12;

/** What of a world the loop needs. */
export type Rules = Pick<World<never>, "granularity" | "time" | "maxSteps" | "crash">;

/** Mutable; one for each run. */
export class ExploredRun {
  readonly choices: Choices;
  readonly fibers = new KnownFibers();
  readonly visible: VisibleOperations | null;
  readonly scheduler: ChoiceScheduler;
  readonly time: VirtualTime;
  readonly reached = new Set<string>();
  readonly trace: Trace | null;
  /** What is wrong with the world itself, if something is. */
  trouble: Finding | null = null;
  /** The root has ended: nothing is chosen any more. */
  over = false;
  private judged = false;
  steps = 0;
  private readonly callers: Array<Lane> = [];

  constructor(
    readonly rules: Rules,
    chooser: Chooser,
    traced: boolean,
  ) {
    this.choices = new Choices(chooser);
    const isVisible = rules.granularity === "visible";
    this.trace = traced ? new Trace(isVisible) : null;
    this.visible = isVisible
      ? new VisibleOperations(
          this.fibers,
          (lane) => this.yieldsHere(lane),
          (lane) => this.isInterruptedHere(lane),
        )
      : null;
    this.scheduler = new ChoiceScheduler(this.fibers, this.visible);
    this.time = new VirtualTime(() => this.fibers.current()?.program ?? null);
  }

  /** From now on this caller may be interrupted, once. */
  addCaller(fiber: AnyFiber): void {
    this.callers.push(this.fibers.of(fiber));
  }

  /** A fiber came to what the world wants to be reached. */
  comesTo(label: string, fiber: AnyFiber): void {
    if (this.judged) return;
    this.reached.add(label);
    this.trace?.note(this.fibers.of(fiber), `reached: ${label}`);
  }

  /** Runs until the root has ended and nothing more can go on by itself. */
  drive(root: AnyFiber): Finding | null {
    while (root.unsafePoll() === null) {
      const finding = this.limits() ?? this.step();
      if (finding !== null) return finding;
    }
    this.over = true;
    while (!this.scheduler.idle) {
      const finding = this.limits();
      if (finding !== null) return finding;
      this.scheduler.candidates();
      this.scheduler.run(0);
    }
    return this.limits();
  }

  /** Fibers that are left although nothing of the world owns them any more. */
  leaked(): ReadonlyArray<Lane> {
    return [...this.fibers.all()].filter((lane) => lane.lives && !lane.background);
  }

  /** After the verdict: what is left gives back what it holds, and is forgotten by Effect. */
  end(): void {
    this.over = true;
    this.judged = true;
    this.scheduler.recover();
    for (const { alive, fiber } of this.fibers.all()) {
      if (alive) fiber?.unsafeInterruptAsFork(FiberId.none);
    }
    for (let left = stepsToEnd; left > 0; left--) {
      if (!this.scheduler.idle) {
        this.scheduler.candidates();
        this.scheduler.run(0);
        this.scheduler.dropBusy();
      } else if (this.time.next !== null) this.time.wakeNext();
      else break;
    }
    for (const { alive, fiber } of this.fibers.all()) {
      if (alive && fiber !== null) forget(fiber);
    }
  }

  private limits(): Finding | null {
    if (this.trouble !== null) return this.trouble;
    const { busy, thrown } = this.scheduler;
    if (thrown !== null) {
      const message = `an observer of a fiber threw: ${printThrown(thrown.value)}`;
      return { kind: "program failed", message };
    }
    if (busy !== null) {
      return { kind: "step limit", message: `${busy.description} does not give way` };
    }
    const { maxSteps = 20_000 } = this.rules;
    if (++this.steps <= maxSteps) return null;
    const message = `did not end within ${maxSteps} steps; not ended: ${this.blocked()}`;
    return { kind: "step limit", message };
  }

  private step(): Finding | null {
    if (this.scheduler.idle) {
      if (this.time.next === null) return this.deadlock();
      const callers = this.interruptible(null);
      const chosen = this.choices.ask("time or an interruption", 1, callers.length);
      if (chosen === 0) this.passTime(false);
      else this.interrupt(callers[chosen - 1]);
      return null;
    }
    const lanes = this.scheduler.candidates();
    const { alone, quiet } = this.scheduler;
    if (quiet) {
      this.goOn(0, lanes);
      return null;
    }
    const callers = this.interruptible(alone);
    const time = this.timeMayPass(alone) ? 1 : 0;
    const events = time + callers.length;
    const chosen = this.choices.ask("what goes on", lanes.length, events, lanes);
    if (chosen < lanes.length) this.goOn(chosen, lanes);
    else if (chosen < lanes.length + time) this.passTime(true);
    else this.interrupt(callers[chosen - lanes.length - time]);
    return null;
  }

  /** Visible granularity: whether a fiber yields here, by itself or because something happens. */
  private yieldsHere(lane: Lane): boolean {
    if (this.over || lane.quiet) return false;
    const callers = this.interruptible(lane.program);
    const others = this.scheduler.hasOthers(lane) ? 1 : 0;
    const time = this.timeMayPass(lane.program) ? 1 : 0;
    const chosen = this.choices.ask("whether to yield", 1, others + time + callers.length);
    if (chosen === 0) return false;
    this.yields(lane);
    if (chosen > others + time) this.interrupt(callers[chosen - 1 - others - time]);
    else if (chosen > others) this.passTime(true);
    return true;
  }

  /** Visible granularity: whether a fiber is interrupted just before it cannot be any more. */
  private isInterruptedHere(lane: Lane): boolean {
    if (this.over || lane.quiet || !this.callers.includes(lane) || !lane.interruptible)
      return false;
    if (this.choices.ask("whether to be interrupted", 1, 1) === 0) return false;
    this.yields(lane);
    this.interrupt(lane);
    return true;
  }

  private yields(lane: Lane): void {
    this.trace?.happens(lane, `yields before it ${printOperation(lane.operation) ?? "goes on"}`);
  }

  /** Whether the next sleep may end early; within a program, only one of its own matters. */
  private timeMayPass(within: SimulatedProcess | null): boolean {
    if (this.rules.time !== true || this.time.next === null) return false;
    return within === null || this.time.nextOwner === within;
  }

  private goOn(chosen: number, lanes: ReadonlyArray<Lane>): void {
    const lane = lanes[chosen];
    if (lane === undefined) return;
    const { at, program } = lane;
    if (at !== null && program?.mayCrash === true) {
      if (this.choices.ask(program.crashLabel, 1, 1) === 1) {
        this.trace?.happens(lane, `crashes before ${at}`);
        this.crash(program);
        return;
      }
    }
    this.trace?.goesOn(lane, lanes.slice(0, chosen));
    lane.at = null;
    lane.started = true;
    lane.interrupted = false;
    this.scheduler.run(chosen);
  }

  private crash(program: SimulatedProcess): void {
    const exit = program.crash();
    if (exit._tag === "Failure") {
      const message = `onCrash of ${program.name} failed: ${printCause(exit.cause)}`;
      this.trouble ??= { kind: "program failed", message };
    }
    this.scheduler.lose(program);
    this.time.lose(program);
  }

  private passTime(early: boolean): void {
    this.trace?.timePasses(this.time.next, early);
    this.time.wakeNext();
  }

  /** The callers that may be interrupted now; `null` is in all programs. */
  private interruptible(within: SimulatedProcess | null): ReadonlyArray<Lane> {
    if (this.callers.length === 0) return this.callers;
    return this.callers.filter(
      (lane) => lane.started && lane.lives && (within === null || lane.program === within),
    );
  }

  private interrupt(lane: Lane | undefined): void {
    if (lane === undefined) return;
    this.trace?.happens(lane, "is interrupted");
    this.callers.splice(this.callers.indexOf(lane), 1);
    lane.interrupted = true;
    lane.fiber?.unsafeInterruptAsFork(FiberId.none);
  }

  private deadlock(): Finding {
    return { kind: "deadlock", message: `nothing can go on; blocked: ${this.blocked()}` };
  }

  /** Whoever has not ended, and where it was last seen. */
  private blocked(): string {
    const all = [...this.fibers.all()].filter(({ lives }) => lives);
    const named = all.slice(0, mostNamed).map(({ description }) => description);
    const others = all.length > mostNamed ? [`and ${all.length - mostNamed} others`] : [];
    return [...named, ...others].join("; ");
  }
}

/**
 * Effect keeps every root and daemon that has not ended, for ever. One that does not take its
 * interruption is ended by the internal method that its own loop ends it with.
 */
const forget = (fiber: AnyFiber): void => {
  (fiber as unknown as { readonly setExitValue: (exit: Exit.Exit<never>) => void }).setExitValue(
    Exit.interrupt(FiberId.none),
  );
};
