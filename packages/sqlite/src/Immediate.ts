/**
 * Immediate: a write transaction that takes its lock at the start.
 *
 * `BEGIN IMMEDIATE`, so that a transaction which reads and then writes is never refused half-way.
 * Busy at the begin or at the commit is an ordinary failure, and then nothing was written; the
 * driver's own `withTransaction` begins deferred and makes a defect of either.
 */
import * as SqlClient from "@effect/sql/SqlClient";
import type { SqlError } from "@effect/sql/SqlError";
import { Effect, Exit } from "effect";

/** Runs the body in one write transaction: all of it or, on any failure, nothing. */
export const immediate = <A, E>(
  sql: SqlClient.SqlClient,
  body: Effect.Effect<A, E>,
): Effect.Effect<A, E | SqlError> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const connection = yield* restore(sql.reserve);
      const run = (statement: string) => connection.executeRaw(statement, []);
      // SQLite has rolled back already after some failures; then this one has nothing to do.
      const rollback = Effect.ignore(run("ROLLBACK"));
      yield* run("BEGIN IMMEDIATE");
      const exit = yield* body.pipe(
        Effect.provideService(SqlClient.TransactionConnection, [connection, 0]),
        restore,
        Effect.exit,
      );
      if (Exit.isFailure(exit)) yield* rollback;
      else yield* Effect.onError(run("COMMIT"), () => rollback);
      return yield* exit;
    }),
  ).pipe(Effect.scoped);
