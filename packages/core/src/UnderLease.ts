/**
 * UnderLease: a message that is only done while a lease is current.
 *
 * Looked at under the claim of the name, behind which its lease is not dropped with its session,
 * and under the lock of the name, behind which no sibling takes it over: what a turn asks for that
 * lost its lease meanwhile changes nothing.
 */
import { Effect, Option } from "effect";
import type { SendResult } from "./Input.js";
import { type LeaseRef, type LeaseView, sameLease } from "./Lease.js";
import type { LeaseLost } from "./LeaseError.js";
import { leaseLost } from "./LeaseRows.js";
import { NameLocks } from "./NameLocks.js";
import { Registry } from "./Registry.js";
import type { RegistryFailure } from "./SessionError.js";
import type { NameFailure, SendFailure } from "./SessionFailures.js";
import type { DeleteOptions, SendInput, SendOptions } from "./SessionOptions.js";
import type { DeleteResult } from "./SessionView.js";

/** What a turn does to its session: only while its lease is current, else `LeaseLost`. */
export interface SessionUnderLease {
  /** As `Sessions.send`; nothing is written once the lease is lost. */
  readonly send: (
    input: string | Uint8Array | SendInput,
    options?: SendOptions,
  ) => Effect.Effect<SendResult, SendFailure | LeaseLost>;
  /** As `Sessions.delete`; what another holds or made meanwhile is not touched. */
  readonly delete: (
    options?: DeleteOptions,
  ) => Effect.Effect<DeleteResult, NameFailure | LeaseLost>;
}

/** That the lease is not ours any more, and who has the name now, as far as that can be read. */
export const lostTo = (
  registry: Registry["Type"],
  lease: LeaseRef,
  attempted: string,
): Effect.Effect<LeaseLost> =>
  registry.leaseOf(lease.session).pipe(
    Effect.orElseSucceed(() => Option.none<LeaseView>()),
    Effect.map((view) => leaseLost(Option.toArray(view), lease, attempted)),
  );

/** Whether the lease is current, as the registry knows now; `LeaseLost` where it is not. */
export const checkCurrent = (
  registry: Registry["Type"],
  lease: LeaseRef,
  attempted: string,
): Effect.Effect<void, LeaseLost | RegistryFailure> =>
  Effect.flatMap(registry.leaseOf(lease.session), (view) => {
    const found = Option.getOrNull(view);
    if (found !== null && sameLease(found, lease)) return Effect.void;
    return leaseLost(found === null ? [] : [found], lease, attempted);
  });

/**
 * Does it while the lease is current, and fails with `LeaseLost` otherwise. Of this program nobody
 * takes the lease meanwhile: who wants to waits until it is done.
 */
export const whileCurrent = <A, E, R>(
  lease: LeaseRef,
  attempted: string,
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, E | LeaseLost | RegistryFailure, R | Registry> =>
  Effect.gen(function* () {
    const registry = yield* Registry;
    const checked = checkCurrent(registry, lease, attempted);
    return yield* NameLocks.of(registry).alone(lease.session)(Effect.zipRight(checked, effect));
  });
