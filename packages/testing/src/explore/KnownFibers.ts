/**
 * KnownFibers: every fiber that a run has seen, with a name that does not depend on Effect's ids.
 *
 * A fiber is called what `Explore.named` says, and otherwise after the fiber that first scheduled
 * it (`root.2` is the second child of `root`), so the same schedule has the same names.
 */
import { Fiber, Option, RuntimeFlags } from "effect";
import type { SimulatedProcess } from "./SimulatedProcess.js";
import { standing } from "./Standing.js";

/** Any fiber. */
export type AnyFiber = Fiber.RuntimeFiber<unknown, unknown>;

/**
 * A part of a world in which nothing is chosen, until it is over. It goes from fiber to fiber and
 * not in a FiberRef, because finalizers run with the refs of where they were added.
 */
interface QuietRegion {
  over: boolean;
}

/** A queue of tasks that run first in, first out: a fiber, or all that runs without one. */
export class Lane {
  private readonly defaultName: () => string;
  private givenName: string | null = null;
  private region: QuietRegion | null;
  private children = 0;
  /** What it was last seen to be about to do. */
  label: string | null = null;
  /** The label of the point that it stands at, until it goes on. */
  at: string | null = null;
  started = false;
  /** Has been interrupted, and has not run since. */
  interrupted = false;
  /** The round of the scheduler in which it was last looked at. */
  round = 0;
  /** Visible granularity: the operation under way, and the one before which it yielded. */
  operation: unknown = null;
  yieldedBefore: unknown = null;

  constructor(
    readonly fiber: AnyFiber | null,
    readonly program: SimulatedProcess | null,
    readonly background: boolean,
    /** The lane that first scheduled this one. */
    parent: Lane | null,
  ) {
    this.defaultName = parent === null ? () => "root" : parent.nameOfNextChild();
    this.region = parent?.region ?? null;
  }

  get name(): string {
    this.givenName ??= this.defaultName();
    return this.givenName;
  }

  rename(name: string): void {
    this.givenName = name;
  }

  nameOfNextChild(): () => string {
    const child = ++this.children;
    return () => `${this.name}.${child}`;
  }

  get alive(): boolean {
    return this.fiber !== null && this.fiber.unsafePoll() === null;
  }

  /** Goes on at once, and chooses nothing. */
  get quiet(): boolean {
    return this.region?.over === false;
  }

  /** Begins a quiet region, for this fiber and all that it forks; gives what ends it. */
  beQuiet(): () => void {
    const outer = this.region;
    const region = { over: false };
    this.region = region;
    return () => {
      region.over = true;
      this.region = outer;
    };
  }

  /** Whether an interruption would be taken now. */
  get interruptible(): boolean {
    const { currentRuntimeFlags: flags } = this.fiber as unknown as {
      readonly currentRuntimeFlags: RuntimeFlags.RuntimeFlags;
    };
    return RuntimeFlags.interruptible(flags);
  }

  /** Alive, and not lost in a crash. */
  get lives(): boolean {
    return this.alive && this.program?.crashed !== true;
  }

  /** Its name and what it was last about to do. */
  get description(): string {
    const where = this.program === null ? "" : `${this.program.name}: `;
    return `${where}${this.name}${this.label === null ? "" : ` (${this.label})`}`;
  }
}

/** The lanes of one run. */
export class KnownFibers {
  private readonly lanes = new Map<AnyFiber, Lane>();
  private readonly without = new Map<SimulatedProcess | null, Lane>();

  /** The lane of a fiber, made when it is first seen. */
  of(fiber: AnyFiber): Lane {
    const known = this.lanes.get(fiber);
    if (known !== undefined) return known;
    const { background, program } = fiber.getFiberRef(standing);
    const lane = new Lane(fiber, program, background, this.current());
    this.lanes.set(fiber, lane);
    return lane;
  }

  /** The lane of the fiber that is running, `null` between steps. */
  current(): Lane | null {
    const fiber = Option.getOrNull(Fiber.getCurrentFiber());
    return fiber === null ? null : (this.lanes.get(fiber) ?? null);
  }

  /** The lane for tasks that belong to no fiber, of the program that is running. */
  withoutFiber(): Lane {
    const program = this.current()?.program ?? null;
    const known = this.without.get(program);
    if (known !== undefined) return known;
    const lane = new Lane(null, program, true, null);
    lane.rename("task");
    this.without.set(program, lane);
    return lane;
  }

  all(): Iterable<Lane> {
    return this.lanes.values();
  }
}
