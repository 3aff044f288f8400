/**
 * LeaseEnds: how leases are given back: by who says so, by the scope that wanted them, at the end
 * of their writer, and behind a turn that runs on.
 *
 * What is meant is what became of the lease that was given: one that was moved meanwhile goes where
 * it is, and one that names processes which run on goes when they are gone. Each is done alone with
 * the lease, and the fibers that wait for a settlement are those of the service.
 */
import { Deferred, Effect, Exit, Option, type Scope } from "effect";
import type { HeldLease } from "./HeldLeases.js";
import { type Settlement, TurnId } from "./Lease.js";
import type { LeaseClaims } from "./LeaseClaims.js";
import { type Deferral, type DeferralPorts, runDeferral } from "./LeaseDeferral.js";
import { aloneWith, giveUp } from "./LeaseRelease.js";
import type { Leases, Unsettled } from "./Leases.js";
import type { NameLocks } from "./NameLocks.js";
import type { RegistryFailure } from "./SessionError.js";
import { stillThere } from "./TurnChild.js";

/** The calls of `Leases` that give a lease back. */
export type LeaseEnds = Pick<Leases["Type"], "acquire" | "release" | "defer" | "end" | "settle">;

/** What ends a lease, for who is alone with it. */
interface Ending {
  /** At once, unless processes run on that it names: those of a sibling that had it. */
  readonly givenBack: (own: HeldLease) => Effect.Effect<void, RegistryFailure>;
  /** Behind a turn that runs on. */
  readonly left: (own: HeldLease, unsettled: Unsettled) => Effect.Effect<void>;
}

const endingOf = (ports: DeferralPorts, scope: Scope.Scope, deferrals: Set<Deferral>): Ending => {
  const left = (own: HeldLease, unsettled: Unsettled) =>
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
    }).pipe(Effect.uninterruptible);
  return {
    left,
    givenBack: (own) =>
      Effect.gen(function* () {
        const children = own.state._tag === "Held" ? yield* stillThere(ports, own.children) : [];
        if (children.length === 0) return yield* giveUp(ports, own);
        yield* left(own, { turn: own.turn ?? TurnId.make(own.writer.actor), children });
      }).pipe(Effect.uninterruptible),
  };
};

/** As a claim, until the scope closes; the last scope that wants it gives it back. */
const acquireOf =
  (locks: NameLocks, claim: LeaseClaims["claim"], { givenBack }: Ending): LeaseEnds["acquire"] =>
  (writer) => {
    const left = (own: HeldLease) =>
      Effect.suspend(() => (own.leave() ? givenBack(own) : Effect.void));
    return Effect.acquireRelease(
      claim(writer, (own) => own.enter()),
      ({ own }) =>
        Effect.catchAllCause(aloneWith(locks, own)(left(own)), (cause) =>
          Effect.logWarning(`the lease of ${writer.session} is left to the sweep`, cause),
        ),
    ).pipe(Effect.map(({ lease }) => lease));
  };

/** The calls, over the leases that are held. */
export const leaseEnds = (
  ports: DeferralPorts,
  claim: LeaseClaims["claim"],
  scope: Scope.Scope,
): LeaseEnds => {
  const deferrals = new Set<Deferral>();
  const { held, locks } = ports;
  const ending = endingOf(ports, scope, deferrals);
  const given = (own: HeldLease) => aloneWith(locks, own)(ending.givenBack(own));
  const deferred = (own: HeldLease, unsettled: Unsettled) =>
    aloneWith(locks, own)(ending.left(own, unsettled));
  return {
    acquire: acquireOf(locks, claim, ending),
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
