/**
 * Forget: removing what is known of an incarnation that has ended, and of a name without any.
 *
 * Each is one write transaction under a claim, like a commit, all or nothing. The database itself
 * refuses to forget what has not ended: that is a bug of the caller, and a defect.
 */
import type { Claim, IncarnationId, Registry, ServerId } from "@troupe/core";
import { Effect } from "effect";
import { endClaim, requireCurrent } from "./Claims.js";
import type { Database } from "./Database.js";
import { patiently } from "./Patience.js";
import type { Sql, SqlError } from "./Sql.js";

// In the order in which they refer to each other. The newest event of all stays: whoever follows
// the log goes on from its number.
const ofIncarnation = [
  "DELETE FROM terminals WHERE incarnation = ?",
  "DELETE FROM processes WHERE incarnation = ?",
  "DELETE FROM requests WHERE incarnation = ?",
  "DELETE FROM incarnations WHERE incarnation = ?",
];

const forgetEvents = `DELETE FROM events
  WHERE sequence < (SELECT max(sequence) FROM events)
    AND incarnation NOT IN (SELECT incarnation FROM incarnations)`;

const forgetServer = `DELETE FROM servers AS s WHERE pid = ? AND start_time = ? AND NOT EXISTS
  (SELECT 1 FROM incarnations i
    WHERE i.server_pid = s.pid AND i.server_start_time = s.start_time)`;

/** Fails as a bug when the incarnation is of another name. */
const ownOf = (sql: Sql, { session }: Claim, incarnation: IncarnationId) =>
  Effect.flatMap(
    sql.unsafe<{ session: string }>("SELECT session FROM incarnations WHERE incarnation = ?", [
      incarnation,
    ]),
    ([row]) =>
      row === undefined || row.session === session
        ? Effect.void
        : Effect.dieMessage(`${incarnation} is not of ${session}`),
  );

const forgetOne = (
  sql: Sql,
  incarnation: IncarnationId,
  servers: ReadonlyArray<ServerId>,
): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    for (const statement of ofIncarnation) yield* sql.unsafe(statement, [incarnation]);
    yield* sql.unsafe(forgetEvents);
    for (const { pid, startTime } of servers) yield* sql.unsafe(forgetServer, [pid, startTime]);
  });

/** The port's calls that forget. */
export const makeForget = (
  database: Database,
): Pick<Registry["Type"], "forget" | "forgetName"> => ({
  forget: Effect.fn("Registry.forget")((claim, incarnation, servers) =>
    patiently(
      { session: claim.session, attempted: "forget" },
      database.write((sql) =>
        requireCurrent(sql, claim, "forget").pipe(
          Effect.zipRight(ownOf(sql, claim, incarnation)),
          Effect.zipRight(forgetOne(sql, incarnation, servers)),
        ),
      ),
    ),
  ),
  forgetName: Effect.fn("Registry.forgetName")((claim) =>
    patiently(
      { session: claim.session, attempted: "forget" },
      database.write((sql) =>
        Effect.gen(function* () {
          const { session } = claim;
          yield* requireCurrent(sql, claim, "forget");
          const rows = yield* sql.unsafe("SELECT 1 FROM incarnations WHERE session = ? LIMIT 1", [
            session,
          ]);
          if (rows.length > 0) return false;
          yield* endClaim(sql, claim, false);
          yield* sql.unsafe("DELETE FROM claims WHERE session = ?", [session]);
          yield* sql.unsafe("DELETE FROM lease_epochs WHERE session = ?", [session]);
          return true;
        }),
      ),
    ),
  ),
});
