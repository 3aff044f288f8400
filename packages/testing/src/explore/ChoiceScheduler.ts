/**
 * ChoiceScheduler: an Effect scheduler on which nothing runs until it is picked.
 *
 * Tasks of one fiber run first in, first out, as do tasks without a fiber: that much Effect's own
 * scheduler guarantees, and any other order would find failures that cannot happen. Tasks of a
 * program that crashed are set aside and never run while the run is judged. Priorities are
 * ignored: production ignores them between fibers.
 */
import type { Scheduler } from "effect";
import type { AnyFiber, KnownFibers, Lane } from "./KnownFibers.js";
import type { SimulatedProcess } from "./SimulatedProcess.js";
import type { VisibleOperations } from "./VisibleOperations.js";

/** More operations in one step than any real one has: the fiber is taken to be in a loop. */
const operationsInOneStep = 1_000_000;
/** As many, when a run has been judged and only gives back what it holds. */
const operationsToEnd = 10_000;

interface Task {
  readonly run: () => void;
  readonly lane: Lane;
}

interface Head {
  readonly lane: Lane;
  readonly place: number;
}

/** The first program of which no lane is at a point. */
const aloneAmong = (heads: ReadonlyArray<Head>): SimulatedProcess | null => {
  const first = heads.find(
    ({ lane: { program } }) =>
      program !== null && heads.every(({ lane }) => lane.program !== program || lane.at === null),
  );
  return first?.lane.program ?? null;
};

/** One run's scheduler. */
export class ChoiceScheduler implements Scheduler.Scheduler {
  /** A fiber that does not give way. */
  busy: Lane | null = null;
  /** What a task threw, which no task of Effect does but for an observer of a fiber. */
  thrown: { readonly value: unknown } | null = null;
  /** Whether the only candidate of the last round is quiet. */
  quiet = false;
  /** The program whose lanes were the only candidates of the last round. */
  alone: SimulatedProcess | null = null;
  private queue: Array<Task> = [];
  private lost: Array<Task> = [];
  private round = 0;
  private places: ReadonlyArray<number> = [];
  private most = operationsInOneStep;

  constructor(
    private readonly fibers: KnownFibers,
    private readonly visible: VisibleOperations | null,
  ) {}

  scheduleTask(run: () => void, _priority: number, fiber?: AnyFiber): void {
    const lane = fiber === undefined ? this.fibers.withoutFiber() : this.fibers.of(fiber);
    if (lane.program?.crashed === true) this.lost.push({ run, lane });
    else this.queue.push({ run, lane });
  }

  shouldYield(fiber: AnyFiber): number | false {
    if (fiber.currentOpCount > this.most) {
      this.busy = this.fibers.of(fiber);
      return 0;
    }
    return this.visible === null ? false : this.visible.shouldYield(fiber);
  }

  get idle(): boolean {
    return this.queue.length === 0;
  }

  /**
   * The lanes that can go on, the one that production would run first in front. Programs run in
   * parallel and share only what stands behind points: one that is between its points with all
   * that it has goes on alone, as no order with the others could be told from another. A quiet
   * lane goes on before everything else.
   */
  candidates(): ReadonlyArray<Lane> {
    const round = ++this.round;
    let heads: Array<Head> = [];
    for (const [place, { lane }] of this.queue.entries()) {
      if (lane.round === round) continue;
      lane.round = round;
      heads.push({ lane, place });
    }
    const quiet = heads.find(({ lane }) => lane.quiet);
    this.quiet = quiet !== undefined;
    this.alone = aloneAmong(heads);
    if (quiet !== undefined) heads = [quiet];
    else if (this.alone !== null) heads = heads.filter(({ lane }) => lane.program === this.alone);
    this.places = heads.map(({ place }) => place);
    return heads.map(({ lane }) => lane);
  }

  /** Whether a task is queued whose order with this lane matters. */
  hasOthers({ program }: Lane): boolean {
    return this.queue.some(({ lane }) => program === null || lane.program === program);
  }

  /** Runs the first task of a candidate of the last round. */
  run(candidate: number): void {
    const [task] = this.queue.splice(this.places[candidate] ?? 0, 1);
    try {
      task?.run();
    } catch (value) {
      this.thrown ??= { value };
    }
  }

  /** Sets aside what a crashed program has queued. */
  lose(program: SimulatedProcess): void {
    this.lost.push(...this.queue.filter(({ lane }) => lane.program === program));
    this.queue = this.queue.filter(({ lane }) => lane.program !== program);
  }

  /** After the verdict: what was set aside may end, so that it gives back what it holds. */
  recover(): void {
    this.queue.push(...this.lost.splice(0));
    this.most = operationsToEnd;
    this.dropBusy();
  }

  /** After the verdict: forgets the fiber that does not give way, which would never end. */
  dropBusy(): void {
    const { busy } = this;
    if (busy === null) return;
    this.busy = null;
    this.queue = this.queue.filter(({ lane }) => lane !== busy);
  }
}
