/**
 * RegistryMemoryForgetting: what gc reads and removes of a `MemoryStore`.
 *
 * Each call is one synchronous step, like a transaction. Only what has ended can be forgotten:
 * anything else is a bug, and dies. A program leaves nothing beside the rows here.
 */
import { Effect } from "effect";
import { sameServer } from "./Identity.js";
import { isFinal } from "./Lifecycle.js";
import type { MemoryStore } from "./MemoryStore.js";
import type { Registry } from "./Registry.js";
import { overtakenBy, seenClaim } from "./RegistryMemoryClaims.js";
import type { SessionRecord } from "./Session.js";

type Forgetting = Pick<Registry["Type"], "history" | "forget" | "forgetName" | "leftovers">;

const byName = (a: SessionRecord, b: SessionRecord): number =>
  a.session === b.session ? a.generation - b.generation : a.session < b.session ? -1 : 1;

const forgetEvents = (store: MemoryStore): void => {
  const last = store.events.at(-1)?.sequence;
  const kept = store.events.filter(
    ({ incarnation, sequence }) => sequence === last || store.records.has(incarnation),
  );
  store.events.splice(0, store.events.length, ...kept);
};

/** The port's calls about forgetting, for the owner `self`. */
export const memoryForgetting = (store: MemoryStore, self: string): Forgetting => {
  const recordsOf = (session: string | null): ReadonlyArray<SessionRecord> =>
    [...store.records.values()].filter((r) => session === null || r.session === session);
  return {
    history: (session) =>
      Effect.sync(() => ({
        records: [...recordsOf(session)]
          .sort(byName)
          .map((record) => ({ ...record, claim: seenClaim(store, self, record.session) })),
        unreadable: [],
        bare: [...store.claims.keys()]
          .filter((name) => (session === null || name === session) && recordsOf(name).length === 0)
          .sort()
          .map((name) => ({ session: name, claim: seenClaim(store, self, name) })),
      })),
    forget: (claim, incarnation, servers) =>
      Effect.suspend(() => {
        const refusal = overtakenBy(store, claim, "forget");
        if (refusal !== null) return refusal;
        const record = store.records.get(incarnation);
        if (record !== undefined) {
          if (record.session !== claim.session || !isFinal(record.state)) {
            throw new Error(`${incarnation} is ${record.state}, of ${record.session}`);
          }
          store.records.delete(incarnation);
          for (const [request, of] of [...store.requests]) {
            if (of === incarnation) store.requests.delete(request);
          }
        }
        forgetEvents(store);
        const kept = store.servers.filter(
          ({ server }) =>
            !servers.some((dead) => sameServer(dead, server)) ||
            recordsOf(null).some((r) => r.server !== null && sameServer(r.server, server)),
        );
        store.servers.splice(0, store.servers.length, ...kept);
        return Effect.void;
      }),
    forgetName: (claim) =>
      Effect.suspend(() => {
        const refusal = overtakenBy(store, claim, "forget");
        if (refusal !== null) return refusal;
        if (recordsOf(claim.session).length > 0) return Effect.succeed(false);
        store.claims.delete(claim.session);
        store.leaseEpochs.delete(claim.session);
        return Effect.succeed(true);
      }),
    leftovers: () => Effect.succeed([]),
  };
};
