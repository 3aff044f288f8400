/**
 * LeaseDoubt: what is noted of a change of a lease that ended without an answer.
 *
 * The change may be done: a claim may have left a row, and a move may have given the row to another
 * writer or another name. Nobody was told that he has it, so a sweep takes it when it is old enough
 * and nobody vouches for it any more. What the registry answered leaves no doubt.
 */
import { Cause, Clock, Effect, Option } from "effect";
import type { HeldLease, HeldLeases } from "./HeldLeases.js";
import { RegistryCorrupt, RegistryUnavailable } from "./SessionError.js";

/** Where a doubt is noted. */
export interface Doubting {
  readonly held: HeldLeases;
  /** Run when something is held, or to be swept for. */
  readonly onHeld: Effect.Effect<unknown>;
}

const isAnswer = (failure: unknown): boolean =>
  !(failure instanceof RegistryUnavailable || failure instanceof RegistryCorrupt);

/** Notes the doubt that this end leaves; `moved` is the lease that was to go elsewhere. */
export const leftInDoubt = (
  { held, onHeld }: Doubting,
  cause: Cause.Cause<unknown>,
  moved: HeldLease | null,
): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (Option.exists(Cause.failureOption(cause), isAnswer)) return;
    held.leaveDoubt(yield* Clock.currentTimeMillis, moved);
    yield* onHeld;
  });
