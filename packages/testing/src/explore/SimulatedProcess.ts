/**
 * SimulatedProcess: a program inside a world: a name, whether it crashed, and what a crash does.
 *
 * It holds no fiber: fibers belong to it by their `Standing`. A crash is one synchronous step
 * after which no task of the program ever runs, so its finalizers do not run either; `onCrash`
 * stands for what the kernel does then, such as giving locks back.
 */
import type { Exit } from "effect";

/** Mutable; `crash` may be called once. */
export class SimulatedProcess {
  crashed = false;
  readonly crashLabel: string;
  private readonly observers: Array<() => void> = [];

  constructor(
    readonly name: string,
    readonly mayCrash: boolean,
    private readonly onCrash: () => Exit.Exit<void>,
  ) {
    this.crashLabel = `crash of ${name}`;
  }

  /** Told when it crashes, after `onCrash`. */
  observe(observer: () => void): void {
    this.observers.push(observer);
  }

  /** Gives how the kernel's part went. */
  crash(): Exit.Exit<void> {
    this.crashed = true;
    const exit = this.onCrash();
    for (const observer of this.observers) observer();
    return exit;
  }
}
