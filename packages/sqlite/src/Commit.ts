/**
 * Commit: the changes of one message, in one write transaction, all or none.
 *
 * The claim is checked first, inside the transaction, so what was overtaken writes nothing. Each
 * change is folded over the record by core, written, and followed by its event. The database
 * refuses what must not be (a move that does not exist, a name that is held); such a refusal is a
 * bug of the caller and a defect, except that a held name is looked for first and told.
 */
import {
  AlreadyExists,
  applyChange,
  type Change,
  type CommitContext,
  droppedLease,
  eventOf,
  isFinal,
  type Registry,
  type SessionRecord,
  type SessionState,
} from "@troupe/core";
import { Clock, Effect, Option } from "effect";
import { endClaim, requireCurrent } from "./Claims.js";
import type { Database } from "./Database.js";
import { writeEvent } from "./EventLog.js";
import { patiently } from "./Patience.js";
import { readStored } from "./Reads.js";
import type { Sql, SqlError } from "./Sql.js";
import { leaseRow, removeLease } from "./StoredLease.js";
import { withHolder } from "./StoredRecord.js";
import type { StoreFailure } from "./StoreFailure.js";
import { writeChange } from "./WriteChange.js";

type Commit = Registry["Type"]["commit"];

const refuseHeldName = (
  sql: Sql,
  { incarnation, session }: CommitContext,
): Effect.Effect<void, AlreadyExists | SqlError> =>
  Effect.flatMap(
    sql.unsafe<{ state: SessionState }>(
      `SELECT state FROM incarnations
        WHERE session = ? AND incarnation <> ? AND state NOT IN ('failed', 'deleted')`,
      [session, incarnation],
    ),
    ([active]) =>
      active === undefined
        ? Effect.void
        : new AlreadyExists({ session, attempted: "create", state: active.state }),
  );

/** Where changes are written, and how much of the log is kept. */
interface Writing {
  readonly sql: Sql;
  readonly eventsKept: number;
}

/** Whoever holds the lease of what ends has it no more, and that is told with his name. */
const dropLease = (
  { eventsKept, sql }: Writing,
  context: CommitContext,
  { generation, incarnation }: SessionRecord,
): Effect.Effect<void, SqlError | StoreFailure> =>
  Effect.gen(function* () {
    const lease = yield* leaseRow(sql, "incarnation", incarnation);
    if (lease === null) return;
    yield* removeLease(sql, lease);
    yield* writeEvent(sql, context, { body: droppedLease(lease), generation }, eventsKept);
  });

/** Folds and writes one change; a fold that throws is a bug. */
const step =
  ({ eventsKept, sql }: Writing, context: CommitContext) =>
  (
    before: SessionRecord | null,
    change: Change,
  ): Effect.Effect<SessionRecord | null, SqlError | StoreFailure> =>
    Effect.gen(function* () {
      const after = yield* Effect.sync(() => applyChange(before, change, context));
      if (change._tag === "Move" && isFinal(change.to) && after !== null) {
        yield* dropLease({ sql, eventsKept }, context, after);
      }
      yield* writeChange(sql, change, after, context);
      const body = eventOf(before, change);
      if (body !== null && after !== null) {
        yield* writeEvent(sql, context, { body, generation: after.generation }, eventsKept);
      }
      return after;
    });

const known = (
  sql: Sql,
  { claim, incarnation }: CommitContext,
): Effect.Effect<SessionRecord | null, SqlError | StoreFailure> =>
  Effect.map(readStored(sql, "i.incarnation = ?", incarnation), (stored) =>
    Option.getOrNull(Option.map(stored, (found) => ({ ...withHolder(found, "self"), claim }))),
  );

const apply = (
  writing: Writing,
  context: CommitContext,
  changes: ReadonlyArray<Change>,
): Effect.Effect<SessionRecord, AlreadyExists | SqlError | StoreFailure> =>
  Effect.gen(function* () {
    const { incarnation, session } = context;
    const { sql } = writing;
    const before = yield* known(sql, context);
    if (changes.some((change) => change._tag === "Begin")) yield* refuseHeldName(sql, context);
    const after = yield* Effect.reduce(changes, before, step(writing, context));
    if (after === null) return yield* Effect.dieMessage(`there is no incarnation ${incarnation}`);
    if (after.session !== session) {
      return yield* Effect.dieMessage(`${incarnation} is not of ${session}`);
    }
    return after;
  });

/** The port's `commit`. */
export const makeCommit = (database: Database, eventsKept: number): Commit =>
  Effect.fn("Registry.commit")(function* (claim, incarnation, changes, { ending, release }) {
    const { epoch, owner, session } = claim;
    const at = yield* Clock.currentTimeMillis;
    return yield* patiently(
      { session, attempted: "commit" },
      database.write((sql) =>
        Effect.gen(function* () {
          const row = yield* requireCurrent(sql, claim, "commit");
          const context: CommitContext = {
            session,
            incarnation,
            generation: row.generation + 1,
            claim: { owner, epoch, holder: "self", fenceDue: row.fence_due === 1 },
            at,
          };
          if (ending !== undefined) {
            const before = { ...context, incarnation: ending.incarnation };
            yield* apply({ sql, eventsKept }, before, ending.changes);
          }
          const record = yield* apply({ sql, eventsKept }, context, changes);
          if (!release) return record;
          yield* endClaim(sql, claim, false);
          const released = { owner: null, epoch, holder: "none", fenceDue: false } as const;
          return { ...record, claim: released };
        }),
      ),
    );
  });
