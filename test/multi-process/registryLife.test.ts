/**
 * The life of a registry among real programs: brought up to date by several at once, copied while
 * they write, and locked by somebody for a second or for long.
 */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { SqliteRegistry } from "@troupe/sqlite";
import Sqlite from "better-sqlite3";
import { Effect, Fiber } from "effect";
import { makeOlderRegistry } from "../contract/olderRegistry.js";
import { onStage, type Stage } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";
import { newHome, startProgram } from "./registryPrograms.js";

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** What plain SQL answers on a file, in one column. */
const asked = (file: string, query: string): ReadonlyArray<unknown> => {
  const sql = new Sqlite(file, { readonly: true });
  try {
    return sql.prepare(query).pluck().all();
  } finally {
    sql.close();
  }
};

describe("programs that start together on the registry of an older one", () => {
  it.scopedLive("bring it up to date once, and none of them finds less in it", () =>
    Effect.gen(function* () {
      const all = yield* Effect.replicateEffect(startProgram, 3);
      for (const attempt of numbers(2)) {
        const home = yield* newHome;
        fs.mkdirSync(home);
        makeOlderRegistry(home);
        const work = all.map((program, index) => {
          const mine = {
            home,
            session: `name-${index}`,
            incarnation: `program-${attempt}-${index}`,
          };
          return Effect.zip(program.ask("list", { home }), program.ask("round", mine));
        });
        for (const [list, round] of yield* Effect.all(work, { concurrency: "unbounded" })) {
          const { records } = list.value as { records: ReadonlyArray<{ session: string }> };
          const old = records.find(({ session }) => session === "old");
          expect(old).toMatchObject({ state: "running", terminals: [{ panePid: 77 }] });
          expect(round).toMatchObject({ value: { epoch: 1, generation: 1 } });
        }
        const file = path.join(home, "registry.db");
        const states = "SELECT session || ' ' || state FROM incarnations ORDER BY session";
        const rounds = all.map((_, index) => `name-${index} failed`);
        expect(asked(file, states)).toEqual([...rounds, "old running"]);
      }
    }),
  );
});

describe("a registry that programs write to", () => {
  it.scopedLive("is copied as it was at one moment, each time", () =>
    Effect.gen(function* () {
      const home = yield* newHome;
      const all = yield* Effect.replicateEffect(startProgram, 2);
      yield* Effect.forEach(all, (program) => program.ask("list", { home }));
      const rounds = all.map((program, index) =>
        Effect.forEach(numbers(12), (round) =>
          program.ask("round", {
            home,
            session: `name-${index}`,
            incarnation: `incarnation-${index}-${round}`,
          }),
        ),
      );
      const file = path.join(home, "registry.db");
      const writing = yield* Effect.fork(Effect.all(rounds, { concurrency: "unbounded" }));
      yield* Effect.promise(() => waitFor("the registry", () => fs.existsSync(file)));
      const isDone = () => writing.unsafePoll() !== null;
      const seen: Array<number> = [];
      const grown = () =>
        Number(asked(file, "SELECT count(*) FROM events")[0]) > (seen.at(-1) ?? 0);
      for (let last = false; !last; ) {
        yield* Effect.promise(() => waitFor("more of the log", () => grown() || isDone()));
        last = isDone();
        const to = path.join(path.dirname(home), `copy-${seen.length}`);
        yield* SqliteRegistry.backup({ home, to });
        expect(asked(to, "SELECT * FROM pragma_integrity_check")).toEqual(["ok"]);
        // Each row says what the last event of it says, and no event before the last is missing.
        const odd = `SELECT incarnation FROM incarnations i WHERE state <> (SELECT body ->> 'state'
          FROM events e WHERE e.incarnation = i.incarnation ORDER BY sequence DESC LIMIT 1)`;
        expect(asked(to, odd)).toEqual([]);
        const [events, sequence] = ["count(*)", "max(sequence)"].map(
          (what) => asked(to, `SELECT ${what} FROM events`)[0],
        );
        expect(events).toBe(sequence);
        seen.push(Number(events));
      }
      yield* Fiber.join(writing);
      expect(seen.at(-1)).toBe(48);
      expect(seen.length).toBeGreaterThan(2);
    }),
  );
});

/** Another program's write transaction on the registry of the stage. */
const lock = (stage: Stage) => {
  const other = new Sqlite(path.join(stage.home, "registry.db"));
  other.exec("BEGIN IMMEDIATE");
  return () => {
    other.exec("COMMIT");
    other.close();
  };
};

const create = (name: string) => ["--json", "create", name, "--", "sleep", "600"];

const names = numbers(24).map((number) => `n${number}`);

describe.concurrent("a registry that somebody else keeps locked", () => {
  it(
    "for a second is waited for by 24 creates at once, and every one succeeds",
    onStage(async (stage) => {
      expect((await stage.run(...create("first"))).code).toBe(0);
      const unlock = lock(stage);
      const running = names.map((name) => stage.run(...create(name)));
      // The last of them to come is held up, too: by then the first has waited for about a second.
      await waitFor("all of them", () => {
        const waiting = fs.readdirSync(path.join(stage.home, "locks"));
        return waiting.filter((name) => name.endsWith(".lock")).length === names.length;
      });
      unlock();
      const codes = (await Promise.all(running)).map(({ code }) => code);
      expect(codes).toEqual(names.map(() => 0));
      expect([...stage.sessionsInTmux].sort()).toEqual(["first", ...names].sort());
    }),
  );

  it(
    "for long is given up at the bound: exit 8, and no session is made",
    onStage(async (stage) => {
      expect((await stage.run(...create("first"))).code).toBe(0);
      const unlock = lock(stage);
      const { code, ms, stdout } = await stage.run(...create("late"));
      unlock();
      expect([code, JSON.parse(stdout).error.code]).toEqual([8, "REGISTRY_UNAVAILABLE"]);
      expect(ms).toBeGreaterThan(9_000);
      expect(ms).toBeLessThan(20_000);
      expect(stage.sessionsInTmux).toEqual(["first"]);
      const rows = asked(path.join(stage.home, "registry.db"), "SELECT session FROM incarnations");
      expect(rows).toEqual(["first"]);
      expect((await stage.run(...create("late"))).code).toBe(0);
    }),
  );
});
