/**
 * A SQLite registry that an older program made: a read tells all of it and leaves it as it was, and
 * the first write brings it up to date.
 */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { SessionName } from "@troupe/core";
import { SqliteRegistry } from "@troupe/sqlite";
import Sqlite from "better-sqlite3";
import { Effect, Option } from "effect";
import { makeOlderRegistry } from "./olderRegistry.js";
import { sqlitePrograms, take, temporaryDirectory } from "./registryHomes.js";

const old = SessionName.make("old");

const world = Effect.gen(function* () {
  const home = yield* temporaryDirectory;
  makeOlderRegistry(home);
  const file = path.join(home, "registry.db");
  return { file, home, store: yield* sqlitePrograms(home)() };
});

const versionOf = (file: string): unknown => {
  const sql = new Sqlite(file, { readonly: true });
  try {
    return sql.pragma("user_version", { simple: true });
  } finally {
    sql.close();
  }
};

describe("the registry of an older program", () => {
  it.scoped("is read as it is, by every read, and is not changed by that", () =>
    Effect.gen(function* () {
      const { file, store } = yield* world;
      const before = fs.readFileSync(file);
      const record = Option.getOrThrow(yield* store.get(old));
      expect(record).toMatchObject({ state: "running", generation: 1 });
      expect(record.terminals).toMatchObject([{ terminal: "main", panePid: 77, command: null }]);
      const { records, unreadable } = yield* store.list({ ended: true });
      expect([records, unreadable]).toEqual([[record], []]);
      expect(yield* store.servers).toEqual([]);
      expect((yield* store.events(0, 10)).events).toEqual([]);
      expect(fs.readFileSync(file).equals(before)).toBe(true);
    }),
  );

  it.scoped("is brought up to date by the first write, with all that was in it", () =>
    Effect.gen(function* () {
      const { file, store } = yield* world;
      const before = yield* store.get(old);
      yield* take(store);
      expect(versionOf(file)).toBeGreaterThan(1);
      expect(yield* store.get(old)).toEqual(before);
    }),
  );

  it.scoped("is copied as one of today", () =>
    Effect.gen(function* () {
      const { file, home, store } = yield* world;
      const other = yield* temporaryDirectory;
      yield* SqliteRegistry.backup({ home, to: path.join(other, "registry.db") });
      const copied = yield* sqlitePrograms(other)();
      expect(yield* copied.get(old)).toEqual(yield* store.get(old));
      expect(versionOf(file)).toBe(1);
    }),
  );
});
