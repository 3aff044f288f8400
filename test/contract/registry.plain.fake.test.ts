/**
 * A row that is read without the schema is told as the schema tells it.
 *
 * A row as it is written is damaged in every place, also in what is text and means something, with
 * each of some values. Whatever is still read without the schema must be what the schema makes of
 * it; a row that the schema refuses must not be read at all.
 */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { type Change, TerminalId } from "@troupe/core";
import Sqlite from "better-sqlite3";
import { Effect, Either } from "effect";
import { plainRow } from "../../packages/sqlite/src/PlainRow.js";
import { judgedRow, selectStored } from "../../packages/sqlite/src/StoredRecord.js";
import {
  begin,
  build,
  incarnation,
  sqlitePrograms,
  take,
  temporaryDirectory,
} from "./registryHomes.js";

type Row = Readonly<Record<string, unknown>> & { readonly session: unknown };

const main = TerminalId.make("main");

const changes: ReadonlyArray<Change> = [
  { ...begin, spec: { ...begin.spec, ttlMs: 5 } },
  {
    _tag: "Terminal",
    record: {
      terminal: main,
      command: ["true"],
      windowId: "@1",
      paneId: "%1",
      panePid: 7,
      state: "exited",
      exit: { code: 1, signal: null },
    },
  },
  { _tag: "Processes", terminal: main, processes: [{ pid: 7, startTime: 8, bootId: "boot-1" }] },
  { _tag: "Move", to: "exited", cause: null, sessionId: "$1" },
];

/** What a program has written, as it is asked for. */
const written = Effect.gen(function* () {
  const home = yield* temporaryDirectory;
  yield* Effect.scoped(
    Effect.gen(function* () {
      const store = yield* sqlitePrograms(home)();
      const claim = yield* take(store);
      yield* store.commit(claim, incarnation(1), changes, { release: true });
    }),
  );
  const file = path.join(home, "registry.db");
  expect(fs.existsSync(file)).toBe(true);
  const database = new Sqlite(file, { readonly: true });
  const rows = database.prepare(selectStored("i.session = ?")).all(build) as ReadonlyArray<Row>;
  database.close();
  return rows;
});

const odd: ReadonlyArray<unknown> = [
  ...[undefined, null, true, false, 0, 1, -1, 1.5, 2 ** 60, "", "x", "1", "a b", "client-1"],
  ...["lost", "gone", "[]", "{}", "null", "[", '["a"]', "[1]", '{"pid":1,"startTime":2}'],
  ...[[], ["a"], {}, { pid: 1 }, "a".repeat(65)],
];

/** The value damaged once, in every place and way; JSON in it is a place of places. */
const damaged = (value: unknown): ReadonlyArray<unknown> => {
  if (typeof value === "string" && /^[[{]/.test(value)) {
    return [...odd, ...damaged(JSON.parse(value)).map((one) => JSON.stringify(one))];
  }
  if (typeof value !== "object" || value === null) return odd;
  if (Array.isArray(value)) {
    const each = value.flatMap((one, at) => damaged(one).map((other) => value.with(at, other)));
    return [...odd, ...each, [...value, ...value]];
  }
  const fields = Object.entries(value).flatMap(([name, one]) => [
    ...damaged(one).map((other) => ({ ...value, [name]: other })),
    Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)),
  ]);
  const more = ["more", "constructor"].map((name) => ({ ...value, [name]: 1 }));
  return [...odd, ...fields, ...more, JSON.parse(`{"__proto__":${JSON.stringify(value)}}`)];
};

describe("a row", () => {
  it.scoped("that a program wrote is read without the schema", () =>
    Effect.gen(function* () {
      const [row, ...more] = yield* written;
      expect(more).toEqual([]);
      if (row === undefined) return expect.unreachable();
      expect(plainRow(row)).toEqual(Either.getOrThrow(judgedRow(row)));
    }),
  );

  it.scoped("that was damaged is read as the schema reads it, or is left to the schema", () =>
    Effect.gen(function* () {
      const [row] = yield* written;
      const rows = damaged(row).filter(
        (one): one is Row => typeof one === "object" && one !== null,
      );
      let [read, refused] = [0, 0];
      for (const one of rows) {
        const plain = plainRow(one);
        const judged = judgedRow(one);
        if (Either.isLeft(judged)) refused += 1;
        if (plain === null) continue;
        read += 1;
        expect([one, judged]).toEqual([one, Either.right(plain)]);
      }
      expect([read > 50, refused > 500]).toEqual([true, true]);
    }),
  );
});
