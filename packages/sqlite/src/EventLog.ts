/**
 * EventLog: the log of events in the database: written, bounded, read and waited for.
 *
 * A page and the numbers that are kept are one statement, and so one snapshot. What is watched is
 * the last number: asking for it costs what asking for `data_version` costs (measured), which is
 * silent about our own connection and speaks of every claim. A row that cannot be decoded hides no
 * other.
 */
import {
  type CommitContext,
  type EventPage,
  forgottenWith,
  type Registry,
  SessionEvent,
  SessionEventBody,
} from "@troupe/core";
import { Effect, Either, Option, ParseResult, Schema, type Scope } from "effect";
import type { Database } from "./Database.js";
import { makeLogWatch } from "./LogWatch.js";
import { patiently } from "./Patience.js";
import type { Sql, SqlError } from "./Sql.js";

/** What an event is of, and the claim that it is written under. */
interface EventContext extends Pick<CommitContext, "at" | "incarnation" | "session"> {
  readonly claim: { readonly epoch: number };
}

/** Writes one event and forgets what is beyond the bound, in the caller's transaction. */
export const writeEvent = (
  sql: Sql,
  { at, claim, incarnation, session }: EventContext,
  { body, generation }: { readonly body: SessionEventBody; readonly generation: number },
  eventsKept: number,
): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const [row] = yield* sql.unsafe<{ sequence: number }>(
      `INSERT INTO events (at, session, generation, incarnation, body, epoch)
        VALUES (?, ?, ?, ?, ?, ?) RETURNING sequence`,
      [at, session, generation, incarnation, JSON.stringify(body), claim.epoch],
    );
    const forgotten = forgottenWith(row?.sequence ?? 0, eventsKept);
    if (forgotten > 0) yield* sql.unsafe("DELETE FROM events WHERE sequence <= ?", [forgotten]);
  });

// One row of nulls where there is no event behind the cursor: the numbers are told all the same.
const selectPage = `
  SELECT k.first, k.last, e.sequence, e.at, e.session, e.generation, e.incarnation, e.body
  FROM (SELECT (SELECT min(sequence) FROM events) AS first,
      (SELECT max(sequence) FROM events) AS last) k
    LEFT JOIN (SELECT * FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?) e
  ORDER BY e.sequence`;

interface PageRow {
  readonly first: number | null;
  readonly last: number | null;
  readonly sequence: number | null;
  readonly session: unknown;
}

const StoredEvent = Schema.Struct({
  ...SessionEvent.fields,
  body: Schema.parseJson(SessionEventBody),
});

const decode = Schema.decodeUnknownEither(StoredEvent);

const empty: EventPage = { first: 1, last: 0, events: [], unreadable: [] };

const pageOf = (rows: ReadonlyArray<PageRow>): EventPage => {
  const lines = rows.flatMap((row) =>
    row.sequence === null ? [] : [{ row, sequence: row.sequence, decoded: decode(row) }],
  );
  return {
    first: rows[0]?.first ?? empty.first,
    last: rows[0]?.last ?? empty.last,
    events: lines.flatMap(({ decoded }) => (Either.isRight(decoded) ? [decoded.right] : [])),
    unreadable: lines.flatMap(({ decoded, row, sequence }) => {
      if (Either.isRight(decoded)) return [];
      const detail = ParseResult.TreeFormatter.formatErrorSync(decoded.left);
      return [{ sequence, session: String(row.session), detail }];
    }),
  };
};

/** The log of one program. */
export interface EventLog extends Pick<Registry["Type"], "events" | "awaitEvents"> {
  /** Tells those who wait that this program may have written. */
  readonly wake: Effect.Effect<void>;
}

/** The log in the database; for those who wait it is looked at every `eventSpacingMs`. */
export const makeEventLog = (
  database: Database,
  { eventSpacingMs }: { readonly eventSpacingMs: number },
): Effect.Effect<EventLog, never, Scope.Scope> => {
  const last = patiently(
    { session: null, attempted: "look for new events" },
    database.read((sql) =>
      Effect.map(
        sql.unsafe<{ last: number | null }>("SELECT max(sequence) AS last FROM events"),
        ([row]) => row?.last ?? 0,
      ),
    ),
  ).pipe(Effect.map(Option.getOrElse(() => 0)));
  return Effect.map(makeLogWatch(last, eventSpacingMs), ({ awaitOther, wake }) => ({
    events: Effect.fn("Registry.events")((since, limit) =>
      patiently(
        { session: null, attempted: "read the events" },
        database.read((sql) => sql.unsafe<PageRow>(selectPage, [since, Math.max(0, limit)])),
      ).pipe(Effect.map(Option.match({ onNone: () => empty, onSome: pageOf }))),
    ),
    awaitEvents: awaitOther,
    wake,
  }));
};
