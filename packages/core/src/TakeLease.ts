/**
 * TakeLease: a claim for a lease that may go over a holder who lives, as a message of its name.
 *
 * It runs under the claim of the name and behind a look, which raises the fence where something
 * older may still take effect: what the old holder had under way is done by then, or does nothing
 * any more, and what he asks for later is refused. So nothing of his comes behind the answer. The
 * lock of the name in this program is taken last, as every message that wants it does.
 */
import { Effect } from "effect";
import type { Holding } from "./Holding.js";
import type { LeaseRecord } from "./Lease.js";
import type { CapacityReached, LeaseHeld } from "./LeaseError.js";
import { NameLocks } from "./NameLocks.js";
import { Registry } from "./Registry.js";
import type { LeaseRequest } from "./RegistryLeases.js";
import type { NameFailure } from "./SessionFailures.js";

/** As `Registry.claimLease`, under the claim of the name. */
export type TakeLease = (
  request: LeaseRequest,
) => Effect.Effect<LeaseRecord, NameFailure | LeaseHeld | CapacityReached>;

/** The flow. */
export const takeLease = (holding: Holding, request: LeaseRequest) =>
  Effect.zipRight(
    holding.look(request.attempted),
    Effect.flatMap(Registry, (registry) =>
      NameLocks.of(registry).alone(request.session)(registry.claimLease(request)),
    ),
  );
