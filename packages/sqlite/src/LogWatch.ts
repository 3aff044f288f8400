/**
 * LogWatch: one look at the log now and then for all who wait for it to move on.
 *
 * A commit of this program opens the gate that everybody waits at; a fiber of the program, alive
 * only while somebody waits, looks for the commits of others and opens it then. Whoever passes the
 * gate looks himself, so that one gate too many costs a look and one too few cannot be. A look that
 * fails opens it too: the failure is told to each by his own look.
 */
import { Deferred, Effect, Either, FiberId, type Scope } from "effect";

/** What is waited for. */
export interface LogWatch<E> {
  /** Ends when the look gives something other than `known`. */
  readonly awaitOther: (known: number) => Effect.Effect<void, E>;
  /** Tells those who wait that there may be more. */
  readonly wake: Effect.Effect<void>;
}

/** Mutable; each change is one synchronous step. */
class Gate {
  private next = Deferred.unsafeMake<void>(FiberId.none);
  waiting = 0;
  isWatched = false;

  get opened(): Effect.Effect<void> {
    return Deferred.await(this.next);
  }

  readonly open = Effect.suspend(() => {
    const open = this.next;
    this.next = Deferred.unsafeMake(FiberId.none);
    return Deferred.succeed(open, undefined);
  });
}

/** Looks until nobody waits any more; `known` is what a look gave before. */
const watch = <E>(
  gate: Gate,
  look: Effect.Effect<number, E>,
  spacingMs: number,
  known: number,
): Effect.Effect<void> =>
  Effect.gen(function* () {
    let seen = known;
    for (;;) {
      yield* Effect.sleep(spacingMs);
      if (gate.waiting === 0) {
        gate.isWatched = false;
        return;
      }
      const now = yield* Effect.either(look);
      if (Either.isRight(now) && now.right === seen) continue;
      if (Either.isRight(now)) seen = now.right;
      yield* gate.open;
    }
  });

/** A watch of what the look gives; its fiber ends with the scope. */
export const makeLogWatch = <E>(
  look: Effect.Effect<number, E>,
  spacingMs: number,
): Effect.Effect<LogWatch<E>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const gate = new Gate();

    const enter = (known: number) =>
      Effect.suspend(() => {
        gate.waiting++;
        if (gate.isWatched) return Effect.void;
        gate.isWatched = true;
        return Effect.forkIn(Effect.interruptible(watch(gate, look, spacingMs, known)), scope);
      });

    const leave = Effect.sync(() => {
      gate.waiting--;
    });

    const awaitOther = (known: number): Effect.Effect<void, E> =>
      Effect.suspend(() => {
        // Taken before the look: what is written behind the look opens this very gate.
        const { opened } = gate;
        return Effect.flatMap(look, (now) =>
          now === known
            ? Effect.zipRight(
                Effect.acquireUseRelease(
                  enter(known),
                  () => opened,
                  () => leave,
                ),
                Effect.suspend(() => awaitOther(known)),
              )
            : Effect.void,
        );
      });

    return { awaitOther, wake: gate.open };
  });
