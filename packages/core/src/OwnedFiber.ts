/**
 * OwnedFiber: a fiber of the program's that somebody's call begins, and that is not his.
 *
 * It can be interrupted wherever it was begun, it is part of no turn although it was begun in one,
 * and it ends with the scope that owns it. Who wants it to end asks for that, and waits for nothing
 * of it: what it waits for may not hear.
 */
import { Effect, type Exit, type Fiber, FiberId, type Scope } from "effect";
import { outsideTurns } from "./TurnInside.js";

/** Begins the fiber; `behind` is run when the effect is over, also where it never began. */
export const forkOwned = <A, E>(
  scope: Scope.Scope,
  effect: Effect.Effect<A, E>,
  behind: (exit: Exit.Exit<A, E>) => Effect.Effect<A, E> = (exit) => exit,
): Effect.Effect<Fiber.RuntimeFiber<A, E>> =>
  Effect.exit(Effect.interruptible(effect)).pipe(
    Effect.flatMap(behind),
    outsideTurns,
    Effect.forkIn(scope),
    Effect.uninterruptible,
  );

/** Asks the fiber to end, in this step; `null` is none that has begun. */
export const askToEnd = (fiber: Fiber.RuntimeFiber<unknown, unknown> | null): void =>
  fiber?.unsafeInterruptAsFork(FiberId.none);
