/**
 * LeaseService: the service `Leases` over its ports.
 *
 * It keeps what this program holds, and the fibers that wait for a settlement or sweep, which end
 * with its scope. Nothing is released by that: whoever acquired a lease gives it back, and a row
 * that is still there is proved dead by the end of the program.
 */
import { Clock, Deferred, Effect, Option, type Scope } from "effect";
import { AwakeClock } from "./AwakeClock.js";
import { HeldLeases } from "./HeldLeases.js";
import { Ids } from "./Ids.js";
import { type Lease, LeaseId, type LeaseRef, type Settlement, type TurnId } from "./Lease.js";
import { leaseClaims } from "./LeaseClaims.js";
import { type Deferral, type DeferralPorts, runDeferral } from "./LeaseDeferral.js";
import { giveUp } from "./LeaseRelease.js";
import { leaseHeld, leaseLost } from "./LeaseRows.js";
import { type Sweeping, sweeper, sweepLeases } from "./LeaseSweep.js";
import type { LeasePorts, Leases } from "./Leases.js";
import { NameLocks } from "./NameLocks.js";
import { ProcessTable } from "./ProcessTable.js";
import { Registry } from "./Registry.js";
import { Settings } from "./Settings.js";
import { checkCurrent } from "./UnderLease.js";

/** The bound, where one was given that can be meant; what cannot is none, and that is told. */
const capacityOf = (given: unknown): Effect.Effect<number | null> => {
  if (typeof given === "number" && Number.isSafeInteger(given) && given > 0) {
    return Effect.succeed(given);
  }
  const isOff = given === null || given === 0;
  const told = Effect.logWarning(`leaseCapacity is no bound: ${String(given)}`);
  return Effect.as(isOff ? Effect.void : told, null);
};

/** What the parts of the service share. */
interface Parts {
  readonly ports: DeferralPorts & Sweeping;
  readonly locks: NameLocks;
  readonly scope: Scope.Scope;
}

type Checks = Pick<Leases["Type"], "borrow" | "guarded" | "current" | "all" | "clear">;

/** What looks whether a lease is current. */
const checksOf = ({ ports: { graceMs, held, registry } }: Parts): Checks => {
  const isLost = (lease: Lease) =>
    Effect.sync(() => {
      held.of(lease)?.step({ _tag: "Mismatch" });
      held.prune();
    });
  const looked = (lease: LeaseRef) => checkCurrent(registry, lease, "look at the lease");
  return {
    borrow: (vouch, expecting) =>
      Effect.gen(function* () {
        const { epoch, lease, parent, session } = vouch;
        const ref = { session, lease, epoch };
        if (session === expecting) {
          yield* looked(ref);
          return { _tag: "Borrowed", ...ref, parent } as const;
        }
        const other = yield* registry.leaseOf(expecting);
        if (Option.isNone(other)) return yield* leaseLost([], ref, "borrow the lease");
        return yield* leaseHeld(other.value, yield* Clock.currentTimeMillis, "borrow the lease");
      }),
    guarded: (lease, note = {}) =>
      lease._tag === "Borrowed"
        ? looked(lease)
        : Effect.asVoid(registry.writeLease(lease, note)).pipe(
            Effect.tapErrorTag("LeaseLost", () => isLost(lease)),
          ),
    current: registry.leaseOf,
    all: registry.leases,
    clear: (session) =>
      Effect.gen(function* () {
        const found = Option.getOrNull(yield* registry.leaseOf(session));
        if (found === null) return false;
        if (found.holder !== "dead") {
          return yield* leaseHeld(found, yield* Clock.currentTimeMillis, "clear the lease");
        }
        // No component is named so: of this program's own nothing goes.
        yield* registry.sweepLeases({ component: "", vouched: held.vouched, graceMs });
        return true;
      }),
  };
};

type Ends = Pick<Leases["Type"], "release" | "defer" | "settle">;

/** How a lease ends: at once, or behind a turn that runs on. */
const endsOf = ({ locks, ports, scope }: Parts): Ends => {
  const deferrals = new Map<TurnId, Deferred.Deferred<Settlement>>();
  const { held } = ports;
  return {
    release: (lease) =>
      locks.alone(lease.session)(
        Effect.suspend(() => {
          const own = held.of(lease);
          return own === null ? Effect.void : giveUp(ports, own);
        }),
      ),
    defer: (lease, { child, turn }) =>
      Effect.gen(function* () {
        const own = held.of(lease);
        if (own?.step({ _tag: "End", unsettled: turn }) !== "look") return;
        const told = yield* Deferred.make<Settlement>();
        deferrals.set(turn, told);
        const deferral: Deferral = { held: own, turn, child, told };
        yield* runDeferral(ports, deferral).pipe(
          Effect.ensuring(Effect.sync(() => deferrals.delete(turn))),
          Effect.interruptible,
          Effect.forkIn(scope),
        );
      }).pipe(Effect.uninterruptible, locks.alone(lease.session)),
    settle: (settlement) =>
      Effect.suspend(() => {
        const told = deferrals.get(settlement.turn);
        return told === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(told, settlement));
      }),
  };
};

/** The service, for the leases that this component answers for. */
export const makeLeases = (
  component: string,
): Effect.Effect<Leases["Type"], never, LeasePorts | Scope.Scope> =>
  Effect.gen(function* () {
    const registry = yield* Registry;
    const settings = yield* Settings;
    const ids = yield* Ids;
    const held = new HeldLeases();
    const ports = {
      registry,
      held,
      settings,
      component,
      graceMs: settings.leaseOrphanGraceMs,
      spacingMs: settings.leaseSweepMs,
      recheckMs: settings.leaseRecheckMs,
      awake: yield* AwakeClock,
      processes: yield* ProcessTable,
    };
    const parts: Parts = { ports, locks: NameLocks.of(registry), scope: yield* Effect.scope };
    const claims = leaseClaims({
      ...parts.ports,
      locks: parts.locks,
      capacity: yield* capacityOf(settings.leaseCapacity),
      newId: Effect.map(ids.incarnation, (id) => LeaseId.make(id)),
      onHeld: sweeper(ports, ports.awake, parts.scope),
    });
    const ends = endsOf(parts);
    const service: Leases["Type"] = {
      ...claims,
      ...checksOf(parts),
      ...ends,
      acquire: (writer) =>
        Effect.acquireRelease(claims.claim(writer), (lease) =>
          Effect.catchAllCause(ends.release(lease), (cause) =>
            Effect.logWarning(`the lease of ${writer.session} is left to the sweep`, cause),
          ),
        ),
      alone: parts.locks.alone,
      sweep: sweepLeases(ports),
    };
    return service;
  });
