/**
 * RegistryMemoryLeases: leases in a `MemoryStore`.
 *
 * Each call is one synchronous step on the store, like a transaction. Who lives is what was
 * declared; a child process that nobody declared is unknown, and counts as alive.
 */
import { Clock, Effect, Option } from "effect";
import type { IncarnationId, ProcessId } from "./Identity.js";
import {
  type LeaseHolder,
  type LeaseRecord,
  type LeaseRef,
  lifeOfAll,
  sameLease,
  viewOf,
} from "./Lease.js";
import {
  judgeClaim,
  judgeMove,
  judgeSweep,
  type LeaseDraft,
  type LeaseTable,
  type LeaseVerdict,
  leaseLost,
} from "./LeaseRows.js";
import { isFinal } from "./Lifecycle.js";
import type { MemoryStore } from "./MemoryStore.js";
import type { LeaseNote, RegistryLeases } from "./RegistryLeases.js";
import { appendEvents } from "./RegistryMemoryEvents.js";
import { takenLease } from "./SessionEvents.js";
import type { SessionName } from "./SessionName.js";

/** What a child process is called among the owners of a store, for `declare`. */
export const childOwner = ({ bootId, pid, startTime }: ProcessId): string =>
  `child ${bootId}/${pid}/${startTime}`;

/** The lease's holder as the owner `self` knows it: dead only when its children are, too. */
export const seenHolder =
  (store: MemoryStore, self: string) =>
  ({ children, owner }: LeaseRecord): LeaseHolder => {
    if (owner === self) return "self";
    const lifeOf = (name: string) => store.owners.get(name) ?? "unknown";
    return lifeOfAll(
      lifeOf(owner),
      children.map((child) => lifeOf(childOwner(child))),
    );
  };

/** The incarnation of the name that has not ended. */
const thereOf = (store: MemoryStore, session: SessionName): IncarnationId | null =>
  [...store.records.values()].find((r) => r.session === session && !isFinal(r.state))
    ?.incarnation ?? null;

/** Tells that a lease was taken from who held it. */
const tellTaken = (store: MemoryStore, over: LeaseRecord, at: number, eventsKept: number): void => {
  const { incarnation, session } = over;
  const generation = store.records.get(incarnation)?.generation ?? 0;
  appendEvents(
    store,
    [{ at, session, generation, incarnation, body: takenLease(over) }],
    eventsKept,
  );
};

/** Writes a row at the next epoch of its name, in place of the one that it goes over or moves. */
const put = (store: MemoryStore, draft: LeaseDraft, replaced: LeaseRef | null): LeaseRecord => {
  const { session } = draft;
  const epoch = (store.leaseEpochs.get(session) ?? 0) + 1;
  const written: LeaseRecord = { ...draft, epoch };
  if (replaced !== null) store.leases.delete(replaced.session);
  store.leaseEpochs.set(session, epoch);
  store.leases.set(session, written);
  return written;
};

/** The row with what its holder says of himself. */
const noted = (record: LeaseRecord, { children, turn }: LeaseNote): LeaseRecord => ({
  ...record,
  turn: turn === undefined ? record.turn : turn,
  children: children ?? record.children,
});

/** The port's calls about leases, for the owner `self`. */
export const memoryLeases = (
  store: MemoryStore,
  self: string,
  eventsKept: number,
): RegistryLeases => {
  const lifeOf = seenHolder(store, self);
  const rowsOf = (): ReadonlyArray<LeaseRecord> => [...store.leases.values()];
  /** One step, at the time of its caller's clock. */
  const step = <A, E>(body: (table: LeaseTable) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.flatMap(Clock.currentTimeMillis, (at) =>
      Effect.suspend(() => body({ rows: rowsOf(), self, at, lifeOf })),
    );
  const remove = (rows: ReadonlyArray<LeaseRecord>): void => {
    for (const { session } of rows) store.leases.delete(session);
  };
  /** What a verdict comes to: its rows go, and the row that it allows is written. */
  const carryOut = <E>(
    { outcome, pruned }: LeaseVerdict<E>,
    replaced: LeaseRef | null,
    at: number,
  ) => {
    remove(pruned);
    if (outcome._tag === "Refused") return Effect.fail(outcome.refusal);
    if (outcome._tag === "Kept") return Effect.succeed(outcome.record);
    if (outcome.over !== undefined) tellTaken(store, outcome.over, at, eventsKept);
    return Effect.succeed(put(store, outcome.draft, replaced));
  };
  const current = (ref: LeaseRef) => rowsOf().find((record) => sameLease(record, ref));

  return {
    claimLease: (request) =>
      step((table) =>
        carryOut(judgeClaim(table, request, thereOf(store, request.session)), null, table.at),
      ),
    moveLease: (ref, to) =>
      step((table) =>
        carryOut(judgeMove(table, ref, to, thereOf(store, to.session)), ref, table.at),
      ),
    releaseLease: (ref) =>
      Effect.sync(() => {
        const found = current(ref);
        if (found !== undefined) remove([found]);
        return found !== undefined;
      }),
    writeLease: (ref, note) =>
      Effect.suspend(() => {
        const found = current(ref);
        if (found === undefined) return leaseLost(rowsOf(), ref, "write under the lease");
        const written = noted(found, note);
        store.leases.set(ref.session, written);
        return Effect.succeed(written);
      }),
    leaseOf: (session) =>
      Effect.sync(() =>
        Option.map(Option.fromNullable(store.leases.get(session)), (r) => viewOf(r, lifeOf(r))),
      ),
    leases: Effect.sync(() =>
      rowsOf()
        .map((record) => viewOf(record, lifeOf(record)))
        .sort((a, b) => a.acquiredAt - b.acquiredAt),
    ),
    sweepLeases: (how) =>
      step((table) => {
        const { dead, ownOrphans } = judgeSweep(table, how);
        remove([...dead, ...ownOrphans]);
        return Effect.succeed({ dead: dead.length, ownOrphans: ownOrphans.length });
      }),
  };
};
