/**
 * TurnInside: the turns that a fiber is part of.
 *
 * What a turn forks is part of it, too, unless it is another's that was only asked for inside. It
 * is asked so that nobody waits for himself, and so that a turn that ends its own session is not
 * taken for one that lost it. It holds no turn back.
 */
import { Deferred, Effect, FiberRef } from "effect";
import type { Lease, LeaseId } from "./Lease.js";
import type { RunningTurn } from "./TurnSeat.js";

/** A turn that runs, with its lease. */
export interface InsideTurn {
  readonly turn: RunningTurn;
  readonly lease: Lease;
  /** How many deletes of its session it asked for that did not fail: what drops its lease then. */
  deletes: number;
}

const inTurns = FiberRef.unsafeMake<ReadonlyArray<InsideTurn>>([]);

/** Runs the effect as part of the turn. */
export const insideTurn =
  (inside: InsideTurn) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.locallyWith(effect, inTurns, (turns) => [...turns, inside]);

/** Runs the effect as part of no turn: for what was asked for inside one and is not its own. */
export const outsideTurns = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.locally(effect, inTurns, []);

/** The turns that the current fiber is part of, and that are not over. */
export const insideTurns: Effect.Effect<ReadonlyArray<InsideTurn>> = Effect.flatMap(
  FiberRef.get(inTurns),
  (turns) => Effect.filter(turns, ({ turn }) => Effect.negate(Deferred.isDone(turn.settled))),
);

/** Deletes the session of the lease: to a turn under it, its own doing. */
export const deletingOwn =
  (lease: LeaseId) =>
  <A, E, R>(deleted: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(insideTurns, (turns) => {
      const own = turns.filter((inside) => inside.lease.lease === lease);
      const count = (by: number) =>
        Effect.sync(() => {
          for (const inside of own) inside.deletes += by;
        });
      return Effect.acquireUseRelease(
        count(1),
        () => deleted,
        (_, exit) => (exit._tag === "Success" ? Effect.void : count(-1)),
      );
    });
