/**
 * Sql: what is asked of a connection, one statement after the other; each is prepared once.
 *
 * Whoever has a connection is alone with it. Nothing waits: the driver answers at once, and a busy
 * file is a failure. No statement is made of values, so there are few, and all are kept until the
 * connection is closed. One that could not be prepared is not remembered: that the file was busy
 * says nothing of the next time.
 */
import type { Database, Statement } from "better-sqlite3";
import { Data, Effect } from "effect";

/** What the driver threw; SQLite's name for it is the `code` of the cause. */
export class SqlError extends Data.TaggedError("SqlError")<{
  readonly cause: unknown;
  readonly message: string;
}> {}

/** A connection that one fiber uses. */
export interface Sql {
  /** Runs the statement as it stands; its rows, if it has any. */
  readonly unsafe: <A extends object = Record<string, unknown>>(
    statement: string,
    parameters?: ReadonlyArray<unknown>,
  ) => Effect.Effect<ReadonlyArray<A>, SqlError>;
}

/** The statements of the driver's connection. */
export const sqlOf = (database: Database): Sql => {
  const prepared = new Map<string, Statement>();
  const prepare = (text: string): Statement => {
    const known = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, known);
    return known;
  };
  return {
    unsafe: <A extends object>(text: string, parameters: ReadonlyArray<unknown> = []) =>
      Effect.suspend((): Effect.Effect<ReadonlyArray<A>, SqlError> => {
        try {
          const statement = prepare(text);
          if (statement.reader) return Effect.succeed(statement.all(...parameters) as Array<A>);
          statement.run(...parameters);
          return Effect.succeed([]);
        } catch (cause) {
          return new SqlError({ cause, message: "Failed to run a statement" });
        }
      }),
  };
};
