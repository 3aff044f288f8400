/**
 * TurnWatch: a turn is told that its lease is lost.
 *
 * The row is what counts, and the log says when to look: what ends a session writes its event with
 * the row. A registry that cannot be read says nothing, so it is asked again; and what a turn drops
 * itself, with its session, it did not lose. It changes nothing.
 */
import { Effect, Option } from "effect";
import { type Lease, type LeaseView, sameLease } from "./Lease.js";
import type { Leases } from "./Leases.js";
import type { Registry } from "./Registry.js";
import type { InsideTurn } from "./TurnInside.js";

/** How long a registry that cannot be read is left alone, and a turn that deletes. */
const PAUSE_MS = 1_000;

/** What it is looked with. */
interface Watching {
  readonly registry: Registry["Type"];
  readonly leases: Pick<Leases["Type"], "alone" | "latest">;
}

const pause = Effect.as(Effect.sleep(PAUSE_MS), false);

/**
 * Whether its own writer moved it and hears of that only now: it waits for what is under way with
 * the name. Whoever else has the lease by then took it.
 */
const isOnItsWay = ({ leases, registry }: Watching, lease: Lease) =>
  Effect.gen(function* () {
    if (lease._tag === "Borrowed") return false;
    const isMoved = (row: LeaseView) => row.lease === lease.lease && row.actor === lease.actor;
    if (!(yield* registry.leases).some(isMoved)) return false;
    yield* leases.alone(lease.session)(Effect.void);
    return !sameLease(leases.latest(lease), lease);
  });

/** Ends when the lease is not current any more; not before, whatever fails. */
export const untilLost = (
  { leases, registry }: Watching,
  inside: InsideTurn,
): Effect.Effect<void> =>
  Effect.gen(function* () {
    // The number first: what happens behind the look has a greater one.
    const { last } = yield* registry.events(Number.MAX_SAFE_INTEGER, 0);
    const { session } = leases.latest(inside.lease);
    const found = Option.getOrNull(yield* registry.leaseOf(session));
    const lease = leases.latest(inside.lease);
    // It was moved during the look.
    if (lease.session !== session) return false;
    if (found === null || !sameLease(found, lease)) {
      if (inside.deletes > 0) return yield* pause;
      return !(yield* isOnItsWay({ leases, registry }, lease));
    }
    yield* registry.awaitEvents(last);
    return false;
  }).pipe(
    Effect.catchAll(() => pause),
    Effect.repeat({ until: (isLost) => isLost }),
    Effect.asVoid,
  );
