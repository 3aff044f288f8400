/**
 * LeaseRows: what a store decides about leases, given all its rows and who lives. Pure.
 *
 * The same for every store: a store reads its rows, asks here, and writes what came of it in the
 * same transaction. A refusal still says which rows go. Nothing is judged dead here: `lifeOf` is
 * what was proved, and whoever is not proved dead is left.
 */
import type { IncarnationId } from "./Identity.js";
import {
  type LeaseHolder,
  type LeaseRecord,
  type LeaseRef,
  type LeaseView,
  sameLease,
  viewOf,
} from "./Lease.js";
import { CapacityReached, holderText, LeaseHeld, LeaseLost } from "./LeaseError.js";
import type { LeaseMove, LeaseRequest, LeaseSweeping } from "./RegistryLeases.js";
import { NotFound } from "./SessionError.js";

/** All leases at one moment, and what is known of their holders. */
export interface LeaseTable {
  readonly rows: ReadonlyArray<LeaseRecord>;
  /** The program that asks. */
  readonly self: string;
  readonly at: number;
  /** What is known of the holder of a row, as of this moment. */
  readonly lifeOf: (record: LeaseRecord) => LeaseHolder;
}

/** A row that is to be written at the next epoch of its name. */
export type LeaseDraft = Omit<LeaseRecord, "epoch">;

/** What is to be done: these rows go; the answer is a row as it is, one to be written, or no. */
export interface LeaseVerdict<Refusal> {
  readonly pruned: ReadonlyArray<LeaseRecord>;
  readonly outcome:
    | { readonly _tag: "Kept"; readonly record: LeaseRecord }
    | {
        readonly _tag: "Write";
        readonly draft: LeaseDraft;
        /** Whose place it takes, where somebody holds the name. */
        readonly over?: LeaseRecord | undefined;
      }
    | { readonly _tag: "Refused"; readonly refusal: Refusal };
}

const refused = <Refusal>(refusal: Refusal) => ({ _tag: "Refused", refusal }) as const;

const viewsOf = (rows: ReadonlyArray<LeaseRecord>, { lifeOf }: LeaseTable) =>
  rows
    .map((record): LeaseView => viewOf(record, lifeOf(record)))
    .sort((a, b) => a.acquiredAt - b.acquiredAt);

const split = (table: LeaseTable) => {
  const pruned = table.rows.filter((record) => table.lifeOf(record) === "dead");
  return { pruned, left: table.rows.filter((record) => !pruned.includes(record)) };
};

/** What was asked for, and by what name. */
type Asked = Pick<LeaseRequest, "attempted" | "session">;

const notFound = ({ attempted, session }: Asked) => refused(new NotFound({ session, attempted }));

/** The refusal of a name that this one holds, as it is at that time. */
export const leaseHeld = (holder: LeaseView, at: number, attempted: string): LeaseHeld => {
  const { acquiredAt, session } = holder;
  return new LeaseHeld({ session, attempted, holder, ageMs: at - acquiredAt });
};

const heldBy = (record: LeaseRecord, { at, lifeOf }: LeaseTable, { attempted }: Asked): LeaseHeld =>
  leaseHeld(viewOf(record, lifeOf(record)), at, attempted);

const full = (
  left: ReadonlyArray<LeaseRecord>,
  max: number,
  table: LeaseTable,
  { attempted, session }: Asked,
): CapacityReached => {
  const holders = viewsOf(left, table);
  const oldestMs = table.at - (holders[0]?.acquiredAt ?? table.at);
  return new CapacityReached({ session, attempted, active: left.length, max, holders, oldestMs });
};

const fresh = (
  { actor, component, lease, session, surface }: LeaseRequest,
  incarnation: IncarnationId,
  { at, self }: LeaseTable,
): LeaseDraft => {
  const made = { session, incarnation, lease, component, actor, surface };
  const told = { pid: null, host: null, bootId: null, children: [], turn: null };
  return { ...made, ...told, owner: self, acquiredAt: at };
};

/** Whether the holder said that he runs nothing: no turn of his may write. */
export const hasSettled = ({ children, turn }: LeaseRecord): boolean =>
  turn === null && children.length === 0;

const goesOver = (record: LeaseRecord, { over }: LeaseRequest): boolean =>
  over === "any" || (over === "settled" && hasSettled(record));

/**
 * Whether a writer gets the lease that it asks for; `there` is the incarnation of the name that has
 * not ended. First who holds it, then whether there is room.
 */
export const judgeClaim = (
  table: LeaseTable,
  request: LeaseRequest,
  there: IncarnationId | null,
): LeaseVerdict<NotFound | LeaseHeld | CapacityReached> => {
  const { actor, capacity, session } = request;
  const { left, pruned } = split(table);
  const own = left.find((record) => record.session === session);
  if (there === null) return { pruned, outcome: notFound(request) };
  if (own !== undefined && own.owner === table.self && own.actor === actor) {
    return { pruned, outcome: { _tag: "Kept", record: own } };
  }
  if (own !== undefined && goesOver(own, request)) {
    const draft = fresh(request, there, table);
    return { pruned, outcome: { _tag: "Write", draft, over: own } };
  }
  if (own !== undefined) return { pruned, outcome: refused(heldBy(own, table, request)) };
  if (capacity !== null && left.length >= capacity) {
    return { pruned, outcome: refused(full(left, capacity, table, request)) };
  }
  return { pruned, outcome: { _tag: "Write", draft: fresh(request, there, table) } };
};

/** That the lease is not ours any more, and what the name has now. */
export const leaseLost = (
  rows: ReadonlyArray<LeaseRecord>,
  { epoch, lease, session }: LeaseRef,
  attempted: string,
): LeaseLost => {
  const now = rows.find((record) => record.session === session) ?? null;
  const holder = now === null ? null : holderText(now);
  return new LeaseLost({
    session,
    attempted,
    lease,
    held: epoch,
    current: now?.epoch ?? null,
    holder,
  });
};

/** Whether a lease of the program that asks may move; `there` is of the name that it goes to. */
export const judgeMove = (
  table: LeaseTable,
  ref: LeaseRef,
  to: LeaseMove,
  there: IncarnationId | null,
): LeaseVerdict<NotFound | LeaseHeld | LeaseLost> => {
  const { left, pruned } = split(table);
  const from = left.find((record) => sameLease(record, ref) && record.owner === table.self);
  if (from === undefined) {
    return { pruned, outcome: refused(leaseLost(left, ref, to.attempted)) };
  }
  if (there === null) return { pruned, outcome: notFound(to) };
  const held = left.find((record) => record.session === to.session && record !== from);
  if (held !== undefined) return { pruned, outcome: refused(heldBy(held, table, to)) };
  const { actor, session } = to;
  const { epoch: _, ...kept } = from;
  // A turn is of its writer, and goes on where that moves his own lease.
  const turn = actor === from.actor ? from.turn : null;
  const draft = { ...kept, session, actor, incarnation: there, turn };
  return { pruned, outcome: { _tag: "Write", draft } };
};

/** What a sweep takes away: what is dead, and what is this program's and nobody's. */
export const judgeSweep = (
  table: LeaseTable,
  { component, graceMs, vouched }: LeaseSweeping,
): {
  readonly dead: ReadonlyArray<LeaseRecord>;
  readonly ownOrphans: ReadonlyArray<LeaseRecord>;
} => {
  const { left, pruned } = split(table);
  const ownOrphans = left.filter(
    (record) =>
      record.owner === table.self &&
      record.component === component &&
      !vouched(record) &&
      record.acquiredAt <= table.at - graceMs,
  );
  return { dead: pruned, ownOrphans };
};
