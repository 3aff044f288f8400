/**
 * LeaseService: the service `Leases` over its ports.
 *
 * It keeps what this program holds, and the fibers that wait for a settlement or sweep, which end
 * with its scope. Nothing is released by that: whoever acquired a lease gives it back, and a row
 * that is still there is proved dead by the end of the program.
 */
import { Clock, Effect, Option, type Scope } from "effect";
import { AwakeClock } from "./AwakeClock.js";
import { HeldLeases } from "./HeldLeases.js";
import { Ids } from "./Ids.js";
import { type Lease, LeaseId, type LeaseRef } from "./Lease.js";
import { leaseClaims } from "./LeaseClaims.js";
import type { DeferralPorts } from "./LeaseDeferral.js";
import { leaseEnds } from "./LeaseEnds.js";
import { leaseMoves } from "./LeaseMove.js";
import { leaseHeld, leaseLost } from "./LeaseRows.js";
import { type Sweeping, sweeper, sweepLeases } from "./LeaseSweep.js";
import type { LeasePorts, Leases } from "./Leases.js";
import { NameLocks } from "./NameLocks.js";
import { ProcessTable } from "./ProcessTable.js";
import { Registry } from "./Registry.js";
import { Settings } from "./Settings.js";
import { checkCurrent, lostTo } from "./UnderLease.js";

/** The bound, where one was given that can be meant; what cannot is none, and that is told. */
const capacityOf = (given: unknown): Effect.Effect<number | null> => {
  if (typeof given === "number" && Number.isSafeInteger(given) && given > 0) {
    return Effect.succeed(given);
  }
  const isOff = given === null || given === 0;
  const told = Effect.logWarning(`leaseCapacity is no bound: ${String(given)}`);
  return Effect.as(isOff ? Effect.void : told, null);
};

type Ports = DeferralPorts & Sweeping;

type Checks = Pick<Leases["Type"], "borrow" | "guarded" | "current" | "all" | "clear">;

/** What looks whether a lease is current. */
const checksOf = ({ graceMs, held, registry }: Ports): Checks => {
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
      Effect.suspend(() => {
        if (lease._tag === "Borrowed") return Effect.as(looked(lease), []);
        // Its row may still be there, but nobody answers for what is done under it.
        if (held.of(lease)?.state._tag === "Owed") {
          return Effect.flatMap(lostTo(registry, lease, "look at the lease"), Effect.fail);
        }
        return registry.writeLease(lease, note).pipe(
          Effect.map((record) => {
            held.of(lease)?.written(record);
            return record.children;
          }),
          Effect.tapErrorTag("LeaseLost", () => isLost(lease)),
        );
      }),
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

/** The service, for the leases that this component answers for. */
export const makeLeases = (
  component: string,
): Effect.Effect<Leases["Type"], never, LeasePorts | Scope.Scope> =>
  Effect.gen(function* () {
    const registry = yield* Registry;
    const settings = yield* Settings;
    const ids = yield* Ids;
    const held = new HeldLeases();
    const ports: Ports = {
      registry,
      held,
      locks: NameLocks.of(registry),
      settings,
      component,
      graceMs: settings.leaseOrphanGraceMs,
      spacingMs: settings.leaseSweepMs,
      recheckMs: settings.leaseRecheckMs,
      awake: yield* AwakeClock,
      processes: yield* ProcessTable,
    };
    const scope = yield* Effect.scope;
    const onHeld = sweeper(ports, ports.awake, scope);
    const { claim, ...claims } = leaseClaims({
      ...ports,
      capacity: yield* capacityOf(settings.leaseCapacity),
      newId: Effect.map(ids.incarnation, (id) => LeaseId.make(id)),
      onHeld,
    });
    const service: Leases["Type"] = {
      ...claims,
      ...leaseMoves({ ...ports, onHeld }),
      ...checksOf(ports),
      ...leaseEnds(ports, claim, scope),
      claim: (writer) =>
        Effect.map(
          claim(writer, (own) => own.keep()),
          ({ lease }) => lease,
        ),
      lost: (lease, attempted) => lostTo(registry, lease, attempted),
      alone: ports.locks.alone,
      sweep: sweepLeases(ports),
    };
    return service;
  });
