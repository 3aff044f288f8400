/**
 * History: every incarnation that is known, and the names of which only the claim is left.
 *
 * Two statements, so a name that is used at that moment may be in neither or in both: whoever acts
 * on it takes the claim and reads again. A damaged row is told beside the others; a damaged claim
 * fails the read.
 */
import { type Registry, SessionName } from "@troupe/core";
import { Effect, Option, Schema } from "effect";
import type { Database } from "./Database.js";
import { patiently } from "./Patience.js";
import { decodeRows, toldAll } from "./Reads.js";
import type { Self } from "./Self.js";
import { StoredFlag, type StoredRow, selectStored } from "./StoredRecord.js";

// With the name as a plain condition its index is used: gc asks once for each name.
const selectRows = (condition: string): string =>
  selectStored(`${condition} ORDER BY i.session, i.generation`);

const selectBare = (condition: string): string => `
  SELECT session, owner, epoch, fence_due AS fenceDue FROM claims c
  WHERE ${condition} AND NOT EXISTS (SELECT 1 FROM incarnations i WHERE i.session = c.session)
  ORDER BY session`;

const StoredClaim = Schema.Struct({
  session: SessionName,
  owner: Schema.NullOr(Schema.String),
  epoch: Schema.Int,
  fenceDue: StoredFlag,
});

/** The port's `history`. */
export const makeHistory = (database: Database, self: Self): Registry["Type"]["history"] =>
  Effect.fn("Registry.history")(function* (session) {
    const where = { session, attempted: "read what is known" };
    const only = session === null ? [] : [session];
    const conditionOf = (column: string) => (session === null ? "true" : `${column} = ?`);
    const rows = yield* patiently(
      where,
      database.read((sql) => sql.unsafe<StoredRow>(selectRows(conditionOf("i.session")), only)),
    );
    const claims = yield* patiently(
      where,
      database.read((sql) =>
        Effect.flatMap(sql.unsafe(selectBare(conditionOf("c.session")), only), (found) =>
          decodeRows(StoredClaim, found),
        ),
      ),
    );
    const bare = Option.getOrElse(claims, () => []);
    const holders = yield* self.holdersOf(bare.map(({ owner }) => owner));
    const told = yield* toldAll(
      self,
      Option.getOrElse(rows, () => []),
    );
    return {
      ...told,
      bare: bare.map(({ epoch, fenceDue, owner, session }) => ({
        session,
        claim: { owner, epoch, holder: holders(owner), fenceDue },
      })),
    };
  });
