/**
 * Sql: what is asked of a connection: one statement after the other, each prepared anew.
 *
 * The client's own way takes a span, a scope, a semaphore and a cache for each statement, which is
 * thirty times the work of most of ours. None is needed here: whoever has a connection is alone
 * with it, and what a cache keeps of a busy file is wrong. Nothing waits: the driver answers at
 * once, and a busy file is a failure.
 */
import type { Connection } from "@effect/sql/SqlConnection";
import { SqlError } from "@effect/sql/SqlError";
import { Effect } from "effect";

/** A connection that one fiber uses. */
export interface Sql {
  /** Runs the statement as it stands; its rows, if it has any. */
  readonly unsafe: <A extends object = Record<string, unknown>>(
    statement: string,
    parameters?: ReadonlyArray<unknown>,
  ) => Effect.Effect<ReadonlyArray<A>, SqlError>;
}

/** The statements of the driver's connection. */
export const sqlOf = (connection: Connection): Sql => ({
  unsafe: <A extends object>(statement: string, parameters: ReadonlyArray<unknown> = []) =>
    Effect.suspend((): Effect.Effect<ReadonlyArray<A>, SqlError> => {
      try {
        return connection.executeUnprepared(statement, parameters, undefined);
      } catch (cause) {
        return new SqlError({ cause, message: "Failed to prepare statement" });
      }
    }),
});
