/**
 * RegistryMemoryCommit: one commit on a `MemoryStore`, all of it or nothing.
 *
 * The changes are folded into a draft first; what is refused is refused there, before anything is
 * written, and the draft is then written in the same synchronous step. A move that `Lifecycle`
 * does not have and a change of an incarnation that is not there are bugs, and die.
 */
import { Clock, Effect } from "effect";
import { type IncarnationId, sameServer } from "./Identity.js";
import type { LeaseRecord } from "./Lease.js";
import { canMove, isFinal, terminalCanMove } from "./Lifecycle.js";
import type { MemoryStore } from "./MemoryStore.js";
import type { Change, Claim, Registry, ServerRecord } from "./Registry.js";
import { applyChange, type CommitContext } from "./RegistryChanges.js";
import { claimRow, endClaim, overtakenBy } from "./RegistryMemoryClaims.js";
import { appendEvents } from "./RegistryMemoryEvents.js";
import type { SessionRecord } from "./Session.js";
import { AlreadyExists, type Busy } from "./SessionError.js";
import { droppedLease, eventOf, type SessionEvent } from "./SessionEvents.js";

/** What a commit would write; nothing of it is in the store yet. */
interface Draft {
  readonly record: SessionRecord | null;
  readonly events: ReadonlyArray<Omit<SessionEvent, "sequence">>;
  readonly servers: ReadonlyArray<ServerRecord>;
  readonly requests: ReadonlyArray<string>;
  /** The lease of the incarnation; its end drops it. */
  readonly lease: LeaseRecord | null;
}

/** A draft that can be written. */
interface Kept extends Draft {
  readonly record: SessionRecord;
}

/** What is written to, and how much of the log is kept. */
interface MemoryTables {
  readonly store: MemoryStore;
  readonly eventsKept: number;
}

const refuseMove = (before: SessionRecord | null, change: Change): void => {
  if (before === null) return;
  if (change._tag === "Move" && !canMove(before.state, change.to, before.cause)) {
    throw new Error(`ILLEGAL_TRANSITION from ${before.state} to ${change.to}`);
  }
  if (change._tag !== "Terminal") return;
  const { state, terminal } = change.record;
  const from = before.terminals.find((t) => t.terminal === terminal)?.state ?? state;
  if (!terminalCanMove(from, state)) {
    throw new Error(`ILLEGAL_TRANSITION of terminal ${terminal} from ${from} to ${state}`);
  }
};

const withEvent = (
  draft: Draft,
  after: SessionRecord | null,
  change: Change,
  { at, incarnation, session }: CommitContext,
): Draft["events"] => {
  if (after === null) return draft.events;
  const bodies = [droppedWith(draft, change), eventOf(draft.record, change)];
  const { generation } = after;
  const told = bodies.flatMap((body) => (body === null ? [] : [body]));
  return [...draft.events, ...told.map((body) => ({ at, session, generation, incarnation, body }))];
};

/** The event of the lease that this change drops, if it does. */
const droppedWith = ({ lease }: Draft, change: Change): SessionEvent["body"] | null =>
  lease !== null && change._tag === "Move" && isFinal(change.to) ? droppedLease(lease) : null;

const drafted = (draft: Draft, change: Change, context: CommitContext): Draft => {
  refuseMove(draft.record, change);
  const record = applyChange(draft.record, change, context);
  const events = withEvent(draft, record, change, context);
  if (change._tag === "Server") {
    return { ...draft, record, events, servers: [...draft.servers, change.record] };
  }
  if (change._tag === "Begin" && change.requestId !== null) {
    return { ...draft, record, events, requests: [...draft.requests, change.requestId] };
  }
  const lease = droppedWith(draft, change) === null ? draft.lease : null;
  return { ...draft, record, events, lease };
};

const leaseOf = (store: MemoryStore, incarnation: IncarnationId): LeaseRecord | null =>
  [...store.leases.values()].find((lease) => lease.incarnation === incarnation) ?? null;

const dropLease = (store: MemoryStore, { incarnation }: SessionRecord): void => {
  const lease = leaseOf(store, incarnation);
  if (lease !== null) store.leases.delete(lease.session);
};

const keepServer = (store: MemoryStore, record: ServerRecord): void => {
  const known = store.servers.findIndex((s) => sameServer(s.server, record.server));
  if (known === -1) store.servers.push(record);
  else store.servers[known] = record;
};

/** Writes the draft, whole; it throws nothing. */
const keep = (
  { eventsKept, store }: MemoryTables,
  draft: Kept,
  context: CommitContext,
): SessionRecord => {
  const { incarnation, session } = context;
  const { record } = draft;
  store.records.set(incarnation, record);
  appendEvents(store, draft.events, eventsKept);
  if (isFinal(record.state)) dropLease(store, record);
  for (const server of draft.servers) keepServer(store, server);
  for (const request of draft.requests) store.requests.set(request, incarnation);
  const row = claimRow(store, session);
  store.claims.set(session, {
    ...row,
    generation: Math.max(row.generation, record.generation),
  });
  return record;
};

/** What stands in the way of a `Begin`: another incarnation of the name that has not ended. */
const occupant = (
  store: MemoryStore,
  { incarnation, session }: CommitContext,
  ended: SessionRecord | null,
): SessionRecord | undefined =>
  [...store.records.values()]
    .map((record) => (record.incarnation === ended?.incarnation ? ended : record))
    .find((r) => r.session === session && r.incarnation !== incarnation && !isFinal(r.state));

/** What the changes make of the incarnation. Throws what is refused, before anything is written. */
const draftOf = (
  store: MemoryStore,
  changes: ReadonlyArray<Change>,
  context: CommitContext,
): Kept => {
  const { incarnation, session } = context;
  const known = store.records.get(incarnation) ?? null;
  const lease = leaseOf(store, incarnation);
  const start: Draft = { record: known, events: [], servers: [], requests: [], lease };
  const draft = changes.reduce<Draft>((d, change) => drafted(d, change, context), start);
  const { record } = draft;
  if (record === null) throw new Error(`there is no incarnation ${incarnation}`);
  if (record.session !== session) throw new Error(`${incarnation} is not of ${session}`);
  return { ...draft, record };
};

const contextOf = (
  store: MemoryStore,
  { epoch, owner, session }: Claim,
  { at, incarnation }: Pick<CommitContext, "at" | "incarnation">,
): CommitContext => {
  const { fenceDue, generation } = claimRow(store, session);
  return {
    session,
    incarnation,
    generation: generation + 1,
    claim: { owner, epoch, holder: "self", fenceDue },
    at,
  };
};

/** The port's `commit`. */
export const memoryCommit =
  (store: MemoryStore, eventsKept: number): Registry["Type"]["commit"] =>
  (claim, incarnation, changes, { ending, release }) =>
    Effect.flatMap(Clock.currentTimeMillis, (at) =>
      Effect.suspend((): Effect.Effect<SessionRecord, AlreadyExists | Busy> => {
        const refusal = overtakenBy(store, claim, "commit");
        if (refusal !== null) return Effect.fail(refusal);
        const { session } = claim;
        const context = contextOf(store, claim, { at, incarnation });
        const before =
          ending === undefined ? null : { ...context, incarnation: ending.incarnation };
        const ended =
          ending === undefined || before === null ? null : draftOf(store, ending.changes, before);
        const active = occupant(store, context, ended?.record ?? null);
        if (active !== undefined && changes.some((change) => change._tag === "Begin")) {
          const { state } = active;
          return Effect.fail(new AlreadyExists({ session, attempted: "create", state }));
        }
        const draft = draftOf(store, changes, context);
        const tables = { store, eventsKept };
        if (ended !== null && before !== null) keep(tables, ended, before);
        const record = keep(tables, draft, context);
        if (!release) return Effect.succeed({ ...record, claim: context.claim });
        endClaim(store, session, false);
        const { epoch } = claim;
        const claimed = { owner: null, epoch, holder: "none", fenceDue: false } as const;
        return Effect.succeed({ ...record, claim: claimed });
      }),
    );
