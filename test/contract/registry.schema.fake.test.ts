/**
 * What the database of a SQLite registry refuses by itself, whoever writes to it.
 *
 * Plain SQL on a connection of the test's own, past every check of the program: the constraints
 * and triggers must hold alone. Each refusal is told by the name that the trigger raises.
 */
import path from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { isFinal, type SessionState, transitions } from "@troupe/core";
import Sqlite from "better-sqlite3";
import { Effect } from "effect";
import { sqlitePrograms, take, temporaryDirectory } from "./registryHomes.js";

/** A connection to a registry in which the name `build` was claimed and never begun. */
const database = Effect.gen(function* () {
  const home = yield* temporaryDirectory;
  yield* Effect.scoped(Effect.flatMap(sqlitePrograms(home)(), take));
  return yield* Effect.acquireRelease(
    Effect.sync(() => new Sqlite(path.join(home, "registry.db"))),
    (sql) => Effect.sync(() => sql.close()),
  );
});

const states: ReadonlyArray<SessionState> = [
  ...new Set(transitions.flatMap(({ from, to }) => [from, to])),
];

/** What the statement is refused with, or `null` when it was done. */
const refusal = (sql: Sqlite.Database, statement: string): string | null => {
  try {
    sql.exec(statement);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const insert = (incarnation: string, generation: number, state = "creating") =>
  `INTO incarnations (incarnation, session, generation, state, spec, created_at, updated_at, epoch)
    VALUES ('${incarnation}', 'build', ${generation}, '${state}', '{}', 0, 0, 1)`;

const move = (incarnation: string, to: string) =>
  `UPDATE incarnations SET state = '${to}' WHERE incarnation = '${incarnation}'`;

/** The moves that need no cause. */
const ofAny = transitions.filter(({ only }) => only === null);

/** Moves that lead from `creating` to the state, the shortest way. */
const wayTo = (state: SessionState): ReadonlyArray<SessionState> => {
  const ways: Array<ReadonlyArray<SessionState>> = [["creating"]];
  for (const way of ways) {
    if (way.at(-1) === state) return way.slice(1);
    for (const { from, to } of ofAny) if (from === way.at(-1)) ways.push([...way, to]);
  }
  throw new Error(`nothing leads to ${state}`);
};

/** Makes generation 1 in this state. */
const bring = (sql: Sqlite.Database, state: SessionState) => {
  sql.exec(`INSERT ${insert("first", 1)}`);
  for (const to of wayTo(state)) sql.exec(move("first", to));
};

describe("the database", () => {
  it.scoped("does the moves of the lifecycle and no other", () =>
    Effect.gen(function* () {
      const sql = yield* database;
      const done: Array<string> = [];
      for (const [from, to] of states.flatMap((a) => states.map((b) => [a, b] as const))) {
        sql.exec("BEGIN");
        bring(sql, from);
        const refused = refusal(sql, move("first", to));
        sql.exec("ROLLBACK");
        expect([null, "ILLEGAL_TRANSITION"]).toContain(refused);
        if (refused === null) done.push(`${from} to ${to}`);
      }
      expect(done.sort()).toEqual(ofAny.map(({ from, to }) => `${from} to ${to}`).sort());
    }),
  );

  for (const { from, only, to } of transitions.filter((move) => move.only !== null)) {
    it.scoped(`moves from ${from} to ${to} only what was begun as ${only}`, () =>
      Effect.gen(function* () {
        const sql = yield* database;
        const begun = (cause: string | null) => {
          const value = cause === null ? "NULL" : `'${cause}'`;
          sql.exec(`INSERT INTO incarnations
            (incarnation, session, generation, state, cause, spec, created_at, updated_at, epoch)
            VALUES ('first', 'build', 1, '${from}', ${value}, '{}', 0, 0, 1)`);
        };
        const said = `UPDATE incarnations SET cause = '${only}'`;
        for (const [cause, expected] of [
          [only, [null, null]],
          [null, ["IMMUTABLE", "ILLEGAL_TRANSITION"]],
          [`${only} it`, ["IMMUTABLE", "ILLEGAL_TRANSITION"]],
        ] as const) {
          sql.exec("BEGIN");
          begun(cause);
          const refused = [said, move("first", to)].map((statement) => refusal(sql, statement));
          sql.exec("ROLLBACK");
          expect(refused, `${cause}`).toEqual(expected);
        }
      }),
    );
  }

  it.scoped("knows no other state", () =>
    Effect.gen(function* () {
      const sql = yield* database;
      expect(refusal(sql, `INSERT ${insert("first", 1, "resting")}`)).not.toBeNull();
      bring(sql, "running");
      expect(refusal(sql, move("first", "resting"))).not.toBeNull();
      expect(refusal(sql, "UPDATE OR IGNORE incarnations SET state = 'failed'")).not.toBeNull();
    }),
  );

  for (const state of states.filter((s) => s !== "creating")) {
    it.scoped(`begins nothing as ${state}`, () =>
      Effect.gen(function* () {
        const sql = yield* database;
        expect(refusal(sql, `INSERT ${insert("first", 1, state)}`)).toBe("ILLEGAL_TRANSITION");
      }),
    );
  }

  for (const state of states.filter((s) => !isFinal(s))) {
    it.scoped(`holds a name while its incarnation is ${state}`, () =>
      Effect.gen(function* () {
        const sql = yield* database;
        bring(sql, state);
        for (const verb of ["INSERT", "INSERT OR REPLACE", "INSERT OR IGNORE"]) {
          expect(refusal(sql, `${verb} ${insert("second", 2)}`)).toBe("NAME_HELD");
        }
        expect(refusal(sql, "DELETE FROM incarnations")).toBe("NAME_HELD");
      }),
    );
  }

  for (const state of states.filter(isFinal)) {
    it.scoped(`lets nothing that is ${state} come back`, () =>
      Effect.gen(function* () {
        const sql = yield* database;
        bring(sql, state);
        const again = "INCARNATION_REUSED";
        expect(refusal(sql, `INSERT OR REPLACE ${insert("first", 1)}`)).toBe(again);
        expect(refusal(sql, `INSERT OR REPLACE ${insert("first", 2)}`)).toBe(again);
        const other = `INSERT OR REPLACE ${insert("other", 1)}`;
        expect(refusal(sql, other)).toBe("GENERATION_REUSED");
        sql.exec("DELETE FROM incarnations");
        expect(refusal(sql, `INSERT ${insert("first", 1)}`)).toBe("GENERATION_REUSED");
        expect(refusal(sql, `INSERT ${insert("second", 2)}`)).toBeNull();
      }),
    );
  }

  it.scoped("keeps what an incarnation is", () =>
    Effect.gen(function* () {
      const sql = yield* database;
      bring(sql, "running");
      for (const change of ["incarnation = 'x'", "session = 'x'", "generation = 9"]) {
        expect(refusal(sql, `UPDATE incarnations SET ${change}`)).toBe("IMMUTABLE");
      }
    }),
  );

  it.scoped("lets epochs and generations only grow, and no claim go", () =>
    Effect.gen(function* () {
      const sql = yield* database;
      bring(sql, "running");
      const stale = [
        "UPDATE claims SET epoch = 0",
        "UPDATE claims SET generation = 0",
        "UPDATE claims SET session = 'other'",
        "DELETE FROM claims",
        "INSERT OR REPLACE INTO claims VALUES ('build', NULL, 1, 0, 0)",
      ];
      const refused = stale.map((statement) => refusal(sql, statement));
      expect(refused).toEqual(stale.map(() => "STALE_EPOCH"));
    }),
  );

  for (const state of states) {
    it.scoped(`lets what belongs to one that is ${state} ${isFinal(state) ? "go" : "stay"}`, () =>
      Effect.gen(function* () {
        const sql = yield* database;
        bring(sql, state);
        sql.exec(
          `INSERT INTO terminals (incarnation, terminal, state, epoch)
            VALUES ('first', 'main', 'creating', 1);
          INSERT INTO processes (incarnation, pid, start_time, boot_id, epoch)
            VALUES ('first', 1, 1, 'boot', 1);
          INSERT INTO requests (request_id, incarnation, epoch) VALUES ('once', 'first', 1)`,
        );
        const tables = ["terminals", "processes", "requests", "incarnations"];
        const refused = tables.map((table) => refusal(sql, `DELETE FROM ${table}`));
        expect(refused).toEqual(tables.map(() => (isFinal(state) ? null : "NAME_HELD")));
      }),
    );
  }

  it.scoped("lets a claim go with the last incarnation, unless the fence is due", () =>
    Effect.gen(function* () {
      const sql = yield* database;
      bring(sql, "failed");
      expect(refusal(sql, "DELETE FROM claims")).toBe("STALE_EPOCH");
      sql.exec("DELETE FROM incarnations; UPDATE claims SET fence_due = 1");
      expect(refusal(sql, "DELETE FROM claims")).toBe("STALE_EPOCH");
      sql.exec("UPDATE claims SET fence_due = 0");
      expect(refusal(sql, "DELETE FROM claims")).toBeNull();
    }),
  );

  it.scoped("keeps the words of its log, and never uses a number of it again", () =>
    Effect.gen(function* () {
      const sql = yield* database;
      const event = `INSERT INTO events (at, session, generation, incarnation, body, epoch)
        VALUES (0, 'build', 1, 'first', '{}', 1)`;
      sql.exec(event);
      expect(refusal(sql, "UPDATE events SET body = '[]'")).toBe("IMMUTABLE");
      sql.exec("DELETE FROM events");
      sql.exec(event);
      expect(sql.prepare("SELECT sequence FROM events").pluck().all()).toEqual([2]);
    }),
  );
});
