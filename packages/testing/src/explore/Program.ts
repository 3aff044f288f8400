/**
 * Program: a simulated process inside a world: a runtime of its own that can crash.
 *
 * All fibers that are forked inside belong to it. Programs run in parallel and share only what
 * stands behind points, so a program is interleaved with others at its points alone. At each of
 * them a crash is one more choice, when the world allows it: in one step its fibers and sleeps are
 * lost, no finalizer runs, and `onCrash` does what the kernel would. What it changed in the fakes
 * stays. A program that is started afterwards is another process.
 */
import { Deferred, Effect, type Exit, FiberRefs, Runtime } from "effect";
import { currentRun } from "./CurrentRun.js";
import { named, outside } from "./Points.js";
import { SimulatedProcess } from "./SimulatedProcess.js";
import { standing } from "./Standing.js";

/** How a program ended. */
export type Ending<A, E> =
  | { readonly _tag: "Exited"; readonly exit: Exit.Exit<A, E> }
  | { readonly _tag: "Crashed" };

/** A program that was started. */
export interface StartedProgram<A, E> {
  readonly name: string;
  /** Waits for its end, which is also a crash. */
  readonly ending: Effect.Effect<Ending<A, E>>;
}

/** What may happen to a program. */
export interface ProgramOptions {
  /** Whether it may crash; as the world says, when it is left out. */
  readonly mayCrash?: boolean;
  /** What the kernel does at a crash. It must be synchronous, and runs outside every program. */
  readonly onCrash?: Effect.Effect<void>;
}

/** Starts a program, with the context of the caller. Only inside an exploration. */
export const program = <A, E, R>(
  name: string,
  effect: Effect.Effect<A, E, R>,
  options: ProgramOptions = {},
): Effect.Effect<StartedProgram<A, E>, never, R> =>
  Effect.gen(function* () {
    const run = currentRun();
    if (run === null) return yield* Effect.dieMessage(`program ${name} is outside a world`);
    const mayCrash = options.mayCrash ?? run.rules.crash ?? false;
    const runtime = yield* Effect.runtime<R>();
    // Not on the explored scheduler: the kernel's part takes no turn of any fiber.
    const onCrash = () => Runtime.runSyncExit(runtime)(outside(options.onCrash ?? Effect.void));
    const self = new SimulatedProcess(name, mayCrash, onCrash);
    const ending = yield* Deferred.make<Ending<A, E>>();
    const end = (how: Ending<A, E>) => Deferred.unsafeDone(ending, Effect.succeed(how));
    const fiber = Runtime.runFork(runtime)(named(name)(effect), {
      immediate: false,
      updateRefs: (refs, fiberId) => {
        const own = FiberRefs.getOrDefault(refs, standing);
        return FiberRefs.updateAs(refs, {
          fiberId,
          fiberRef: standing,
          value: { ...own, program: self },
        });
      },
    });
    fiber.addObserver((exit) => end({ _tag: "Exited", exit }));
    self.observe(() => end({ _tag: "Crashed" }));
    return { name, ending: Deferred.await(ending) };
  });
