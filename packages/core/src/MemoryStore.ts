/**
 * MemoryStore: what one home remembers, in memory, for any number of programs to share.
 *
 * Each `Registry.layerMemory` on one store is a program of its own with an owner's name of its
 * own, so a test has several programs on one home. An owner lives from when its layer is built
 * until that is closed or `declare` says otherwise, as a crash would. It outlives the programs and
 * never the process, and holds nothing back: each change of it is one synchronous step.
 */
import { Effect } from "effect";
import type { IncarnationId } from "./Identity.js";
import type { LeaseRecord } from "./Lease.js";
import type { ServerRecord } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import type { SessionEvent } from "./SessionEvents.js";
import type { SessionName } from "./SessionName.js";

/** Whether the program behind an owner's name lives. An owner never heard of is `unknown`. */
export type OwnerLife = "alive" | "dead" | "unknown";

/** The claim row of a name. `owner` is `null` while nobody holds it; the counters only grow. */
export interface MemoryClaim {
  readonly owner: string | null;
  readonly epoch: number;
  readonly fenceDue: boolean;
  readonly generation: number;
}

/**
 * A store. The maps are its tables, readable by a test that compares durable states; a record's
 * own `claim` is that of its last write, the current one is in `claims`. Only `Registry` writes.
 */
export interface MemoryStore {
  readonly records: Map<IncarnationId, SessionRecord>;
  readonly claims: Map<SessionName, MemoryClaim>;
  readonly requests: Map<string, IncarnationId>;
  readonly servers: Array<ServerRecord>;
  readonly events: Array<SessionEvent>;
  /** The leases by name, and the epoch that each name's last one had; that only grows. */
  readonly leases: Map<SessionName, LeaseRecord>;
  readonly leaseEpochs: Map<SessionName, number>;
  readonly owners: Map<string, OwnerLife>;
  /** Who waits for the next event; each is called once, by the commit that writes it. */
  readonly waiting: Set<() => void>;
  /** Says whether an owner lives: `dead` is a crash that left its claims behind. */
  readonly declare: (owner: string, life: OwnerLife) => Effect.Effect<void>;
}

const make: Effect.Effect<MemoryStore> = Effect.sync(() => {
  const owners = new Map<string, OwnerLife>();
  return {
    records: new Map(),
    claims: new Map(),
    requests: new Map(),
    servers: [],
    events: [],
    leases: new Map(),
    leaseEpochs: new Map(),
    owners,
    waiting: new Set(),
    declare: (owner, life) => Effect.sync(() => void owners.set(owner, life)),
  };
});

/** The store of a registry in memory. */
export const MemoryStore = {
  /** An empty one: a home in which troupe never ran. */
  make,
};
