/**
 * TurnInterrupt: asking a turn to stop, and waiting until it has.
 *
 * Asking waits for nothing: the turn ends by itself, with its finalizers. Waiting is bounded, in
 * awake time, and from inside the turn there is none: nobody waits for himself.
 */
import { Deferred, Effect, Fiber, Option } from "effect";
import { awaitWithin } from "./AwaitWithin.js";
import { type AwakeClock, AwakeMillis } from "./AwakeClock.js";
import type { TurnId } from "./Lease.js";
import { type InterruptCause, TurnInterrupted } from "./LeaseError.js";
import { insideTurns } from "./TurnInside.js";
import type { TurnSeat } from "./TurnSeat.js";

/** Whether the current fiber is part of the turn that runs in this seat. */
export const isInside = (seat: TurnSeat): Effect.Effect<boolean> =>
  Effect.map(insideTurns, (inside) => inside.some(({ turn }) => turn === seat.running));

interface Interrupting {
  readonly awake: AwakeClock["Type"];
  readonly settings: { readonly turnSettleMs: number };
}

/** Asks this turn to stop; whether it is the one that runs. */
export const stopTurn = (
  { awake, settings }: Interrupting,
  seat: TurnSeat,
  turn: TurnId,
  cause: InterruptCause,
): Effect.Effect<boolean> =>
  Effect.flatMap(awake.now, (now) =>
    Effect.suspend(() => {
      const settlesBy = AwakeMillis(now + settings.turnSettleMs);
      if (!seat.interrupt(turn, cause, settlesBy)) return Effect.succeed(false);
      const fiber = seat.running?.fiber ?? null;
      return Effect.as(fiber === null ? Effect.void : Fiber.interruptFork(fiber), true);
    }),
  );

/** Asks the turn that runs to stop, and drops what waits or was let in; whether one ran. */
export const stopSeat = (
  interrupting: Interrupting,
  seat: TurnSeat,
  cause: InterruptCause,
): Effect.Effect<boolean> =>
  Effect.suspend(() => {
    const { running, writer } = seat;
    if (running !== null) return stopTurn(interrupting, seat, running.id, cause);
    const { session } = writer;
    seat.drop(new TurnInterrupted({ session, attempted: "run a turn", turn: null, by: cause }));
    return Effect.succeed(false);
  });

/** Waits until the turn that runs is settled, so long at most; whether it is. */
export const settledWithin = (
  { awake }: Pick<Interrupting, "awake">,
  seat: TurnSeat,
  waitMs: number,
): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const { running } = seat;
    if (running === null) return true;
    if (yield* isInside(seat)) return false;
    const until = AwakeMillis((yield* awake.now) + waitMs);
    return Option.isSome(yield* awaitWithin(awake, until, Deferred.await(running.settled)));
  });
