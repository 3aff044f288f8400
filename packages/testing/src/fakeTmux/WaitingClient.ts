/**
 * WaitingClient: a client whose commands wait, until it has its answer or is gone.
 *
 * Time passes for the machine meanwhile, for programs whose end it may wait for. It is told of a
 * defect that time brings.
 */
import type { TmuxReply } from "@troupe/tmux";
import { Clock, Deferred, Effect, Fiber, type Scope } from "effect";
import type { Machine } from "./Machine.js";
import type { ModelTime } from "./ModelTime.js";
import type { Unfinished } from "./Unfinished.js";
import type { Visit } from "./Visit.js";

/** The end of its commands. One that is gone leaves its queue, and this is interrupted. */
export const untilEnded = (
  machine: Machine,
  time: ModelTime,
  scope: Scope.Scope,
  unfinished: Unfinished,
  visit: Visit,
): Effect.Effect<TmuxReply> =>
  Effect.gen(function* () {
    const ended = yield* Deferred.make<TmuxReply>();
    unfinished.onEnd((reply) => Deferred.unsafeDone(ended, Effect.succeed(reply)));
    visit.onClose(() => {
      machine.forget(unfinished);
      Deferred.unsafeDone(ended, Effect.interrupt);
    });
    const passing = Effect.gen(function* () {
      for (;;) {
        const now = time.of(yield* Clock.currentTimeMillis);
        const next = machine.timers.next();
        yield* Effect.sleep(next === null ? 1000 : Math.max(1, next - now));
        machine.advance(time.of(yield* Clock.currentTimeMillis));
      }
    });
    const watched = Effect.catchAllDefect(passing, (defect) => Deferred.die(ended, defect));
    const watcher = yield* Effect.forkIn(Effect.interruptible(watched), scope);
    return yield* Effect.ensuring(Deferred.await(ended), Fiber.interrupt(watcher));
  }).pipe(Effect.onInterrupt(() => Effect.sync(() => machine.forget(unfinished))));
