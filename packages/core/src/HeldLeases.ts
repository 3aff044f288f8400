/**
 * HeldLeases: the leases that writers of this program have, each with its state.
 *
 * What is in it is vouched for: its row is no orphan. A lease is in it from before its claim is
 * answered until its row is gone, or another has it, under whatever names it was moved to
 * meanwhile. Changes are single synchronous steps; nothing of the registry is touched here.
 */
import type { Effect } from "effect";
import type { ProcessId } from "./Identity.js";
import {
  type ActorId,
  type LeaseRecord,
  type LeaseRef,
  type OwnedLease,
  sameLease,
  type TurnId,
} from "./Lease.js";
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
  /** Every name and epoch at which it was this writer's. */
  private readonly refs: Array<LeaseRef> = [];
  private scopes = 0;
  private isKept = false;
  /** A move of it ended without an answer: its row may be another's, or of another name. */
  mayBeElsewhere = false;
  /** The processes that its row names: none of them may be left when it is given back. */
  children: ReadonlyArray<ProcessId> = [];
  /** The turn that they are of, or that came last where there are none. */
  turn: TurnId | null = null;

  constructor(readonly writer: LeaseWriter) {}

  /** Does the step; what is due. */
  step(event: LeaseEvent): LeaseAction {
    const { action, state } = stepLease(this.state, event);
    this.state = state;
    if (state._tag === "Held" && !this.was(state.lease)) this.refs.push(state.lease);
    return action;
  }

  /** Its row as it was written last; `from` is the sibling that had it until then. */
  written(
    { children, turn }: Pick<LeaseRecord, "children" | "turn">,
    from: HeldLease | null = null,
  ): void {
    if (this.children.length === 0) this.turn = from?.turn ?? turn ?? this.turn;
    this.children = children;
  }

  /** The lease while it is ours to answer for. */
  get lease(): OwnedLease | null {
    return vouchedFor(this.state);
  }

  /** The name that it is of now. */
  get session(): SessionName {
    return this.lease?.session ?? this.writer.session;
  }

  /** Whether it is, or was before a move, the lease that is named. */
  was(ref: LeaseRef): boolean {
    return this.refs.some((other) => sameLease(other, ref));
  }

  /** Wanted by its writer until that gives it back. */
  keep(): void {
    this.isKept = true;
  }

  /** Wanted by one more scope. */
  enter(): void {
    this.scopes += 1;
  }

  /** A scope wants it no more; whether nobody does. */
  leave(): boolean {
    this.scopes -= 1;
    return this.scopes <= 0 && !this.isKept;
  }

  /** Its writer gives it back, whatever wanted it. */
  drop(): void {
    this.isKept = false;
  }
}

/** All of one program's. */
export class HeldLeases {
  private readonly held = new Set<HeldLease>();
  /** When a change last ended without an answer, of which a row may be left; `null`: none did. */
  private doubtedAt: number | null = null;

  /** A change of now ended without an answer; `moved` is the lease that was to go elsewhere. */
  leaveDoubt(now: number, moved: HeldLease | null): void {
    this.doubtedAt = now;
    if (moved !== null) moved.mayBeElsewhere = true;
  }

  /** A sweep begins that takes every row of that age; what to run when that is done. */
  beginSweep(oldest: number): () => void {
    const doubted = this.doubtedAt;
    // The row is vouched for as long as who had it before is here, and is not taken.
    const isCovered = !this.all.some(({ mayBeElsewhere }) => mayBeElsewhere);
    return () => {
      if (!isCovered || doubted === null || doubted > oldest) return;
      if (this.doubtedAt === doubted) this.doubtedAt = null;
    };
  }

  /** Whether there is anything that a sweep may be for. */
  get needSweeps(): boolean {
    return this.held.size > 0 || this.doubtedAt !== null;
  }

  get size(): number {
    return this.held.size;
  }

  /** Takes note of one that is claimed, or about to be. */
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

  /** The holder of what became of it: it may be of another name by now. */
  since(ref: LeaseRef): HeldLease | null {
    return this.all.find((held) => held.lease !== null && held.was(ref)) ?? null;
  }

  /** The lease that this actor holds for the name. */
  by(session: SessionName, actor: ActorId): HeldLease | null {
    const isBy = ({ lease }: HeldLease): boolean =>
      lease?.session === session && lease.actor === actor;
    return [...this.held].find(isBy) ?? null;
  }

  /** All that this actor holds, for whatever name. */
  allBy(actor: ActorId): ReadonlyArray<HeldLease> {
    return this.all.filter(({ lease }) => lease?.actor === actor);
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

  /** Whether somebody answers for the row: has it, or has asked for it and was not answered yet. */
  readonly vouched = ({
    actor,
    lease,
    session,
  }: Pick<LeaseRecord, "actor" | "lease" | "session">): boolean =>
    this.all.some((held) => {
      if (held.lease?.lease === lease) return true;
      const asks = held.lease !== null || held.state._tag === "Claiming";
      return asks && held.session === session && held.writer.actor === actor;
    });
}
