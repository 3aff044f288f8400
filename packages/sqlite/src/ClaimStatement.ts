/**
 * ClaimStatement: taking, renewing and giving back a claim, each as one statement that is a
 * transaction by itself: a compare-and-set. The first claim of a name takes two.
 *
 * It changes the row of a name only where nobody is in the way and the tables are those that this
 * program knows; where that is not so it does nothing, and does not tell why. No claim needs to
 * outlive a power cut, which nobody who has one does: the disk is not waited for.
 */
import type { Claim, SessionName } from "@troupe/core";
import { Effect } from "effect";
import type { Database } from "./Database.js";
import { hasKnownTables } from "./Migrations.js";

const current = `session = ? AND owner = ? AND epoch = ? AND ${hasKnownTables}`;
const changed = "RETURNING epoch, fence_due";

const TAKE = `UPDATE claims
  SET owner = ?, epoch = epoch + 1, fence_due = CASE WHEN owner IS NULL THEN fence_due ELSE 1 END
  WHERE session = ? AND (owner IS NULL OR owner = ?) AND ${hasKnownTables} ${changed}`;

const FIRST = `INSERT INTO claims (owner, epoch, fence_due, session) SELECT ?, 1, 0, ?
  WHERE NOT EXISTS (SELECT 1 FROM claims WHERE session = ?) AND ${hasKnownTables} ${changed}`;

const RENEW = `UPDATE claims SET epoch = max(epoch + 1, ?), fence_due = 1
  WHERE ${current} ${changed}`;

const RELEASE = `UPDATE claims SET owner = NULL, fence_due = ? WHERE ${current} ${changed}`;

interface Changed {
  readonly epoch: number;
  readonly fence_due: number;
}

/** One statement each; `null` where it changed nothing. */
export interface ClaimStatement {
  /** Takes a claim that nobody has, or this owner already; also that of a new name. */
  readonly take: (session: SessionName, owner: string) => Effect.Effect<Claim | null>;
  /** Gives the current claim an epoch of at least this. */
  readonly renew: (claim: Claim, atLeast: number) => Effect.Effect<Claim | null>;
  /** Ends the current claim. */
  readonly release: (claim: Claim, fenceDue: boolean) => Effect.Effect<Claim | null>;
}

/** The statements on this database. */
export const claimStatement = ({ change }: Database): ClaimStatement => {
  const one = (
    statement: string,
    { owner, session }: Pick<Claim, "owner" | "session">,
    parameters: ReadonlyArray<unknown>,
  ) =>
    Effect.map(change<Changed>(statement, parameters), ([row]): Claim | null =>
      row === undefined
        ? null
        : { session, owner, epoch: row.epoch, fenceDue: row.fence_due === 1 },
    );
  return {
    take: (session, owner) => {
      const claim = { owner, session };
      return Effect.flatMap(one(TAKE, claim, [owner, session, owner]), (taken) =>
        taken === null ? one(FIRST, claim, [owner, session, session]) : Effect.succeed(taken),
      );
    },
    renew: (claim, atLeast) =>
      one(RENEW, claim, [atLeast, claim.session, claim.owner, claim.epoch]),
    release: (claim, fenceDue) =>
      one(RELEASE, claim, [fenceDue ? 1 : 0, claim.session, claim.owner, claim.epoch]),
  };
};
