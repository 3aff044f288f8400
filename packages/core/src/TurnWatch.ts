/**
 * TurnWatch: a turn is told that its lease is lost.
 *
 * The row is what counts, and the log says when to look: what ends a session writes its event with
 * the row. A registry that cannot be read says nothing, so it is asked again. It changes nothing.
 */
import { Effect, Option } from "effect";
import { type LeaseRef, sameLease } from "./Lease.js";
import type { Registry } from "./Registry.js";

/** How long a registry that cannot be read is left alone. */
const PAUSE_MS = 1_000;

/** Ends when the lease is not current any more; not before, whatever fails. */
export const untilLost = (registry: Registry["Type"], lease: LeaseRef): Effect.Effect<void> =>
  Effect.gen(function* () {
    // The number first: what happens behind the look has a greater one.
    const { last } = yield* registry.events(Number.MAX_SAFE_INTEGER, 0);
    const found = Option.getOrNull(yield* registry.leaseOf(lease.session));
    if (found === null || !sameLease(found, lease)) return true;
    yield* registry.awaitEvents(last);
    return false;
  }).pipe(
    Effect.catchAll(() => Effect.as(Effect.sleep(PAUSE_MS), false)),
    Effect.repeat({ until: (isLost) => isLost }),
    Effect.asVoid,
  );
