/**
 * AwaitWithin: waiting for something until a time awake, and no longer.
 *
 * Where its caller cannot be interrupted it waits as long as was said, also when he is asked to
 * stop meanwhile: that reaches the children of a fiber whatever it does itself, so its fibers are
 * those of a scope of its own. What it waits for is asked to stop when the time is over.
 */
import { Deferred, Effect, Option } from "effect";
import type { AwakeClock, AwakeMillis } from "./AwakeClock.js";

/** What the wait gives, if it does by then. */
export const awaitWithin = <A, E>(
  awake: AwakeClock["Type"],
  until: AwakeMillis,
  wait: Effect.Effect<A, E>,
): Effect.Effect<Option.Option<A>, E> =>
  Effect.gen(function* () {
    const first = yield* Deferred.make<Option.Option<A>, E>();
    const late = Effect.as(awake.sleepUntil(until), Option.none<A>());
    for (const one of [Effect.asSome(wait), late]) {
      yield* Effect.forkScoped(Effect.interruptible(Effect.intoDeferred(one, first)));
    }
    return yield* Deferred.await(first);
  }).pipe(Effect.scoped);
