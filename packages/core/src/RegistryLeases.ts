/**
 * RegistryLeases: the part of the registry's port that is about leases.
 *
 * A lease is a row beside the session's, at most one for a name, only while its incarnation has
 * not ended: the commit that ends one drops its lease and writes an event that names the holder.
 * No claim is needed here, and none is taken. Whether a holder lives is proved as for claims; what
 * is not proved dead is left. Each call is one transaction, and what cannot be read is refused.
 */
import type { Effect, Option } from "effect";
import type { ProcessId } from "./Identity.js";
import type { ActorId, LeaseId, LeaseRecord, LeaseRef, LeaseView, TurnId } from "./Lease.js";
import type { CapacityReached, LeaseHeld, LeaseLost } from "./LeaseError.js";
import type { NotFound, RegistryFailure } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";

/**
 * Whom a claim goes over beside the dead: `settled` is who holds it and said that he runs nothing,
 * neither turn nor children; `any` is whoever holds it.
 */
export type LeaseOver = "settled" | "any";

/** A lease that is asked for. */
export interface LeaseRequest {
  readonly session: SessionName;
  readonly attempted: string;
  /** What it is called when it is made now; a writer that has one already keeps its own. */
  readonly lease: LeaseId;
  /** The part of the program that answers for it. */
  readonly component: string;
  readonly actor: ActorId;
  /** What it is for, in a word, for people. */
  readonly surface: string;
  /** How many may be held at once; `null` is no bound. */
  readonly capacity: number | null;
  /** Nobody who lives, or may, unless given. */
  readonly over?: LeaseOver | undefined;
}

/** Where a lease goes: to another writer of this program, to another name, or both. */
export interface LeaseMove {
  readonly attempted: string;
  readonly session: SessionName;
  readonly actor: ActorId;
}

/** What a holder says of itself; what is left out stays. */
export interface LeaseNote {
  readonly turn?: TurnId | null | undefined;
  readonly children?: ReadonlyArray<ProcessId> | undefined;
}

/** Whose rows a sweep takes for left behind. */
export interface LeaseSweeping {
  /** Of this program's rows only those of this component. */
  readonly component: string;
  /**
   * Whether somebody in this program answers for the row. Asked in the transaction that removes
   * rows, so whoever was given a lease while that was waited for is heard.
   */
  readonly vouched: (row: LeaseRecord) => boolean;
  /** Rows that are younger are spared: whoever vouches for them may not have heard of them. */
  readonly graceMs: number;
}

/** What a sweep removed. */
export interface LeasesSwept {
  readonly dead: number;
  readonly ownOrphans: number;
}

/** The calls about leases. */
export interface RegistryLeases {
  /**
   * Takes the lease, in this order: rows of programs proved dead go, whatever is answered; the same
   * writer (this program and this actor) gets its own again, unchanged; another's is `LeaseHeld`,
   * also when it is not known whether he lives; then the bound is `CapacityReached`. A new one has
   * an epoch above all before it. `NotFound` when no incarnation of the name is there. One that
   * goes over somebody takes his, and no further room, and an event in the same step names him.
   */
  readonly claimLease: (
    request: LeaseRequest,
  ) => Effect.Effect<LeaseRecord, NotFound | LeaseHeld | CapacityReached | RegistryFailure>;
  /**
   * Moves a lease of this program, whole or not at all: it keeps its id, gets a new epoch of the
   * name that it is for then, and is never between the two. `LeaseLost` when it is not ours as it
   * was named; whatever fails, it stays where it is.
   */
  readonly moveLease: (
    lease: LeaseRef,
    to: LeaseMove,
  ) => Effect.Effect<LeaseRecord, LeaseLost | NotFound | LeaseHeld | RegistryFailure>;
  /** Removes it, if it is this very epoch of it: `false` where it is not there any more. */
  readonly releaseLease: (lease: LeaseRef) => Effect.Effect<boolean, RegistryFailure>;
  /** Writes under the lease, in the transaction that shows it to be current; else `LeaseLost`. */
  readonly writeLease: (
    lease: LeaseRef,
    note: LeaseNote,
  ) => Effect.Effect<LeaseRecord, LeaseLost | RegistryFailure>;
  /** The lease of the name, if there is one, and whether its holder lives. Writes nothing. */
  readonly leaseOf: (
    session: SessionName,
  ) => Effect.Effect<Option.Option<LeaseView>, RegistryFailure>;
  /** Every lease, oldest first. Writes nothing. */
  readonly leases: Effect.Effect<ReadonlyArray<LeaseView>, RegistryFailure>;
  /** Removes the rows of programs proved dead, and this program's that nobody vouches for. */
  readonly sweepLeases: (how: LeaseSweeping) => Effect.Effect<LeasesSwept, RegistryFailure>;
}
