/**
 * Claims: taking, renewing and giving back the claim on a name.
 *
 * Each is one statement where nobody is in the way, else one short write transaction. Whether
 * another holder lives is asked between transactions, never inside one, and the row is read again
 * after the answer: an answer counts only for the owner it was given about. Whoever takes a claim
 * that was not given back cleanly gets the fence due.
 */
import { Busy, type Claim, type Registry, type SessionName } from "@troupe/core";
import { Effect, Option } from "effect";
import { claimStatement } from "./ClaimStatement.js";
import type { Database } from "./Database.js";
import { patiently } from "./Patience.js";
import type { Self } from "./Self.js";
import type { Sql, SqlError } from "./Sql.js";
import type { StoreFailure } from "./StoreFailure.js";

interface ClaimRow {
  readonly owner: string | null;
  readonly epoch: number;
  readonly fence_due: number;
  readonly generation: number;
}

const untaken: ClaimRow = { owner: null, epoch: 0, fence_due: 0, generation: 0 };

/** The claim row of the name, also when nobody ever took it. */
export const claimRow = (sql: Sql, session: SessionName): Effect.Effect<ClaimRow, SqlError> =>
  Effect.map(
    sql.unsafe<ClaimRow>(
      "SELECT owner, epoch, fence_due, generation FROM claims WHERE session = ?",
      [session],
    ),
    ([row]) => row ?? untaken,
  );

/** Fails with `Busy` unless the claim is the current one of its name; gives its row. */
export const requireCurrent = (
  sql: Sql,
  claim: Claim,
  attempted: string,
): Effect.Effect<ClaimRow, Busy | SqlError> =>
  Effect.flatMap(claimRow(sql, claim.session), (row) => {
    const { session } = claim;
    if (row.owner === claim.owner && row.epoch === claim.epoch) return Effect.succeed(row);
    return new Busy({ session, attempted, holder: row.owner, reason: "overtaken" });
  });

/** Ends the claim if it is the current one. */
export const endClaim = (
  sql: Sql,
  { epoch, owner, session }: Claim,
  fenceDue: boolean,
): Effect.Effect<void, SqlError> =>
  sql
    .unsafe(
      "UPDATE claims SET owner = NULL, fence_due = ? WHERE session = ? AND owner = ? AND epoch = ?",
      [fenceDue ? 1 : 0, session, owner, epoch],
    )
    .pipe(Effect.asVoid);

/** Whether claims or leases of this owner are left. */
export const holdsClaims = (sql: Sql, owner: string): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql.unsafe(
      "SELECT 1 FROM claims WHERE owner = ? UNION ALL SELECT 1 FROM leases WHERE owner = ? LIMIT 1",
      [owner, owner],
    ),
    (rows) => rows.length > 0,
  );

/** Whether a lease of this owner names a turn that runs. */
export const holdsTurns = (sql: Sql, owner: string): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    sql.unsafe("SELECT 1 FROM leases WHERE owner = ? AND turn IS NOT NULL LIMIT 1", [owner]),
    (rows) => rows.length > 0,
  );

const put = (
  sql: Sql,
  { epoch, fenceDue, owner, session }: Claim,
): Effect.Effect<Claim, SqlError> => {
  const parameters = [owner, epoch, fenceDue ? 1 : 0, session];
  const statement =
    epoch === 1
      ? "INSERT INTO claims (owner, epoch, fence_due, session) VALUES (?, ?, ?, ?)"
      : "UPDATE claims SET owner = ?, epoch = ?, fence_due = ? WHERE session = ?";
  return Effect.as(sql.unsafe(statement, parameters), { session, owner, epoch, fenceDue });
};

interface Attempt {
  readonly session: SessionName;
  readonly attempted: string;
  readonly force: boolean;
  readonly owner: string;
  /** An owner that was proved dead. */
  readonly dead: string | null;
}

/** Somebody else holds the claim, and it must first be found out whether that program lives. */
interface Ask {
  readonly _tag: "Ask";
  readonly owner: string;
}

/** The claim is ours; `bereft` had it, is dead, and has no other. */
interface Taken {
  readonly _tag: "Taken";
  readonly claim: Claim;
  readonly bereft: string | null;
}

const takeOrAsk = (
  sql: Sql,
  { dead, force, owner, session }: Attempt,
): Effect.Effect<Ask | Taken, SqlError> =>
  Effect.gen(function* () {
    const row = yield* claimRow(sql, session);
    const other = row.owner === owner ? null : row.owner;
    if (other !== null && other !== dead && !force) return { _tag: "Ask", owner: other };
    const fenceDue = row.owner !== null || row.fence_due === 1;
    const claim = yield* put(sql, { session, owner, epoch: row.epoch + 1, fenceDue });
    const isBereft = other !== null && other === dead && !(yield* holdsClaims(sql, other));
    return { _tag: "Taken", claim, bereft: isBereft ? other : null };
  });

// A further round is needed only when the claim of a dead holder was taken by another who died.
const rounds = 8;

/** What the first finds, or the second where that is nothing. */
const orElse = <A, E>(first: Effect.Effect<A | null>, second: Effect.Effect<A, E>) =>
  Effect.flatMap(first, (found) => (found === null ? second : Effect.succeed(found)));

/** The port's calls about claims. */
export const makeClaims = (
  database: Database,
  self: Self,
): Pick<Registry["Type"], "claim" | "seeClaim" | "renew" | "release"> => {
  const statement = claimStatement(database);
  const take = (attempt: Attempt, left = rounds): Effect.Effect<Claim, Busy | StoreFailure> =>
    Effect.gen(function* () {
      const result = yield* database.write((sql) => takeOrAsk(sql, attempt));
      if (result._tag === "Taken") {
        if (result.bereft !== null) yield* self.forget(result.bereft);
        return result.claim;
      }
      const { attempted, session } = attempt;
      const { owner } = result;
      if (left > 0 && (yield* self.lifeOf(owner)) === "dead") {
        return yield* take({ ...attempt, dead: owner }, left - 1);
      }
      return yield* new Busy({ session, attempted, holder: owner, reason: "claimed" });
    });

  return {
    claim: Effect.fn("Registry.claim")((session, { attempted, force }) =>
      patiently(
        { session, attempted },
        Effect.flatMap(self.owner, (owner) =>
          orElse(
            statement.take(session, owner),
            take({ session, attempted, force, owner, dead: null }),
          ),
        ),
      ),
    ),
    seeClaim: Effect.fn("Registry.seeClaim")((session, { asksLife }) =>
      Effect.gen(function* () {
        const found = yield* patiently(
          { session, attempted: "look at the claim" },
          database.read((sql) => claimRow(sql, session)),
        );
        const { epoch, fence_due, owner } = Option.getOrElse(found, () => untaken);
        const holder = asksLife ? yield* self.holderOf(owner) : self.holderUnasked(owner);
        return { owner, epoch, holder, fenceDue: fence_due === 1 };
      }),
    ),
    renew: Effect.fn("Registry.renew")((claim, atLeast = 0) => {
      const otherwise = database.write((sql) =>
        Effect.flatMap(requireCurrent(sql, claim, "renew"), ({ epoch }) =>
          put(sql, { ...claim, epoch: Math.max(epoch + 1, atLeast), fenceDue: true }),
        ),
      );
      return patiently(
        { session: claim.session, attempted: "renew" },
        orElse(statement.renew(claim, atLeast), otherwise),
      );
    }),
    release: Effect.fn("Registry.release")((claim, { fenceDue }) => {
      const otherwise = database.write((sql) => endClaim(sql, claim, fenceDue));
      return patiently(
        { session: claim.session, attempted: "release" },
        Effect.asVoid(orElse<unknown, StoreFailure>(statement.release(claim, fenceDue), otherwise)),
      );
    }),
  };
};
