/**
 * Holder: a program of this process that runs a turn in a session of a stage, and so has its lease.
 *
 * It lives until it is told to let go; its turn ends then, or when the lease is taken from it.
 */
import { SessionHandles } from "@troupe/core";
import { Troupe } from "@troupe/node";
import { Context, Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect";
import type { Stage } from "../support/Stage.js";

/** A program that holds a lease. */
export interface Holder {
  /** Ends with the tag of what its turn failed with. */
  readonly ended: () => Promise<string>;
  readonly close: () => Promise<void>;
}

const holders = new Map<Stage, Holder>();

/** Begins a turn that only an interruption ends; it has begun when this has. */
const begin = (session: string, { home, socket }: Stage, scope: Scope.Scope) =>
  Effect.gen(function* () {
    const layer = Troupe.layer({ home, socket, reconcileOnStart: false });
    const handles = Context.get(yield* Layer.buildWithScope(layer, scope), SessionHandles);
    const begun = yield* Deferred.make<void>();
    const handle = yield* handles.get(session, { surface: "agent" });
    const turn = handle.runTurn(() =>
      Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never),
    );
    const fiber = yield* Effect.forkIn(turn, scope);
    yield* Effect.raceFirst(Deferred.await(begun), Effect.asVoid(Fiber.join(fiber)));
    return fiber;
  });

/** A program that runs a turn in the session. */
export const hold = async (stage: Stage, session: string): Promise<Holder> => {
  const scope = Effect.runSync(Scope.make());
  const fiber = await Effect.runPromise(begin(session, stage, scope));
  const holder: Holder = {
    ended: () =>
      Effect.runPromise(Effect.map(Effect.flip(Fiber.join(fiber)), ({ _tag }): string => _tag)),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void)),
  };
  holders.set(stage, holder);
  return holder;
};

/** Ends the program that holds something on the stage. */
export const letGo = async (stage: Stage): Promise<void> => {
  await holders.get(stage)?.close();
  holders.delete(stage);
};
