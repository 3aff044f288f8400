/**
 * JoinedListing: a `Tmux` whose listings are joined by those who ask at the same time.
 *
 * One listing runs at a time. Who asks while one runs is answered by the next, never by one that
 * began before he asked, so what he is told is as new as if he had listed alone. A hundred askers
 * cost a listing and a wait, not a hundred processes. Who leaves changes nothing for the others.
 * When the scope has closed, everyone lists for himself.
 */
import { Deferred, Effect, Exit, FiberId, type Scope } from "effect";
import type { LookupFailed } from "./SessionError.js";
import type { Listing, Tmux } from "./Tmux.js";

/** `null`: nobody lists for others any more. */
type Answer = Deferred.Deferred<Listing | null, LookupFailed>;

/** The same tmux; its listings are joined until the scope closes, which ends the one that runs. */
export const joiningListings = (
  tmux: Tmux["Type"],
): Effect.Effect<Tmux["Type"], never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    let next: Answer | null = null;
    let serving = false;
    /** Takes what is due; who finds nothing has ended serving in the same step. */
    const take = () => {
      const due = next;
      next = null;
      serving = due !== null;
      return due;
    };
    const serve = (attempted: string): Effect.Effect<void> =>
      Effect.gen(function* () {
        for (let due = take(); due !== null; due = take()) {
          const exit = yield* Effect.exit(Effect.interruptible(tmux.list(attempted)));
          const closed = Exit.isInterrupted(exit);
          yield* Deferred.done(due, closed ? Exit.succeed(null) : exit);
        }
      });
    return {
      ...tmux,
      list: (attempted) =>
        Effect.suspend(() => {
          next ??= Deferred.unsafeMake(FiberId.none);
          const answer = Effect.flatMap(Deferred.await(next), (listing) =>
            listing === null ? tmux.list(attempted) : Effect.succeed(listing),
          );
          if (serving) return answer;
          serving = true;
          // Uninterruptible from its first step, so that everyone who waits is told something.
          const served = Effect.uninterruptible(Effect.forkIn(serve(attempted), scope));
          return Effect.zipRight(served, answer);
        }),
    };
  });
