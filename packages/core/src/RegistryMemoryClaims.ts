/**
 * RegistryMemoryClaims: taking, renewing and giving back the claim on a name, in a `MemoryStore`.
 *
 * The row of a name stays when its claim ends: its epoch is never used again. Whoever takes a
 * claim that was not given back cleanly is told that the fence is due. Nobody waits here.
 */
import { Effect } from "effect";
import type { MemoryClaim, MemoryStore } from "./MemoryStore.js";
import type { Claim, Registry } from "./Registry.js";
import type { ClaimRecord } from "./Session.js";
import { Busy } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";

const untaken: MemoryClaim = { owner: null, epoch: 0, fenceDue: false, generation: 0 };

/** The claim row of the name, also when nobody ever took it. */
export const claimRow = (store: MemoryStore, session: SessionName): MemoryClaim =>
  store.claims.get(session) ?? untaken;

/** The claim row as the owner `self` sees it. */
export const seenClaim = (store: MemoryStore, self: string, session: SessionName): ClaimRecord => {
  const { epoch, fenceDue, owner } = claimRow(store, session);
  if (owner === null) return { owner, epoch, holder: "none", fenceDue };
  if (owner === self) return { owner, epoch, holder: "self", fenceDue };
  return { owner, epoch, holder: store.owners.get(owner) ?? "unknown", fenceDue };
};

/** `null` while the claim is the current one of its name, otherwise the refusal. */
export const overtakenBy = (store: MemoryStore, claim: Claim, attempted: string): Busy | null => {
  const { session } = claim;
  const { epoch, owner } = claimRow(store, session);
  if (owner === claim.owner && epoch === claim.epoch) return null;
  return new Busy({ session, attempted, holder: owner, reason: "overtaken" });
};

/** Ends the claim of the name, whoever holds it. */
export const endClaim = (store: MemoryStore, session: SessionName, fenceDue: boolean): void => {
  store.claims.set(session, { ...claimRow(store, session), owner: null, fenceDue });
};

/** The port's calls about claims, for the owner `self`. */
export const memoryClaims = (
  store: MemoryStore,
  self: string,
): Pick<Registry["Type"], "claim" | "seeClaim" | "renew" | "release"> => {
  const take = (session: SessionName, owner: string, fenceDue: boolean, atLeast = 0): Claim => {
    const row = claimRow(store, session);
    const epoch = Math.max(row.epoch + 1, atLeast);
    store.claims.set(session, { ...row, owner, epoch, fenceDue });
    return { session, owner, epoch, fenceDue };
  };
  return {
    claim: (session, { attempted, force }) =>
      Effect.suspend(() => {
        const { holder, owner } = seenClaim(store, self, session);
        if (!force && (holder === "alive" || holder === "unknown")) {
          return Effect.fail(new Busy({ session, attempted, holder: owner, reason: "claimed" }));
        }
        const fenceDue = owner !== null || claimRow(store, session).fenceDue;
        return Effect.succeed(take(session, self, fenceDue));
      }),
    seeClaim: (session, { asksLife }) =>
      Effect.sync(() => {
        const seen = seenClaim(store, self, session);
        const isAnothers = seen.holder !== "none" && seen.holder !== "self";
        return isAnothers && !asksLife ? { ...seen, holder: "unknown" } : seen;
      }),
    renew: (claim, atLeast) =>
      Effect.suspend(() => {
        const refusal = overtakenBy(store, claim, "renew");
        if (refusal !== null) return Effect.fail(refusal);
        return Effect.succeed(take(claim.session, claim.owner, true, atLeast));
      }),
    release: (claim, { fenceDue }) =>
      Effect.sync(() => {
        if (overtakenBy(store, claim, "release") === null) {
          endClaim(store, claim.session, fenceDue);
        }
      }),
  };
};
