/**
 * Points: what code under exploration says: where fibers may switch, what may come out, what was
 * reached, and who it is.
 *
 * All of it belongs into fakes and worlds, not into the code that is explored. Outside an
 * exploration a point does nothing, a choice is its first option, and names are not kept.
 */
import { Effect, type Exit, Fiber, Scope } from "effect";
import { currentRun } from "./CurrentRun.js";
import type { ExploredRun } from "./ExploredRun.js";
import type { AnyFiber } from "./KnownFibers.js";
import { printValue } from "./PrintedValue.js";
import { type Standing, standing } from "./Standing.js";
import { invisible } from "./VisibleOperations.js";

/** Runs the body with the run and the current fiber, when a choice may be made here. */
const whenChoosing = <A>(
  otherwise: A,
  body: (run: ExploredRun, fiber: AnyFiber) => Effect.Effect<A>,
): Effect.Effect<A> =>
  invisible(
    Effect.withFiberRuntime<A>((fiber) => {
      const run = currentRun();
      if (run === null || run.over || run.fibers.of(fiber as AnyFiber).quiet) {
        return Effect.succeed(otherwise);
      }
      return body(run, fiber as AnyFiber);
    }),
  );

/** A place where fibers may switch and a program may crash; the label says what comes next. */
export const point = (label: string): Effect.Effect<void> =>
  whenChoosing<void>(undefined, (run, fiber) => {
    const lane = run.fibers.of(fiber);
    lane.label = label;
    lane.at = label;
    return Effect.yieldNow();
  });

const textOf = (option: unknown): string =>
  typeof option === "object" && option !== null && "_tag" in option
    ? printValue(option._tag)
    : printValue(option);

/** One of several outcomes; the first is what happens without exploration, any other costs 1. */
export const choose = <A>(label: string, options: readonly [A, ...ReadonlyArray<A>]) =>
  whenChoosing<A>(options[0], (run, fiber) => {
    if (options.length === 0) return Effect.dieMessage(`${label}: nothing to choose from`);
    const chosen = run.choices.ask(label, 1, options.length - 1);
    const option = options[chosen] ?? options[0];
    if (chosen > 0) run.trace?.happens(run.fibers.of(fiber), `${label}: ${textOf(option)}`);
    return Effect.succeed(option);
  });

/** Witnesses that a run came here, until it is judged. */
export const reached = (label: string): Effect.Effect<void> =>
  invisible(
    Effect.withFiberRuntime<void>((fiber) => {
      currentRun()?.comesTo(label, fiber as AnyFiber);
      return Effect.void;
    }),
  );

/** Gives the current fiber a name in tables and messages. */
export const named =
  (name: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime<A, E, R>((fiber) => {
      currentRun()
        ?.fibers.of(fiber as unknown as AnyFiber)
        .rename(name);
      return effect;
    });

const inStanding =
  (change: Partial<Standing>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.locallyWith(effect, standing, (own) => ({ ...own, ...change }));

/** Fibers that are forked inside may be alive when the world ends, without being a leak. */
export const background = inStanding({ background: true });

/**
 * Nothing is chosen inside, and nobody else runs while it can go on: for what is not under test,
 * such as building layers or a last look. Fibers that are still alive at its end are as any other.
 */
export const quietly = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  invisible(
    Effect.withFiberRuntime<A, E, R>((fiber) => {
      const run = currentRun();
      if (run === null) return effect;
      const end = run.fibers.of(fiber as unknown as AnyFiber).beQuiet();
      return Effect.ensuring(effect, Effect.sync(end));
    }),
  );

/** `Effect.scoped` whose finalizers run quietly: most of them run in parallel, to no effect. */
export const scoped = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, Exclude<R, Scope.Scope>> =>
  Effect.acquireUseRelease(
    Scope.make(),
    (scope) => Scope.extend(effect, scope),
    (scope, exit) => quietly(Scope.close(scope, exit)),
  );

/** What is forked inside belongs to the world and survives the crash of the program that forks. */
export const outside = inStanding({ program: null });

/**
 * Runs the effect in a fiber of its own that may be interrupted once, at any step after its first.
 * Gives its exit, so that the world knows whether the caller heard an answer.
 */
export const interruptible = <A, E, R>(
  name: string,
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<Exit.Exit<A, E>, never, R> =>
  Effect.flatMap(Effect.fork(named(name)(effect)), (fiber) => {
    currentRun()?.addCaller(fiber as AnyFiber);
    return Fiber.await(fiber);
  });
