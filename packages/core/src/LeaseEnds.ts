/**
 * LeaseEnds: how leases are given back: by who says so, by the scope that wanted them, at the end
 * of their writer, and behind a turn that runs on.
 *
 * What is meant is what became of the lease that was given: one that was moved meanwhile goes where
 * it is. Each is done alone with the lease, and the fibers that wait for a settlement are those of
 * the service.
 */
import { Deferred, Effect, Exit, Option, type Scope } from "effect";
import type { HeldLease } from "./HeldLeases.js";
import type { Settlement } from "./Lease.js";
import type { LeaseClaims } from "./LeaseClaims.js";
import { type Deferral, type DeferralPorts, runDeferral } from "./LeaseDeferral.js";
import { aloneWith, giveUp, type Releasing } from "./LeaseRelease.js";
import type { Leases, Unsettled } from "./Leases.js";

/** The calls of `Leases` that give a lease back. */
export type LeaseEnds = Pick<Leases["Type"], "release" | "defer" | "end" | "settle">;

/** The calls, over the leases that are held. */
export const leaseEnds = (ports: DeferralPorts, scope: Scope.Scope): LeaseEnds => {
  const deferrals = new Set<Deferral>();
  const { held, locks } = ports;
  const given = (own: HeldLease) => aloneWith(locks, own)(giveUp(ports, own));
  const deferred = (own: HeldLease, unsettled: Unsettled) =>
    Effect.gen(function* () {
      if (own.step({ _tag: "End", unsettled: unsettled.turn }) !== "look") return;
      const told = yield* Deferred.make<Settlement>();
      const deferral: Deferral = { held: own, unsettled, told };
      deferrals.add(deferral);
      yield* runDeferral(ports, deferral).pipe(
        Effect.ensuring(Effect.sync(() => deferrals.delete(deferral))),
        Effect.interruptible,
        Effect.forkIn(scope),
      );
    }).pipe(Effect.uninterruptible, aloneWith(locks, own));
  return {
    release: (lease) =>
      Effect.suspend(() => {
        const own = held.since(lease);
        return own === null ? Effect.void : given(own);
      }),
    defer: (lease, unsettled) =>
      Effect.suspend(() => {
        const own = held.since(lease);
        return own === null ? Effect.void : deferred(own, unsettled);
      }),
    end: (actor, unsettled) =>
      Effect.gen(function* () {
        const ends = held
          .allBy(actor)
          .map((own) =>
            unsettled === null || own.state._tag === "Owed" ? given(own) : deferred(own, unsettled),
          );
        // Each whatever became of the others.
        const exits = yield* Effect.forEach(ends, Effect.exit);
        yield* Option.getOrElse(Exit.all(exits), () => Exit.void);
      }),
    settle: (settlement) =>
      Effect.suspend(() =>
        Effect.forEach(
          [...deferrals].filter(({ unsettled }) => unsettled.turn === settlement.turn),
          ({ told }) => Deferred.succeed(told, settlement),
          { discard: true },
        ),
      ),
  };
};

/** As a claim, until the scope closes; the last scope that wants it gives it back. */
export const acquireOf =
  (releasing: Releasing, claim: LeaseClaims["claim"]): Leases["Type"]["acquire"] =>
  (writer) => {
    const left = (own: HeldLease) =>
      Effect.suspend(() => (own.leave() ? giveUp(releasing, own) : Effect.void));
    return Effect.acquireRelease(
      claim(writer, (own) => own.enter()),
      ({ own }) =>
        Effect.catchAllCause(aloneWith(releasing.locks, own)(left(own)), (cause) =>
          Effect.logWarning(`the lease of ${writer.session} is left to the sweep`, cause),
        ),
    ).pipe(Effect.map(({ lease }) => lease));
  };
