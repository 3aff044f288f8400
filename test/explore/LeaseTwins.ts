/**
 * LeaseTwins: the scenes of leases, each without the guard in its middle.
 *
 * None of them may hold: that shows that the worlds of LeaseWorlds can fail.
 */
import { ownedLease } from "@troupe/core";
import { Effect } from "effect";
import { type Kit, type LeaseScene, leaseWorld, stepTime } from "./LeaseWorld.js";
import { leaseScenes } from "./LeaseWorlds.js";
import type { NamedWorld } from "./NamedWorld.js";

/** Whoever comes takes it, whoever holds it. */
const withoutHolder: LeaseScene["flawed"] = (registry, store) => ({
  ...registry,
  claimLease: (request) =>
    Effect.suspend(() => {
      store.leases.delete(request.session);
      return registry.claimLease(request);
    }),
});

/** What was released comes back where it is moved to. */
const resurrecting: LeaseScene["flawedLeases"] = (leases, registry) => ({
  ...leases,
  reanchor: (lease, session) => {
    const { actor } = lease;
    const to = { attempted: "explored", session, actor };
    const again = { ...to, lease: lease.lease, component: "sessions", surface: "explored" };
    return registry.moveLease(lease, to).pipe(
      Effect.catchTag("LeaseLost", () => registry.claimLease({ ...again, capacity: null })),
      Effect.map(ownedLease),
    );
  },
});

/** Whoever ends gives the lease back, whatever still runs. */
const undeferred: LeaseScene["flawedLeases"] = (leases) => ({
  ...leases,
  end: (actor) => leases.end(actor, null),
});

/** A step that looks at no lease. */
const unguarded = (kit: Kit): Kit => ({
  ...kit,
  step: (lease, what, begun = Effect.void) =>
    Effect.uninterruptible(Effect.all([begun, stepTime(lease), kit.log(what)], { discard: true })),
});

/** The same worlds, each without its guard: none may hold. */
export const leaseTwins: ReadonlyArray<NamedWorld> = [
  { world: leaseWorld({ ...leaseScenes.claims, flawed: withoutHolder }), cost: 2 },
  { world: leaseWorld({ ...leaseScenes.crashes, flawed: withoutHolder }), cost: 1 },
  { world: leaseWorld({ ...leaseScenes.takeover, flawedKit: unguarded }), cost: 2 },
  { world: leaseWorld({ ...leaseScenes.settlement, flawedLeases: undeferred }), cost: 1 },
  { world: leaseWorld({ ...leaseScenes.coming, flawedLeases: undeferred }), cost: 1 },
  { world: leaseWorld({ ...leaseScenes.moving, flawedLeases: resurrecting }), cost: 2 },
  { world: leaseWorld({ ...leaseScenes.deleting, flawedKit: unguarded }), cost: 2 },
];
