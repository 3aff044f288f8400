/**
 * StoredLease: the statements about the rows of leases, each in the caller's transaction.
 *
 * What the name of an owner tells of his process is read from it and stored nowhere. A row that
 * cannot be understood fails the call, and is never written over: evidence that cannot be read is
 * no proof that nobody holds the lease.
 */
import { LeaseRecord, type LeaseRef, ProcessId, type SessionName } from "@troupe/core";
import { Effect, Schema } from "effect";
import { ownerText, parseOwner } from "./ProcessIdentity.js";
import { decodeRows } from "./Reads.js";
import type { Sql, SqlError } from "./Sql.js";
import type { StoreFailure } from "./StoreFailure.js";

// One child stands there by itself; several are a list.
const Children = Schema.Union(ProcessId, Schema.Array(ProcessId));

const Stored = Schema.Struct({
  ...Schema.Struct(LeaseRecord.fields).omit("pid", "host", "bootId", "children").fields,
  child: Schema.NullOr(Schema.parseJson(Children)),
});

type Row = typeof Stored.Type;

const select = `SELECT session, incarnation, lease, epoch, owner, component, actor, surface, child,
    turn, acquired_at AS acquiredAt FROM leases`;

const withProcess = (record: Omit<LeaseRecord, "pid" | "host" | "bootId">): LeaseRecord => {
  const identity = parseOwner(record.owner);
  return {
    ...record,
    pid: identity?.process.pid ?? null,
    host: identity?.host ?? null,
    bootId: identity?.process.bootId ?? null,
  };
};

const told = ({ child, ...row }: Row): LeaseRecord =>
  withProcess({ ...row, children: child === null ? [] : [child].flat() });

/** Every lease, oldest first. */
export const leaseRows = (
  sql: Sql,
): Effect.Effect<ReadonlyArray<LeaseRecord>, SqlError | StoreFailure> =>
  sql.unsafe(`${select} ORDER BY acquired_at, session`).pipe(
    Effect.flatMap((rows) => decodeRows(Stored, rows)),
    Effect.map((rows) => rows.map(told)),
  );

/** The lease of an incarnation, or of a name. */
export const leaseRow = (
  sql: Sql,
  column: "incarnation" | "session",
  value: string,
): Effect.Effect<LeaseRecord | null, SqlError | StoreFailure> =>
  sql.unsafe(`${select} WHERE ${column} = ?`, [value]).pipe(
    Effect.flatMap((rows) => decodeRows(Stored, rows)),
    Effect.map(([row]) => (row === undefined ? null : told(row))),
  );

/** Removes the lease, if it is this epoch of it; whether it was. */
export const removeLease = (
  sql: Sql,
  { epoch, lease, session }: LeaseRef,
): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql.unsafe("DELETE FROM leases WHERE session = ? AND lease = ? AND epoch = ? RETURNING lease", [
      session,
      lease,
      epoch,
    ]),
    (rows) => rows.length > 0,
  );

/** The next epoch of the name. */
const nextEpoch = (sql: Sql, session: SessionName): Effect.Effect<number, SqlError> =>
  Effect.gen(function* () {
    const [grown] = yield* sql.unsafe<{ epoch: number }>(
      "UPDATE lease_epochs SET epoch = epoch + 1 WHERE session = ? RETURNING epoch",
      [session],
    );
    if (grown !== undefined) return grown.epoch;
    yield* sql.unsafe("INSERT INTO lease_epochs (session, epoch) VALUES (?, 1)", [session]);
    return 1;
  });

/** Makes the row, or moves the one of this id to where the record says, at the next epoch. */
export const putLease = (
  sql: Sql,
  record: Omit<LeaseRecord, "epoch">,
  how: "insert" | "move",
): Effect.Effect<LeaseRecord, SqlError> =>
  Effect.gen(function* () {
    const { actor, component, incarnation, lease, owner, session, surface } = record;
    const epoch = yield* nextEpoch(sql, session);
    if (how === "move") {
      yield* sql.unsafe(
        `UPDATE leases SET session = ?, incarnation = ?, epoch = ?, actor = ?, turn = ?
          WHERE lease = ?`,
        [session, incarnation, epoch, actor, record.turn, lease],
      );
      return { ...record, epoch };
    }
    yield* sql.unsafe(
      `INSERT INTO leases (session, incarnation, lease, epoch, owner, component, actor, surface,
          acquired_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [session, incarnation, lease, epoch, owner, component, actor, surface, record.acquiredAt],
    );
    return withProcess({ ...record, epoch });
  });

/** Writes what the holder says of itself. */
export const noteLease = (
  sql: Sql,
  { children, lease, turn }: Pick<LeaseRecord, "children" | "lease" | "turn">,
): Effect.Effect<unknown, SqlError> => {
  const [first, ...others] = children;
  const child = others.length === 0 ? first : children;
  return sql.unsafe("UPDATE leases SET turn = ?, child = ? WHERE lease = ?", [
    turn,
    child === undefined ? null : JSON.stringify(child),
    lease,
  ]);
};

/** What the children of a lease are called when it is asked whether they live. */
export const childNames = ({ children, owner }: LeaseRecord): ReadonlyArray<string> => {
  const identity = parseOwner(owner);
  if (identity === null) return [];
  const { host } = identity;
  return children.map((process) => ownerText({ host, process, nonce: "child" }));
};
