/**
 * Leases: the registry's calls about leases, in SQLite.
 *
 * Each change is one short write transaction, judged by core; where it depends on who lives, as
 * `LeaseLives` does it. A refusal commits, too: what was proved dead is gone then.
 */
import {
  type IncarnationId,
  judgeClaim,
  judgeMove,
  judgeSweep,
  type LeaseRecord,
  type LeaseTable,
  type LeaseVerdict,
  type LeaseView,
  leaseLost,
  type RegistryLeases,
  type SessionName,
  sameLease,
  takenLease,
  viewOf,
} from "@troupe/core";
import { Effect, Either, Option } from "effect";
import { claimRow } from "./Claims.js";
import type { Database } from "./Database.js";
import { writeEvent } from "./EventLog.js";
import { holderIn, judged, livesOf, namesIn, prune, type Written } from "./LeaseLives.js";
import { patiently } from "./Patience.js";
import type { Self } from "./Self.js";
import type { Sql, SqlError } from "./Sql.js";
import { leaseRow, leaseRows, noteLease, putLease, removeLease } from "./StoredLease.js";
import type { StoreFailure, Where } from "./StoreFailure.js";

/** The incarnation of the name that has not ended. */
const thereOf = (sql: Sql, session: SessionName) =>
  Effect.map(
    sql.unsafe<{ incarnation: IncarnationId }>(
      `SELECT incarnation FROM incarnations
        WHERE session = ? AND state NOT IN ('failed', 'deleted')`,
      [session],
    ),
    ([row]) => row?.incarnation ?? null,
  );

/** Where verdicts are carried out, and how much of the log is kept. */
interface Carrying {
  readonly sql: Sql;
  readonly table: LeaseTable;
  readonly eventsKept: number;
}

/** Removes the row of somebody who may live, and tells whose it was. */
const takeFrom = (
  { eventsKept, sql, table: { at } }: Carrying,
  over: LeaseRecord,
): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const { incarnation, session } = over;
    yield* removeLease(sql, over);
    const claim = yield* claimRow(sql, session);
    const [row] = yield* sql.unsafe<{ generation: number }>(
      "SELECT generation FROM incarnations WHERE incarnation = ?",
      [incarnation],
    );
    const event = { body: takenLease(over), generation: row?.generation ?? 0 };
    yield* writeEvent(sql, { at, session, incarnation, claim }, event, eventsKept);
  });

/** Carries a verdict out: its rows go, and the row that it allows is written. */
const carriedOut = <Refusal>(
  carrying: Carrying,
  { outcome, pruned }: LeaseVerdict<Refusal>,
  how: "insert" | "move",
): Effect.Effect<Written<Either.Either<LeaseRecord, Refusal>>, SqlError> =>
  Effect.gen(function* () {
    const { sql, table } = carrying;
    const bereft = yield* prune(sql, pruned, table.self);
    if (outcome._tag === "Refused") return { bereft, value: Either.left(outcome.refusal) };
    if (outcome._tag === "Kept") return { bereft, value: Either.right(outcome.record) };
    if (outcome.over !== undefined) yield* takeFrom(carrying, outcome.over);
    return { bereft, value: Either.right(yield* putLease(sql, outcome.draft, how)) };
  });

// Whoever releases tries again by itself, and a program that ends has not long for all of it.
const RELEASE_PATIENCE = "1500 millis";

type Changes = Omit<RegistryLeases, "leaseOf" | "leases">;

const changesOf = (database: Database, self: Self, eventsKept: number): Changes => ({
  claimLease: Effect.fn("Registry.claimLease")(function* (request) {
    const claimed = judged(database, self, (sql, table) =>
      Effect.flatMap(thereOf(sql, request.session), (there) =>
        carriedOut({ sql, table, eventsKept }, judgeClaim(table, request, there), "insert"),
      ),
    );
    return yield* yield* patiently(request, claimed);
  }),
  moveLease: Effect.fn("Registry.moveLease")(function* (lease, to) {
    const moved = judged(database, self, (sql, table) =>
      Effect.flatMap(thereOf(sql, to.session), (there) =>
        carriedOut({ sql, table, eventsKept }, judgeMove(table, lease, to, there), "move"),
      ),
    );
    return yield* yield* patiently(to, moved);
  }),
  releaseLease: Effect.fn("Registry.releaseLease")((lease) =>
    patiently(
      { session: lease.session, attempted: "release the lease" },
      database.write((sql) => removeLease(sql, lease)),
      RELEASE_PATIENCE,
    ),
  ),
  writeLease: Effect.fn("Registry.writeLease")((lease, { children, turn }) => {
    const attempted = "write under the lease";
    return patiently(
      { session: lease.session, attempted },
      database.write((sql) =>
        Effect.gen(function* () {
          const found = yield* leaseRow(sql, "session", lease.session);
          if (found === null || !sameLease(found, lease)) {
            return yield* leaseLost(found === null ? [] : [found], lease, attempted);
          }
          const written: LeaseRecord = {
            ...found,
            turn: turn === undefined ? found.turn : turn,
            children: children ?? found.children,
          };
          yield* noteLease(sql, written);
          return written;
        }),
      ),
    );
  }),
  sweepLeases: Effect.fn("Registry.sweepLeases")((how) => {
    const swept = judged(database, self, (sql, table) =>
      Effect.gen(function* () {
        const { dead, ownOrphans } = judgeSweep(table, how);
        const bereft = yield* prune(sql, [...dead, ...ownOrphans], table.self);
        return { bereft, value: { dead: dead.length, ownOrphans: ownOrphans.length } };
      }),
    );
    return patiently({ session: null, attempted: "sweep the leases" }, swept);
  }),
});

/** The port's calls about leases. */
export const makeLeases = (database: Database, self: Self, eventsKept: number): RegistryLeases => {
  const seen = (rows: ReadonlyArray<LeaseRecord>): Effect.Effect<ReadonlyArray<LeaseView>> =>
    Effect.map(self.holdersOf(namesIn(rows)), (holders) => {
      const lives = new Map(namesIn(rows).map((name) => [name, livesOf(holders(name))] as const));
      return rows.map((row) => viewOf(row, holderIn(lives)(row)));
    });
  const read = (
    where: Where,
    rows: (sql: Sql) => Effect.Effect<ReadonlyArray<LeaseRecord>, SqlError | StoreFailure>,
  ) =>
    patiently(where, database.read(rows)).pipe(
      Effect.flatMap((found) => seen(Option.getOrElse(found, () => []))),
    );
  return {
    ...changesOf(database, self, eventsKept),
    leaseOf: Effect.fn("Registry.leaseOf")((session) =>
      read({ session, attempted: "read the lease" }, (sql) =>
        Effect.map(leaseRow(sql, "session", session), (row) => (row === null ? [] : [row])),
      ).pipe(Effect.map(([row]) => Option.fromNullable(row))),
    ),
    leases: read({ session: null, attempted: "read the leases" }, leaseRows).pipe(
      Effect.withSpan("Registry.leases"),
    ),
  };
};
