/**
 * TurnGate: the one door through which turns of a program come in.
 *
 * A turn is counted from its acceptance until everything of it has unwound, so whoever asks whether
 * the program is idle never finds it so between two steps of a turn. A program that retires lets
 * nobody in any more and waits for those who are; it never opens again. It also knows when
 * something last happened, beyond the end of what did it.
 */
import { Deferred, Effect } from "effect";
import type { AwakeClock, AwakeMillis } from "./AwakeClock.js";
import { Closing } from "./SessionError.js";

/** What a program does. */
export interface TurnActivity {
  readonly running: number;
  /** When something of a turn last happened, in awake time; `null` when there was never one. */
  readonly last: AwakeMillis | null;
}

/** The door. */
export interface TurnGate {
  /** Lets a turn in; what it gives is run once, when all of it has unwound. */
  readonly enter: (session: string) => Effect.Effect<Effect.Effect<void>, Closing>;
  /** Something happened in a turn. */
  readonly touch: Effect.Effect<void>;
  /** How many are in, and when one last did something. */
  readonly activity: Effect.Effect<TurnActivity>;
  /** Lets nobody in from here on. */
  readonly close: Effect.Effect<void>;
  /** The same; done when nobody is in. */
  readonly retire: Effect.Effect<void>;
}

/** A door that is open. */
export const makeTurnGate = (awake: AwakeClock["Type"]): Effect.Effect<TurnGate> =>
  Effect.map(Deferred.make<void>(), (empty) => {
    let running = 0;
    let isRetiring = false;
    let last: AwakeMillis | null = null;
    const touch = Effect.map(awake.now, (now) => {
      last = now;
    });
    const leave = Effect.suspend(() => {
      running -= 1;
      return isRetiring && running === 0 ? Deferred.succeed(empty, undefined) : Effect.void;
    });
    return {
      touch,
      enter: (session) =>
        Effect.suspend(() => {
          if (isRetiring) return new Closing({ session, attempted: "run a turn" });
          running += 1;
          let isIn = true;
          const once = Effect.suspend(() => {
            if (!isIn) return Effect.void;
            isIn = false;
            return Effect.zipRight(touch, leave);
          });
          return Effect.as(touch, Effect.uninterruptible(once));
        }),
      activity: Effect.sync(() => ({ running, last })),
      close: Effect.sync(() => {
        isRetiring = true;
      }),
      retire: Effect.suspend(() => {
        isRetiring = true;
        return running === 0 ? Effect.void : Deferred.await(empty);
      }),
    };
  });
