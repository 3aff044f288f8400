/**
 * TakeLease: a claim for a lease that may go over a holder who lives, as a message of its name.
 *
 * It runs under the claim of the name and behind a look, which raises the fence where something
 * older may still take effect: what the old holder had under way is done by then, or does nothing
 * any more, and what he asks for later is refused. So nothing of his comes behind the answer. What
 * was cut off by that is finished first: a delete that was begun is done, and then there is nothing
 * to hold. The lock of the name in this program is taken last, as every message does.
 */
import { Effect, Option } from "effect";
import { finishCutOff } from "./CutOff.js";
import type { Holding } from "./Holding.js";
import { knownName } from "./KnownName.js";
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
export const takeLease = Effect.fnUntraced(function* (holding: Holding, request: LeaseRequest) {
  const { attempted, session } = request;
  const known = yield* holding.newest;
  const listing = yield* holding.look(attempted);
  if (Option.isSome(known)) yield* finishCutOff(holding, known.value, listing, attempted);
  const registry = yield* Registry;
  return yield* NameLocks.of(registry).alone(session)(registry.claimLease(request));
});

/** `take` of a name that has a row: who goes over its holder cuts him off, and for no lease. */
export const takeOfKnown = (take: TakeLease) => (request: LeaseRequest) =>
  Effect.zipRight(knownName(request.session, request.attempted), take(request));
