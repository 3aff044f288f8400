/**
 * RegistryMemory: the registry over a `MemoryStore`, for tests and for programs that keep nothing.
 *
 * It answers as the durable one does, refusals included: claims, epochs, the fence that is due,
 * moves that do not exist (a defect), one active generation for a name. Every call is one
 * synchronous step on the store, so calls of several programs never interleave inside one. Nothing
 * survives the process, and it never fails with `RegistryUnavailable` or `RegistryCorrupt`.
 */
import { Effect, Option, type Scope } from "effect";
import { isFinal } from "./Lifecycle.js";
import type { MemoryStore } from "./MemoryStore.js";
import type { Registry } from "./Registry.js";
import { memoryClaims, seenClaim } from "./RegistryMemoryClaims.js";
import { memoryCommit } from "./RegistryMemoryCommit.js";
import { memoryEvents } from "./RegistryMemoryEvents.js";
import { memoryForgetting } from "./RegistryMemoryForgetting.js";
import { memoryLeases } from "./RegistryMemoryLeases.js";
import type { SessionRecord } from "./Session.js";
import { Settings } from "./Settings.js";

type Reads = Pick<Registry["Type"], "get" | "find" | "findRequest" | "list" | "servers">;

const newestByName = (store: MemoryStore): ReadonlyMap<string, SessionRecord> => {
  const newest = new Map<string, SessionRecord>();
  for (const record of store.records.values()) {
    const known = newest.get(record.session);
    if (known === undefined || known.generation < record.generation) {
      newest.set(record.session, record);
    }
  }
  return newest;
};

const memoryReads = (store: MemoryStore, self: string): Reads => {
  const seen = (record: SessionRecord): SessionRecord => ({
    ...record,
    claim: seenClaim(store, self, record.session),
  });
  const told = (record: SessionRecord | undefined) => Option.map(Option.fromNullable(record), seen);
  return {
    get: (session) => Effect.sync(() => told(newestByName(store).get(session))),
    find: (incarnation) => Effect.sync(() => told(store.records.get(incarnation))),
    findRequest: (requestId) =>
      Effect.sync(() => {
        const incarnation = store.requests.get(requestId);
        return told(incarnation === undefined ? undefined : store.records.get(incarnation));
      }),
    list: ({ ended }) =>
      Effect.sync(() => ({
        records: [...newestByName(store).values()]
          .filter((record) => ended || !isFinal(record.state))
          .sort((a, b) => (a.session < b.session ? -1 : 1))
          .map(seen),
        unreadable: [],
      })),
    servers: Effect.sync(() => [...store.servers].reverse()),
  };
};

/** A program on the store: its owner lives until the scope closes. */
export const makeRegistryMemory = (
  store: MemoryStore,
  owner: string,
): Effect.Effect<Registry["Type"], never, Scope.Scope> =>
  Effect.acquireRelease(store.declare(owner, "alive"), () => store.declare(owner, "dead")).pipe(
    Effect.zipRight(Settings),
    Effect.map(({ eventsKept }) => ({
      ...memoryReads(store, owner),
      ...memoryEvents(store),
      ...memoryClaims(store, owner),
      ...memoryForgetting(store, owner),
      ...memoryLeases(store, owner, eventsKept),
      commit: memoryCommit(store, eventsKept),
      setAside: Effect.succeed(null),
    })),
  );
