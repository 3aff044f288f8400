/**
 * Leases in a SQLite registry: what the database itself refuses, what a busy or damaged file comes
 * to, and whose holder lives, as another program on the home finds out.
 */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { ActorId, type Registry, SessionName, TurnId } from "@troupe/core";
import { asking } from "@troupe/testing";
import Sqlite from "better-sqlite3";
import { Effect, Fiber, Option, TestClock } from "effect";
import {
  begin,
  build,
  incarnation,
  living,
  processTable,
  sqlitePrograms,
  take,
  temporaryDirectory,
} from "./registryHomes.js";

type Store = Registry["Type"];

const names = ["build", "one", "two", "three", "four", "fresh"].map((n) => SessionName.make(n));

const begun = (store: Store) =>
  Effect.forEach(names, (session, index) =>
    Effect.flatMap(take(store, session), (claim) =>
      store.commit(claim, incarnation(index), [begin], { release: true }),
    ),
  );

/** A home with sessions, and the lease of `build` held by a program that has ended. */
const home = Effect.gen(function* () {
  const directory = yield* temporaryDirectory;
  const program = sqlitePrograms(directory);
  const left = yield* Effect.scoped(
    Effect.gen(function* () {
      const store = yield* program();
      yield* begun(store);
      return yield* store.claimLease(asking(build, "a"));
    }),
  );
  return { directory, program, left, file: path.join(directory, "registry.db") };
});

const connection = (file: string) =>
  Effect.acquireRelease(
    Effect.sync(() => new Sqlite(file)),
    (sql) => Effect.sync(() => sql.close()),
  );

const refusal = (sql: Sqlite.Database, statement: string): string | null => {
  try {
    sql.exec(statement);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const insert = (session: string, of: string, lease: string, epoch: number) =>
  `INSERT OR REPLACE INTO leases (session, incarnation, lease, epoch, owner, component, actor,
      surface, acquired_at)
    VALUES ('${session}', '${of}', '${lease}', ${epoch}, 'o', 'c', 'a', 's', 0)`;

describe("the database", () => {
  it.scoped("has one lease for a name, and one of a living incarnation at the name's epoch", () =>
    Effect.gen(function* () {
      const sql = yield* connection((yield* home).file);
      const refused = [
        insert("build", "incarnation-0", "other", 1),
        insert("one", "incarnation-1", "build a", 1),
        insert("one", "incarnation-1", "other", 1),
        insert("one", "incarnation-0", "other", 1),
        "UPDATE leases SET epoch = 2",
        "UPDATE leases SET session = 'one'",
        "UPDATE leases SET owner = 'somebody'",
        "UPDATE lease_epochs SET epoch = 1",
        "UPDATE lease_epochs SET session = 'one'",
        "INSERT OR REPLACE INTO lease_epochs VALUES ('build', 1)",
        "DELETE FROM lease_epochs",
        "UPDATE incarnations SET state = 'failed' WHERE session = 'build'",
      ].map((statement) => refusal(sql, statement));
      expect(refused).toEqual([
        "LEASE_HELD",
        "LEASE_HELD",
        "STALE_EPOCH",
        "LEASE_OF_NOTHING",
        "STALE_EPOCH",
        "LEASE_OF_NOTHING",
        "IMMUTABLE",
        "STALE_EPOCH",
        "STALE_EPOCH",
        "STALE_EPOCH",
        "STALE_EPOCH",
        "LEASE_HELD",
      ]);
      expect(refusal(sql, "DELETE FROM leases")).toBeNull();
      const end = "UPDATE incarnations SET state = 'failed' WHERE session = 'build'";
      expect(refusal(sql, end)).toBeNull();
      expect(refusal(sql, insert("build", "incarnation-0", "x", 1))).toBe("LEASE_OF_NOTHING");
    }),
  );

  it.scoped("tells the limits of a session as its specification says them", () =>
    Effect.gen(function* () {
      const sql = yield* connection((yield* home).file);
      const limits = "SELECT ttl_ms, idle_ttl_ms FROM incarnations WHERE session = 'new'";
      sql.exec(`INSERT INTO claims VALUES ('new', NULL, 1, 0, 0);
        INSERT INTO incarnations (incarnation, session, generation, state, spec, created_at,
          updated_at, epoch)
        VALUES ('limited', 'new', 1, 'creating', '{"ttlMs": 5}', 0, 0, 1)`);
      expect(sql.prepare(limits).get()).toEqual({ ttl_ms: 5, idle_ttl_ms: null });
    }),
  );
});

describe("a lease that cannot be read", () => {
  it.scoped("is refused as damaged by every call, and its row stays to the byte", () =>
    Effect.gen(function* () {
      const { directory, file, left } = yield* home;
      const sql = yield* connection(file);
      sql.exec(
        "UPDATE leases SET acquired_at = -1, surface = ''; PRAGMA ignore_check_constraints=1",
      );
      sql.exec("UPDATE leases SET child = 'no json'");
      const rows = () => JSON.stringify(sql.prepare("SELECT * FROM leases").all());
      const before = rows();
      const store = yield* sqlitePrograms(directory)();
      const sweep = store.sweepLeases({ component: "sessions", vouched: () => false, graceMs: 0 });
      const to = { attempted: "test", session: build, actor: ActorId.make("b") };
      const refused = yield* Effect.all([
        Effect.flip(store.claimLease(asking(build, "b"))),
        Effect.flip(store.claimLease(asking(SessionName.make("one"), "b"))),
        Effect.flip(store.moveLease(left, to)),
        Effect.flip(store.writeLease(left, {})),
        Effect.flip(store.leases),
        Effect.flip(sweep),
      ]);
      expect(refused.map(({ _tag }) => _tag)).toEqual(Array(6).fill("RegistryCorrupt"));
      expect(rows()).toBe(before);
    }),
  );
});

describe("a registry that another program writes to", () => {
  it.scoped("refuses a lease as not to be found out, and nothing is written", () =>
    Effect.gen(function* () {
      const { directory, file, program } = yield* home;
      const store = yield* program();
      const before = yield* store.leases;
      const sql = yield* connection(file);
      sql.exec("BEGIN IMMEDIATE");
      const fiber = yield* Effect.fork(Effect.flip(store.claimLease(asking(build, "b"))));
      yield* TestClock.adjust("11 seconds");
      expect((yield* Fiber.join(fiber))._tag).toBe("RegistryUnavailable");
      sql.exec("COMMIT");
      expect(yield* store.leases).toEqual(before);
      expect(fs.readdirSync(directory)).toContain("registry.db");
    }),
  );
});

describe("a release while another program writes", () => {
  it.scoped("is told of that within two seconds: who gives back has not long", () =>
    Effect.gen(function* () {
      const { file, program } = yield* home;
      const store = yield* program();
      const held = yield* store.claimLease(asking(SessionName.make("one"), "b"));
      const sql = yield* connection(file);
      sql.exec("BEGIN IMMEDIATE");
      const fiber = yield* Effect.fork(Effect.flip(store.releaseLease(held)));
      yield* TestClock.adjust("1 second");
      expect(Option.isNone(yield* fiber.poll)).toBe(true);
      yield* TestClock.adjust("1 second");
      expect((yield* Fiber.join(fiber))._tag).toBe("RegistryUnavailable");
      sql.exec("COMMIT");
      expect(yield* store.releaseLease(held)).toBe(true);
    }),
  );
});

describe("a holder", () => {
  it.scoped("that is dead or another by its pid is taken from, one that may live is named", () =>
    Effect.gen(function* () {
      const { directory, program } = yield* home;
      // All of them live until all have a lease: an end that shows is a lease that goes.
      const leave = Effect.forEach([10, 11, 12, 13], (pid, at) => {
        const processes = { ...processTable([living(pid, 50)]), ownPid: pid };
        const request = asking(names[at + 1] ?? build, "left");
        return Effect.flatMap(program({ processes }), (store) => store.claimLease(request));
      });
      yield* Effect.scoped(leave);
      fs.rmSync(path.join(directory, "locks"), { recursive: true });
      // Pid 10 is gone, 11 is another's now, 12 cannot be looked at, 13 lives.
      const seen = [living(1000, 50), living(11, 51), living(13, 50)];
      const store = yield* program({ processes: processTable(seen, [12]) });
      const told = yield* Effect.forEach(names.slice(1), (session) =>
        Effect.match(store.claimLease(asking(session, "new", { capacity: 5 })), {
          onFailure: (error) => (error._tag === "LeaseHeld" ? error.holder.holder : error._tag),
          onSuccess: ({ epoch }) => epoch,
        }),
      );
      expect(told).toEqual([2, 2, "unknown", "alive", 1]);
      const full = yield* Effect.flip(store.claimLease(asking(build, "x", { capacity: 4 })));
      expect(full).toMatchObject({ _tag: "CapacityReached", active: 5, max: 4 });
    }),
  );

  it.scoped("that ended and left a lease leaves its lock, as the proof of its end", () =>
    Effect.gen(function* () {
      const { directory, program } = yield* home;
      const locks = () => fs.readdirSync(path.join(directory, "locks")).length;
      expect(locks()).toBe(1);
      const store = yield* program();
      expect(Option.getOrThrow(yield* store.leaseOf(build)).holder).toBe("dead");
      yield* store.claimLease(asking(build, "b"));
      expect(locks()).toBe(1);
      const [own] = yield* store.leases;
      expect(own).toMatchObject({ holder: "self", pid: 1000, host: "host-1", bootId: "boot-1" });
    }),
  );

  it.scoped("that ended while its turn may run on is not dead before its process is", () =>
    Effect.gen(function* () {
      const { program } = yield* home;
      const [one, two] = [SessionName.make("one"), SessionName.make("two")];
      const leave = (session: SessionName, turn: TurnId | null) =>
        Effect.gen(function* () {
          const store = yield* program();
          const held = yield* store.claimLease(asking(session, "left"));
          yield* store.writeLease(held, { turn });
        }).pipe(Effect.scoped);
      yield* leave(one, TurnId.make("turn"));
      yield* leave(two, null);
      const store = yield* program();
      const holders = [yield* store.leaseOf(one), yield* store.leaseOf(two)];
      expect(holders.map((view) => Option.getOrThrow(view).holder)).toEqual(["alive", "dead"]);
      expect((yield* Effect.flip(store.claimLease(asking(one, "new"))))._tag).toBe("LeaseHeld");
    }),
  );
});
