/**
 * SimulatedProcess: a program inside a world: a name, whether it crashed, and what a crash does.
 *
 * It holds no fiber: fibers belong to it by their `Standing`. A crash is one synchronous step
 * after which no task of the program ever runs, so its finalizers do not run either; `onCrash`
 * stands for what the kernel does then, such as giving locks back.
 */
import { type Effect, Runtime } from "effect";

/** Mutable; `crash` may be called once. */
export class SimulatedProcess {
  crashed = false;
  readonly crashLabel: string;
  private readonly observers: Array<() => void> = [];

  constructor(
    readonly name: string,
    readonly mayCrash: boolean,
    private readonly onCrash: Effect.Effect<void>,
  ) {
    this.crashLabel = `crash of ${name}`;
  }

  /** Told when it crashes, after `onCrash`. */
  observe(observer: () => void): void {
    this.observers.push(observer);
  }

  crash(): void {
    this.crashed = true;
    // Not on the explored scheduler: the kernel's part takes no turn of any fiber.
    Runtime.runSync(Runtime.defaultRuntime)(this.onCrash);
    for (const observer of this.observers) observer();
  }
}
