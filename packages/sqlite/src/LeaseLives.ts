/**
 * LeaseLives: a write transaction over the rows of all leases, of whose holders it is known whether
 * they live.
 *
 * Who lives is asked between transactions: one that meets a holder of whom nothing is known yet
 * writes nothing, and is made again behind the answer. What is still not known after some rounds
 * counts as alive. Programs that hold nothing any more lose the locks that proved their death.
 */
import {
  type ClaimRecord,
  type LeaseHolder,
  type LeaseRecord,
  type LeaseTable,
  lifeOfAll,
} from "@troupe/core";
import { Clock, Effect, Either } from "effect";
import { holdsClaims } from "./Claims.js";
import type { Database } from "./Database.js";
import type { Self } from "./Self.js";
import type { Sql, SqlError } from "./Sql.js";
import { childNames, leaseRows, removeLease } from "./StoredLease.js";
import type { StoreFailure } from "./StoreFailure.js";

/** What is known of programs and children, by their names. */
export type Lives = ReadonlyMap<string, LeaseHolder>;

/** The same of a lease, which always has a holder. */
export const livesOf = (holder: ClaimRecord["holder"]): LeaseHolder =>
  holder === "none" ? "unknown" : holder;

/** Whoever is named by a row and must be known to live or not. */
export const namesIn = (rows: ReadonlyArray<LeaseRecord>): ReadonlyArray<string> =>
  rows.flatMap((row) => [row.owner, ...childNames(row)]);

/** Whether the holder of the row lives: dead only when its children are, too. */
export const holderIn =
  (lives: Lives) =>
  (row: LeaseRecord): LeaseHolder => {
    const lifeOf = (name: string) => lives.get(name) ?? "unknown";
    return lifeOfAll(lifeOf(row.owner), childNames(row).map(lifeOf));
  };

/** What a transaction made: its value, and programs of which nothing is left in the rows. */
export interface Written<A> {
  readonly value: A;
  readonly bereft: ReadonlyArray<string>;
}

/** Removes the rows; the owners that hold nothing any more, but for ourselves. */
export const prune = (sql: Sql, rows: ReadonlyArray<LeaseRecord>, self: string) =>
  Effect.gen(function* () {
    for (const row of rows) yield* removeLease(sql, row);
    const owners = new Set(rows.map(({ owner }) => owner).filter((owner) => owner !== self));
    return yield* Effect.filter(owners, (owner) =>
      Effect.map(holdsClaims(sql, owner), (holds) => !holds),
    );
  });

// A further round is needed only when another program came between the answers and the rows.
const rounds = 8;

/** What is done with the rows, in their transaction. */
type InTransaction<A> = (
  sql: Sql,
  table: LeaseTable,
) => Effect.Effect<Written<A>, SqlError | StoreFailure>;

/** Runs the body on rows of whose holders it is known whether they live. */
export const judged = <A>(database: Database, self: Self, body: InTransaction<A>) => {
  const round = (lives: Lives, left: number): Effect.Effect<A, StoreFailure> =>
    Effect.gen(function* () {
      const owner = yield* self.owner;
      const at = yield* Clock.currentTimeMillis;
      const result = yield* database.write((sql) =>
        Effect.gen(function* () {
          const rows = yield* leaseRows(sql);
          const asked = namesIn(rows).filter((name) => name !== owner && !lives.has(name));
          if (asked.length > 0 && left > 0) return Either.left(asked);
          const lifeOf = holderIn(new Map([...lives, [owner, "self"]]));
          return Either.right(yield* body(sql, { rows, self: owner, at, lifeOf }));
        }),
      );
      if (Either.isRight(result)) {
        for (const dead of result.right.bereft) yield* self.forget(dead);
        return result.right.value;
      }
      const known = new Map(lives);
      for (const name of result.left) known.set(name, yield* self.lifeOf(name));
      return yield* round(known, left - 1);
    });
  return round(new Map(), rounds);
};
