/**
 * Reads: what the registry remembers, told.
 *
 * Each is one statement, needs no claim, writes nothing and makes nothing: where there is no
 * database, nothing is known. Whether the holder of a claim lives is asked after the statement,
 * once for each owner. A damaged row fails a read of that one row and is told beside the others.
 */
import { ProcessId, type Registry, ServerId, type SessionRecord } from "@troupe/core";
import { Effect, Either, Option, Schema } from "effect";
import type { Database } from "./Database.js";
import { patiently } from "./Patience.js";
import type { Self } from "./Self.js";
import type { Sql, SqlError } from "./Sql.js";
import {
  decodeStored,
  newest,
  type Stored,
  type StoredRow,
  selectStored,
  withHolder,
} from "./StoredRecord.js";
import { StoreFailure } from "./StoreFailure.js";

type Reads = Pick<Registry["Type"], "get" | "find" | "findRequest" | "list" | "servers">;

const corrupt = (detail: string): StoreFailure => new StoreFailure({ kind: "corrupt", detail });

/** The one record that the conditions find, or nothing. */
export const readStored = (
  sql: Sql,
  conditions: string,
  parameter: string,
): Effect.Effect<Option.Option<Stored>, SqlError | StoreFailure> =>
  Effect.flatMap(sql.unsafe<StoredRow>(selectStored(conditions), [parameter]), ([row]) =>
    row === undefined
      ? Effect.succeedNone
      : Either.match(decodeStored(row), {
          onLeft: (detail) => Effect.fail(corrupt(detail)),
          onRight: Effect.succeedSome,
        }),
  );

const StoredServer = Schema.Struct({
  server: Schema.parseJson(ServerId),
  process: Schema.parseJson(ProcessId),
  version: Schema.String,
});

const selectServers = `
  SELECT json_object('pid', pid, 'startTime', start_time) AS server,
    json_object('pid', process_pid, 'startTime', process_start_time, 'bootId', boot_id) AS process,
    version
  FROM servers ORDER BY ordinal DESC`;

/** The rows as the schema says; `corrupt` when one is not. */
export const decodeRows = <A, I>(schema: Schema.Schema<A, I>, rows: ReadonlyArray<unknown>) =>
  Effect.mapError(Schema.decodeUnknown(Schema.Array(schema))(rows), ({ message }) =>
    corrupt(message),
  );

/** Every row that can be understood, and beside them those that cannot. */
export const toldAll = Effect.fnUntraced(function* (self: Self, rows: ReadonlyArray<StoredRow>) {
  const decoded = rows.map((row) => [row, decodeStored(row)] as const);
  const good = decoded.flatMap(([, result]) => (Either.isRight(result) ? [result.right] : []));
  const holders = yield* self.holdersOf(good.map(({ owner }) => owner));
  return {
    records: good.map((stored) => withHolder(stored, holders(stored.owner))),
    unreadable: decoded.flatMap(([{ session }, result]) =>
      Either.isLeft(result) ? [{ session: String(session), detail: result.left }] : [],
    ),
  };
});

/** The port's reads. */
export const makeReads = (database: Database, self: Self): Reads => {
  const told = (stored: Stored): Effect.Effect<SessionRecord> =>
    Effect.map(self.holderOf(stored.owner), (holder) => withHolder(stored, holder));

  const one = (conditions: string, parameter: string) =>
    database
      .read((sql) => readStored(sql, conditions, parameter))
      .pipe(
        Effect.map(Option.flatten),
        Effect.flatMap(
          Option.match({
            onNone: () => Effect.succeedNone,
            onSome: (stored) => Effect.asSome(told(stored)),
          }),
        ),
      );

  const all = <A, E>(body: (sql: Sql) => Effect.Effect<ReadonlyArray<A>, E | SqlError>) =>
    Effect.map(
      database.read(body),
      Option.getOrElse((): ReadonlyArray<A> => []),
    );

  const list: Reads["list"] = Effect.fn("Registry.list")(function* ({ ended }) {
    const conditions = ended ? newest : `${newest} AND i.state NOT IN ('failed', 'deleted')`;
    const rows = yield* patiently(
      { session: null, attempted: "list the sessions" },
      all((sql) => sql.unsafe<StoredRow>(selectStored(`${conditions} ORDER BY i.session`))),
    );
    return yield* toldAll(self, rows);
  });

  return {
    list,
    get: Effect.fn("Registry.get")((session) =>
      patiently(
        { session, attempted: "read the session" },
        one(`i.session = ? AND ${newest}`, session),
      ),
    ),
    find: Effect.fn("Registry.find")((incarnation) =>
      patiently(
        { session: null, attempted: `read the incarnation ${incarnation}` },
        one("i.incarnation = ?", incarnation),
      ),
    ),
    findRequest: Effect.fn("Registry.findRequest")((requestId) =>
      patiently(
        { session: null, attempted: "look for the request" },
        one("i.incarnation = (SELECT incarnation FROM requests WHERE request_id = ?)", requestId),
      ),
    ),
    servers: patiently(
      { session: null, attempted: "read the servers" },
      all((sql) =>
        Effect.flatMap(sql.unsafe(selectServers), (rows) => decodeRows(StoredServer, rows)),
      ),
    ).pipe(Effect.withSpan("Registry.servers")),
  };
};
