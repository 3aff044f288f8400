/**
 * LeaseSweep: what is left behind of leases goes.
 *
 * A program is the only authority over its own: those that no writer of it answers for, and those
 * of programs that are proved dead, nothing else. What is owed is tried again first, unless its
 * writer claims it meanwhile. While leases are held, or a change whose answer was lost may have
 * left a row, one fiber of the service does it now and then.
 */
import { Clock, Effect, type Scope } from "effect";
import { type AwakeClock, AwakeMillis } from "./AwakeClock.js";
import type { HeldLease } from "./HeldLeases.js";
import { aloneWith, giveUp, type Releasing } from "./LeaseRelease.js";
import type { LeasesSwept } from "./RegistryLeases.js";
import type { RegistryFailure } from "./SessionError.js";

/** What a sweep is done with. */
export interface Sweeping extends Releasing {
  readonly component: string;
  readonly graceMs: number;
  /** How often it is done while anything is held. */
  readonly spacingMs: number;
}

/** Gives back what is owed, if it still is. */
const owedAgain = (sweeping: Sweeping, held: HeldLease): Effect.Effect<void, RegistryFailure> =>
  Effect.suspend(() => (held.state._tag === "Owed" ? giveUp(sweeping, held) : Effect.void));

/** One sweep. */
export const sweepLeases = (sweeping: Sweeping): Effect.Effect<LeasesSwept, RegistryFailure> =>
  Effect.gen(function* () {
    const { component, graceMs, held, registry } = sweeping;
    const owed = held.all.filter(({ state }) => state._tag === "Owed");
    const tried = yield* Effect.forEach(owed, (lease) =>
      Effect.exit(aloneWith(sweeping.locks, lease)(owedAgain(sweeping, lease))),
    );
    const now = yield* Clock.currentTimeMillis;
    const isSwept = held.beginSweep(now - graceMs);
    const swept = yield* registry.sweepLeases({ component, graceMs, vouched: held.vouched });
    isSwept();
    for (const exit of tried) yield* exit;
    return swept;
  });

/**
 * Sees to it that a fiber of the scope sweeps now and then while there is anything to sweep for; it
 * ends when there is nothing. Run it behind whatever makes something held, or leaves a doubt.
 */
export const sweeper = (
  sweeping: Sweeping,
  awake: AwakeClock["Type"],
  scope: Scope.Scope,
): Effect.Effect<void> => {
  let isRunning = false;
  const next = Effect.gen(function* () {
    const now = yield* awake.now;
    yield* awake.sleepUntil(AwakeMillis(now + sweeping.spacingMs));
    // In one step: what is held from here on starts another.
    if (!sweeping.held.needSweeps) {
      isRunning = false;
      return false;
    }
    yield* Effect.catchAllCause(sweepLeases(sweeping), (cause) =>
      Effect.logWarning("leases were not swept", cause),
    );
    return true;
  });
  const sweep = Effect.repeat(next, { while: (goesOn) => goesOn });
  return Effect.suspend(() => {
    if (isRunning || !sweeping.held.needSweeps) return Effect.void;
    isRunning = true;
    return Effect.asVoid(Effect.forkIn(Effect.interruptible(sweep), scope));
  });
};
