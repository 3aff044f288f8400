/**
 * HeldLeases: the leases that writers of this program have, each with its state.
 *
 * What is in it is vouched for: its row is no orphan. A lease is in it from before its claim is
 * answered until its row is gone, or another has it. Changes are single synchronous steps; nothing
 * of the registry is touched here.
 */
import type { Effect } from "effect";
import { type ActorId, type LeaseId, type LeaseRef, type OwnedLease, sameLease } from "./Lease.js";
import {
  type LeaseAction,
  type LeaseEvent,
  type LeaseState,
  noLease,
  stepLease,
  vouchedFor,
} from "./LeaseState.js";
import type { SessionName } from "./SessionName.js";

/** Who wants to run turns in a session. */
export interface LeaseWriter {
  readonly session: SessionName;
  readonly actor: ActorId;
  /** What it is for, in a word, for people. */
  readonly surface: string;
  /** Whether a client is at it; from one that has none a sibling may take the lease. */
  readonly attended: () => boolean;
  /** Run behind a takeover by a sibling; what becomes of it changes nothing. */
  readonly taken: Effect.Effect<void>;
}

/** A lease of a writer of this program. */
export class HeldLease {
  state: LeaseState = noLease;
  /** Whether it was given up and its row is still there. */
  ended = false;

  constructor(readonly writer: LeaseWriter) {}

  /** Does the step; what is due. */
  step(event: LeaseEvent): LeaseAction {
    const { action, state } = stepLease(this.state, event);
    this.state = state;
    return action;
  }

  /** The lease while it is ours to answer for. */
  get lease(): OwnedLease | null {
    return vouchedFor(this.state);
  }
}

/** All of one program's. */
export class HeldLeases {
  private readonly held = new Set<HeldLease>();

  get size(): number {
    return this.held.size;
  }

  add(held: HeldLease): void {
    this.held.add(held);
  }

  /** Forgets those that are nobody's any more. */
  prune(): void {
    for (const held of this.held) {
      if (held.lease === null && held.state._tag !== "Claiming") this.held.delete(held);
    }
  }

  /** The holder of this very epoch of it: whoever had it before a takeover is another. */
  of(ref: LeaseRef): HeldLease | null {
    return this.all.find(({ lease }) => lease !== null && sameLease(lease, ref)) ?? null;
  }

  /** The lease that this actor holds for the name. */
  by(session: SessionName, actor: ActorId): HeldLease | null {
    const isBy = ({ lease }: HeldLease): boolean =>
      lease?.session === session && lease.actor === actor;
    return [...this.held].find(isBy) ?? null;
  }

  /** Another writer of this program that holds the name, whatever it does. */
  sibling(session: SessionName, actor: ActorId): HeldLease | null {
    const isOther = ({ lease }: HeldLease): boolean =>
      lease?.session === session && lease.actor !== actor;
    return [...this.held].find(isOther) ?? null;
  }

  get all(): ReadonlyArray<HeldLease> {
    return [...this.held];
  }

  /** The leases that are vouched for. */
  get vouched(): ReadonlyArray<LeaseId> {
    return this.all.flatMap(({ lease }) => (lease === null ? [] : [lease.lease]));
  }
}
