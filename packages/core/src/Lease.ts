/**
 * Lease: the right of one writer to run turns in a session, as plain values.
 *
 * A writer is an actor of one program, both; the lease is a row beside the session's, bound to one
 * incarnation. Its epoch changes only when its owner changes and fences turns; a claim's epoch
 * fences messages, and is another number. What a child process holds for its parent is `Borrowed`:
 * no call that changes a lease takes one, which the types say.
 */
import { Option, Schema } from "effect";
import { IncarnationId, ProcessId } from "./Identity.js";
import { SessionName } from "./SessionName.js";

/** One acquisition of a lease; it stays the same when the lease moves. */
export const LeaseId = Schema.String.pipe(Schema.minLength(1), Schema.brand("LeaseId"));
export type LeaseId = typeof LeaseId.Type;

/** One start of a writer in one program; never used twice. */
export const ActorId = Schema.String.pipe(Schema.minLength(1), Schema.brand("ActorId"));
export type ActorId = typeof ActorId.Type;

/** One turn; never used twice, so what is late for one cannot meet the next. */
export const TurnId = Schema.String.pipe(Schema.minLength(1), Schema.brand("TurnId"));
export type TurnId = typeof TurnId.Type;

/** A lease as it is named to the registry: an answer counts only for this very epoch of it. */
export interface LeaseRef {
  readonly session: SessionName;
  readonly lease: LeaseId;
  readonly epoch: number;
}

/**
 * A lease as it stands in the registry. `owner` is the program, by the name that it holds claims
 * under; `pid`, `host` and `bootId` are what that name tells of it. `children` are processes that
 * run the turn for it, oldest first: the lease is given up for dead only when all are. `turn` is
 * the one that the holder said it runs.
 */
export const LeaseRecord = Schema.Struct({
  session: SessionName,
  incarnation: IncarnationId,
  lease: LeaseId,
  epoch: Schema.Int,
  owner: Schema.String,
  component: Schema.String,
  actor: ActorId,
  surface: Schema.String,
  pid: Schema.NullOr(Schema.Int),
  host: Schema.NullOr(Schema.String),
  bootId: Schema.NullOr(Schema.String),
  children: Schema.Array(ProcessId),
  turn: Schema.NullOr(TurnId),
  acquiredAt: Schema.Int,
});
export type LeaseRecord = typeof LeaseRecord.Type;

/** Whether the holder of a lease lives; `unknown` counts as alive. */
export const LeaseHolder = Schema.Literal("self", "alive", "dead", "unknown");
export type LeaseHolder = typeof LeaseHolder.Type;

/** The same of a program and its children: dead only when all are. */
export const lifeOfAll = (
  program: LeaseHolder,
  children: ReadonlyArray<LeaseHolder>,
): LeaseHolder => {
  if (program !== "dead") return program;
  return (["alive", "self", "unknown"] as const).find((life) => children.includes(life)) ?? "dead";
};

/** A lease as a program sees it. Whether a turn runs is known of one's own leases alone. */
export const LeaseView = Schema.extend(
  LeaseRecord,
  Schema.Struct({
    holder: LeaseHolder,
    activity: Schema.Literal("running", "idle", "unknown"),
  }),
);
export type LeaseView = typeof LeaseView.Type;

/** The lease as seen by a program to which its holder is this. */
export const viewOf = (record: LeaseRecord, holder: LeaseHolder): LeaseView => ({
  ...record,
  holder,
  activity: holder !== "self" ? "unknown" : record.turn === null ? "idle" : "running",
});

/** A lease that is ours: it may be moved, vouched for and released. */
export interface OwnedLease extends LeaseRef {
  readonly _tag: "Owned";
  readonly incarnation: IncarnationId;
  readonly owner: string;
  readonly actor: ActorId;
}

/** A lease that a parent holds for us. It is there, so nothing is claimed, and changes nothing. */
export interface BorrowedLease extends LeaseRef {
  readonly _tag: "Borrowed";
  /** The program that holds it. */
  readonly parent: string;
}

/** What a turn runs under. */
export type Lease = OwnedLease | BorrowedLease;

/** What a parent gives to a child process that runs a turn for it. */
export const LeaseVouch = Schema.Struct({
  session: SessionName,
  lease: LeaseId,
  epoch: Schema.Int,
  parent: Schema.String,
});
export type LeaseVouch = typeof LeaseVouch.Type;

/** The proof that a turn can write no more. That time passed is none. */
export type Settlement =
  | { readonly _tag: "TurnEnded"; readonly turn: TurnId }
  | { readonly _tag: "ChildExited"; readonly turn: TurnId; readonly pid: number };

/** The lease that a row says is ours. */
export const ownedLease = (record: LeaseRecord): OwnedLease => ({
  _tag: "Owned",
  session: record.session,
  incarnation: record.incarnation,
  lease: record.lease,
  epoch: record.epoch,
  owner: record.owner,
  actor: record.actor,
});

/** Whether both are the same epoch of the same lease of the same name. */
export const sameLease = (a: LeaseRef, b: LeaseRef): boolean =>
  a.lease === b.lease && a.epoch === b.epoch && a.session === b.session;

/** Vouches for the lease, while it names the session that is meant; else for nothing. */
export const vouchFor = (lease: OwnedLease, session: SessionName): Option.Option<LeaseVouch> =>
  lease.session === session
    ? Option.some({ session, lease: lease.lease, epoch: lease.epoch, parent: lease.owner })
    : Option.none();

/** Points a borrowed lease at another name, here alone: the parent moves its own. */
export const retarget = (lease: BorrowedLease, session: SessionName): BorrowedLease => ({
  ...lease,
  session,
});
