/**
 * LeaseMove: a lease that goes to another name with its writer, whole or not at all.
 *
 * It is the same lease at a new epoch, so whoever was given it gives it back wherever it is by
 * then, and who asks for it by its old name and epoch is refused by the registry. Alone with the
 * name that it leaves; who has the other is decided by the registry.
 */
import { Effect } from "effect";
import { ownedLease } from "./Lease.js";
import { type Doubting, leftInDoubt } from "./LeaseDoubt.js";
import { aloneWith, type Releasing } from "./LeaseRelease.js";
import type { Leases } from "./Leases.js";
import { lostTo } from "./UnderLease.js";

const attempted = "move the lease";

/** The calls of `Leases` about leases that move. */
export type LeaseMoves = Pick<Leases["Type"], "reanchor" | "latest">;

/** The calls, over the leases that are held. */
export const leaseMoves = ({
  held,
  locks,
  onHeld,
  registry,
}: Pick<Releasing, "held" | "locks" | "registry"> & Doubting): LeaseMoves => ({
  // What was borrowed stays that, also of a writer of this very program.
  latest: (lease) => (lease._tag === "Borrowed" ? lease : (held.since(lease)?.lease ?? lease)),
  reanchor: (lease, to) => {
    const own = held.of(lease);
    if (own === null) return Effect.flatMap(lostTo(registry, lease, attempted), Effect.fail);
    const moved = Effect.suspend(() => {
      // Whatever was done to it meanwhile: only what is held can be moved.
      if (held.of(lease) !== own || own.state._tag !== "Held") {
        return Effect.flatMap(lostTo(registry, lease, attempted), Effect.fail);
      }
      return registry.moveLease(lease, { attempted, session: to, actor: lease.actor }).pipe(
        Effect.tapErrorTag("LeaseLost", () =>
          Effect.sync(() => {
            own.step({ _tag: "Mismatch" });
            held.prune();
          }),
        ),
        Effect.onError((cause) => leftInDoubt({ held, onHeld }, cause, own)),
        Effect.map((record) => {
          const anchored = ownedLease(record);
          own.step({ _tag: "Moved", lease: anchored });
          own.written(record);
          return anchored;
        }),
      );
    });
    return aloneWith(locks, own)(Effect.uninterruptible(moved));
  },
});
