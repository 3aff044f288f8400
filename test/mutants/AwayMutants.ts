/**
 * AwayMutants: guards against whoever was away for a while and comes back: a registry that was out
 * of reach, a holder that slept while its name was forgotten, a program that ended with what it
 * held.
 *
 * Each stands in both stores where both have it.
 */
import { type Killer, type Mutant, world } from "./Mutant.js";

const core = "packages/core/src";
const sqlite = "packages/sqlite/src";

const createAndDelete = "create that comes late, its registry gone for a while, and delete";
const sends = "send one that comes late, its registry gone for a while, and reconcile";

/** Of a claim that could not be given back. */
const ownClaim: ReadonlyArray<Mutant> = [
  {
    name: "own-claim-is-no-takeover",
    removes: "The fence is due for who takes a claim that was not given back, also its own.",
    file: `${core}/RegistryMemoryClaims.ts`,
    from: "const fenceDue = owner !== null ||",
    to: "const fenceDue = (owner !== null && owner !== self) ||",
    killedBy: [world(createAndDelete), world(sends)],
  },
  {
    name: "own-claim-is-no-takeover-on-sqlite",
    removes: "The same in the database, in the one statement and in the transaction behind it.",
    file: `${sqlite}/ClaimStatement.ts`,
    from: "CASE WHEN owner IS NULL THEN fence_due",
    to: "CASE WHEN owner IS NULL OR owner = ? THEN fence_due",
    and: [
      {
        file: `${sqlite}/ClaimStatement.ts`,
        from: "one(TAKE, claim, [owner, session, owner])",
        to: "one(TAKE, claim, [owner, owner, session, owner])",
      },
      {
        file: `${sqlite}/Claims.ts`,
        from: "const fenceDue = row.owner !== null ||",
        to: "const fenceDue = other !== null ||",
      },
    ],
    killedBy: [world(`${createAndDelete}, on SQLite`), world(`${sends}, on SQLite`)],
  },
  {
    name: "doubt-is-gone-with-its-renewal",
    removes: "What is in doubt stays due where no new epoch could be written.",
    file: `${core}/Holding.ts`,
    from: "outcomeUnknown: Effect.zipRight(doubt, renewal),",
    to: "outcomeUnknown: renewal,",
    killedBy: [world(createAndDelete)],
  },
  {
    name: "claim-ends-without-its-doubt",
    removes: "A claim that ends says whether the fence is still due.",
    file: `${core}/RegistryMemoryClaims.ts`,
    from: "endClaim(store, claim.session, fenceDue);",
    to: "endClaim(store, claim.session, false);",
    killedBy: [world(createAndDelete), world(sends)],
  },
  {
    name: "claim-ends-without-its-doubt-on-sqlite",
    removes: "The same in the database.",
    file: `${sqlite}/ClaimStatement.ts`,
    from: "one(RELEASE, claim, [fenceDue ? 1 : 0, claim.session,",
    to: "one(RELEASE, claim, [fenceDue ? 0 : 0, claim.session,",
    killedBy: [world(`${sends}, on SQLite`)],
  },
];

const slept = (verb: string): Killer => world(`a holder that slept, and ${verb}`);

/** Of a lease whose name was forgotten, and whose epoch another one has. */
const leaseAgain: ReadonlyArray<Mutant> = [
  {
    name: "epoch-names-the-lease",
    removes: "A lease is named by its id: epochs begin anew where a name was forgotten.",
    file: `${core}/Lease.ts`,
    from: "a.lease === b.lease && a.epoch === b.epoch && a.session === b.session;",
    to: "a.session === b.session && a.epoch === b.epoch;",
    and: [
      {
        file: `${sqlite}/StoredLease.ts`,
        from: "  { epoch, lease, session }: LeaseRef,\n): Effect.Effect<boolean, SqlError> =>",
        to: "  { epoch, session }: LeaseRef,\n): Effect.Effect<boolean, SqlError> =>",
      },
      {
        file: `${sqlite}/StoredLease.ts`,
        from: "WHERE session = ? AND lease = ? AND epoch = ? RETURNING lease",
        to: "WHERE session = ? AND epoch = ? RETURNING lease",
      },
      {
        file: `${sqlite}/StoredLease.ts`,
        from: "      session,\n      lease,\n      epoch,\n    ]),",
        to: "      session,\n      epoch,\n    ]),",
      },
    ],
    killedBy: [
      slept("writes a note"),
      slept("runs a turn"),
      slept("releases"),
      slept("sends"),
      slept("deletes"),
      slept("writes a note, on SQLite"),
      slept("releases, on SQLite"),
      slept("has a child that sends, on SQLite"),
    ],
  },
  {
    name: "sqlite-lease-given-back-by-its-epoch",
    removes: "What is given back to the database is the lease of this id.",
    file: `${sqlite}/StoredLease.ts`,
    from: "WHERE session = ? AND lease = ? AND epoch = ? RETURNING lease",
    to: "WHERE session = ? AND ? IS NOT NULL AND epoch = ? RETURNING lease",
    killedBy: [slept("releases, on SQLite"), slept("ends, on SQLite")],
  },
  {
    name: "sqlite-lease-noted-by-its-epoch",
    removes: "What a holder says of itself is written to the lease of its id.",
    file: `${sqlite}/Leases.ts`,
    from: "if (found === null || !sameLease(found, lease)) {",
    to: "if (found === null || (!sameLease(found, lease) && found.epoch !== lease.epoch)) {",
    killedBy: [slept("writes a note, on SQLite"), slept("runs a turn, on SQLite")],
  },
  {
    name: "lease-is-current-by-its-epoch",
    removes: "What is looked at before anything is done under a lease is its id.",
    file: `${core}/UnderLease.ts`,
    from: "if (found !== null && sameLease(found, lease)) return Effect.void;",
    to: "if (found !== null && found.epoch === lease.epoch) return Effect.void;",
    killedBy: [slept("lends"), slept("sends"), slept("deletes"), slept("has a child that sends")],
  },
];

const left = (wants: string): Killer =>
  world(`what a program holds that ends or dies, and who wants ${wants}`);

const CLAIM_FIRST = "claim a, lease a, lease b";
const LEASE_FIRST = "lease b, claim a, lease a";

const ofClaimsAlone = {
  file: `${sqlite}/Claims.ts`,
  from: `"SELECT 1 FROM claims WHERE owner = ? UNION ALL SELECT 1 FROM leases WHERE owner = ? LIMIT 1",
      [owner, owner],`,
  to: '"SELECT 1 FROM claims WHERE owner = ? LIMIT 1", [owner],',
};

const ofLeasesAlone = {
  file: `${sqlite}/LeaseLives.ts`,
  from: "Effect.map(holdsClaims(sql, owner), (holds) => !holds),",
  to: `Effect.map(
      sql.unsafe("SELECT 1 FROM leases WHERE owner = ? LIMIT 1", [owner]),
      (held) => held.length === 0,
    ),`,
};

/** Of what proves that a program has ended. */
const ended: ReadonlyArray<Mutant> = [
  {
    name: "gc-takes-the-lock-of-who-left-a-lease",
    removes:
      "What proves that a program is dead stays while a lease of it is left, whoever sweeps.",
    file: `${sqlite}/Claims.ts`,
    from: "/** Whether a lease of this owner names a turn that runs. */",
    to: `export const holdsNames = (sql: Sql, owner: string): Effect.Effect<boolean, SqlError> =>
  Effect.map(sql.unsafe("SELECT 1 FROM claims WHERE owner = ?", [owner]), (rows) => rows.length > 0);

/** Whether a lease of this owner names a turn that runs. */`,
    and: [
      {
        file: `${sqlite}/SqliteRegistry.ts`,
        from: "import { holdsClaims, holdsTurns,",
        to: "import { holdsClaims, holdsNames, holdsTurns,",
      },
      {
        file: `${sqlite}/SqliteRegistry.ts`,
        from: "makeLeftovers(paths, self, claimsLeft)",
        to: "makeLeftovers(paths, self, left(holdsNames))",
      },
    ],
    killedBy: [left("gcs, lease b, lease a, claim a")],
  },
  {
    name: "proof-of-an-end-goes-too-early",
    removes: "What proves the end of a program stays while a claim or a lease of its is left.",
    ...ofClaimsAlone,
    and: [ofLeasesAlone],
    killedBy: [left(CLAIM_FIRST), left(LEASE_FIRST), left("sweep, claim a")],
  },
  {
    name: "proof-of-an-end-goes-with-the-last-claim",
    removes: "A lease that is left keeps the proof of its holder's end.",
    ...ofClaimsAlone,
    killedBy: [left(CLAIM_FIRST)],
  },
  {
    name: "proof-of-an-end-goes-with-the-last-lease",
    removes: "A claim that is left keeps the proof of its holder's end.",
    ...ofLeasesAlone,
    killedBy: [left(LEASE_FIRST)],
  },
  {
    name: "proof-of-an-end-goes-with-any-claim",
    removes: "Who takes one claim of the dead leaves the proof to the rest.",
    file: `${sqlite}/Claims.ts`,
    from: "other === dead && !(yield* holdsClaims(sql, other));",
    to: "other === dead;",
    killedBy: [left(CLAIM_FIRST)],
  },
  {
    name: "proof-of-an-end-is-swept-with-the-first-claim",
    removes: "The locks of the dead that are swept are those of whom nothing is left.",
    file: `${sqlite}/Self.ts`,
    from: "if (!(yield* claims(other))) yield* removeLock",
    to: "if (yield* Effect.as(claims(other), true)) yield* removeLock",
    killedBy: [left("claim b, lease b, claim a")],
  },
  {
    name: "ends-in-order-without-a-proof",
    removes: "A program that ends in order with something left leaves the proof of its end.",
    file: `${sqlite}/Self.ts`,
    from: "else yield* lock.release({ remove: false });",
    to: "else yield* lock.release({ remove: true });",
    killedBy: [left(CLAIM_FIRST), left(LEASE_FIRST)],
  },
  {
    name: "proof-of-an-end-stays-for-ever",
    removes: "The lock of the dead goes with the last that was theirs.",
    file: `${sqlite}/LeaseLives.ts`,
    from: "for (const dead of result.right.bereft) yield* self.forget(dead);",
    to: "",
    killedBy: [left(CLAIM_FIRST)],
  },
];

/** All of them. */
export const awayMutants: ReadonlyArray<Mutant> = [...ownClaim, ...leaseAgain, ...ended];
