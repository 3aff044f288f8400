/**
 * LeaseTrouble: a registry of which each call about leases may be slow, or fail, as a choice of the
 * explorer.
 *
 * What is slow takes longer than any wait of a writer: `held up` before it does anything, `slow to
 * answer` behind that. `unavailable` did nothing; `lost` did what was asked, and nobody heard of
 * it. All other calls are unchanged.
 */
import { type Registry, RegistryUnavailable } from "@troupe/core";
import { Explore } from "@troupe/testing";
import { Effect } from "effect";

const outcomes = ["answers", "held up", "slow to answer", "unavailable", "lost"] as const;

/** Three times as long as a close waits for a turn. */
const SLOW_MS = 300;

const troubled = <A, E>(method: string, call: Effect.Effect<A, E>) => {
  const slow = Effect.sleep(SLOW_MS);
  const failed = new RegistryUnavailable({ session: null, attempted: method, detail: "explored" });
  return Effect.flatMap(
    Explore.choose(`registry.${method}`, outcomes),
    (outcome): Effect.Effect<A, E | RegistryUnavailable> => {
      switch (outcome) {
        case "answers":
          return call;
        case "held up":
          return Effect.zipRight(slow, call);
        case "slow to answer":
          return Effect.zipLeft(call, slow);
        case "unavailable":
          return failed;
        case "lost":
          return Effect.zipRight(call, failed);
      }
    },
  );
};

/** The same registry, with trouble where a lease is written, and nowhere else. */
export const troubledNotes = (registry: Registry["Type"]): Registry["Type"] => ({
  ...registry,
  writeLease: (lease, note) => troubled("writeLease", registry.writeLease(lease, note)),
});

/** The same registry, with trouble about leases. */
export const troubledLeases = (registry: Registry["Type"]): Registry["Type"] => ({
  ...troubledNotes(registry),
  claimLease: (request) => troubled("claimLease", registry.claimLease(request)),
  moveLease: (lease, to) => troubled("moveLease", registry.moveLease(lease, to)),
  releaseLease: (lease) => troubled("releaseLease", registry.releaseLease(lease)),
  leaseOf: (session) => troubled("leaseOf", registry.leaseOf(session)),
  sweepLeases: (how) => troubled("sweepLeases", registry.sweepLeases(how)),
});
