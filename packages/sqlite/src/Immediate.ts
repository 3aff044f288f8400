/**
 * Immediate: a write transaction that takes its lock at the start.
 *
 * `BEGIN IMMEDIATE`, so that a transaction which reads and then writes is never refused half-way.
 * Busy at the begin or at the commit is an ordinary failure, and then nothing was written; the
 * driver's own `withTransaction` begins deferred and makes a defect of either.
 */
import { Effect, Exit } from "effect";
import type { Sql, SqlError } from "./Sql.js";

/** Runs the body in one write transaction: all of it or, on any failure, nothing. */
export const immediate = <A, E>(
  sql: Sql,
  body: Effect.Effect<A, E>,
): Effect.Effect<A, E | SqlError> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      // SQLite has rolled back already after some failures; then this one has nothing to do.
      const rollback = Effect.ignore(sql.unsafe("ROLLBACK"));
      yield* sql.unsafe("BEGIN IMMEDIATE");
      const exit = yield* Effect.exit(restore(body));
      if (Exit.isFailure(exit)) yield* rollback;
      else yield* Effect.onError(sql.unsafe("COMMIT"), () => rollback);
      return yield* exit;
    }),
  );
