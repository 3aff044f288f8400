/**
 * Keeping a damaged registry aside: only what is damaged, whole, once, and never what is good.
 *
 * Damage is done to the files with node; then any number of programs put aside, and the next write
 * makes a new registry beside what was kept.
 */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "@effect/vitest";
import Sqlite from "better-sqlite3";
import { Effect } from "effect";
import {
  begin,
  incarnation,
  sqlitePrograms,
  take,
  temporaryDirectory,
  whileTimePasses,
} from "./registryHomes.js";

/** A home with one session, that no program has open. */
const home = Effect.gen(function* () {
  const directory = yield* temporaryDirectory;
  yield* Effect.scoped(
    Effect.gen(function* () {
      const store = yield* sqlitePrograms(directory)();
      const claim = yield* take(store);
      yield* store.commit(claim, incarnation(1), [begin], { release: true });
    }),
  );
  return { directory, file: path.join(directory, "registry.db") };
});

const tamper = (file: string, ...statements: ReadonlyArray<string>) => {
  const other = new Sqlite(file);
  for (const statement of statements) other.exec(statement);
  other.close();
};

describe("a registry is kept aside", () => {
  const damages: ReadonlyArray<readonly [string, (file: string) => void]> = [
    ["that was cut off", (file) => fs.truncateSync(file, 4096)],
    ["that is empty", (file) => fs.truncateSync(file, 0)],
    ["that holds something else", (file) => fs.writeFileSync(file, "x".repeat(9000))],
    [
      "with a page of garbage",
      (file) => {
        const bytes = fs.readFileSync(file);
        fs.writeFileSync(file, bytes.fill(0xa5, 8192, 12_288));
      },
    ],
    [
      "with a row that cannot be understood",
      (file) => tamper(file, "UPDATE incarnations SET spec = '{}'"),
    ],
  ];
  for (const [what, damage] of damages) {
    it.scoped(`${what}, to the byte, and the next write makes a new one`, () =>
      Effect.gen(function* () {
        const { directory, file } = yield* home;
        damage(file);
        const before = fs.readFileSync(file);
        const store = yield* sqlitePrograms(directory)();
        const kept = yield* store.setAside;
        expect(kept).toBe(`${file}.damaged-1`);
        expect(fs.readFileSync(`${file}.damaged-1`).equals(before)).toBe(true);
        expect((yield* store.list({ ended: true })).records).toEqual([]);
        expect(fs.readdirSync(directory).sort()).toEqual(["locks", "registry.db.damaged-1"]);
        expect((yield* take(store)).epoch).toBe(1);
        expect(yield* store.setAside).toBe(null);
      }),
    );
  }

  it.scoped("beside one that was kept before", () =>
    Effect.gen(function* () {
      const { directory, file } = yield* home;
      const store = yield* sqlitePrograms(directory)();
      for (const number of [1, 2]) {
        fs.writeFileSync(file, `garbage ${number}`);
        expect(yield* store.setAside).toBe(`${file}.damaged-${number}`);
      }
      const kept = [1, 2].map((number) => fs.readFileSync(`${file}.damaged-${number}`, "utf8"));
      expect(kept).toEqual(["garbage 1", "garbage 2"]);
    }),
  );

  it.scoped("of which only the log is left, as when somebody died in between", () =>
    Effect.gen(function* () {
      const { directory, file } = yield* home;
      fs.renameSync(file, `${file}.damaged-1`);
      fs.writeFileSync(`${file}-wal`, "log");
      const store = yield* sqlitePrograms(directory)();
      expect((yield* Effect.flip(take(store)))._tag).toBe("RegistryCorrupt");
      expect(yield* store.setAside).toBe(`${file}.damaged-2`);
      expect(fs.readFileSync(`${file}.damaged-2-wal`, "utf8")).toBe("log");
      expect((yield* take(store)).epoch).toBe(1);
    }),
  );

  it.scoped("once, when several programs do it at the same time", () =>
    Effect.gen(function* () {
      const { directory, file } = yield* home;
      fs.writeFileSync(file, "garbage");
      const program = sqlitePrograms(directory);
      const stores = yield* Effect.all(Array.from({ length: 4 }, () => program()));
      const asideAndWrite = (store: (typeof stores)[number]) =>
        Effect.flatMap(store.setAside, (kept) => Effect.as(Effect.either(take(store)), kept));
      const kept = yield* whileTimePasses(
        Effect.forEach(stores, asideAndWrite, { concurrency: "unbounded" }),
      );
      expect(kept.filter((name) => name !== null)).toEqual([`${file}.damaged-1`]);
      expect(fs.existsSync(file)).toBe(true);
    }),
  );
});

describe("a registry is left where it is", () => {
  it.scoped("when it can be read, also while another program writes", () =>
    Effect.gen(function* () {
      const { directory } = yield* home;
      const program = sqlitePrograms(directory);
      yield* take(yield* program());
      const store = yield* program();
      expect(yield* store.setAside).toBe(null);
      expect((yield* store.list({ ended: true })).records).toHaveLength(1);
    }),
  );

  it.scoped("when there is none, and no home is made", () =>
    Effect.gen(function* () {
      const directory = path.join(yield* temporaryDirectory, "home");
      expect(yield* (yield* sqlitePrograms(directory)()).setAside).toBe(null);
      expect(fs.existsSync(directory)).toBe(false);
    }),
  );

  it.scoped("when a newer program wrote it", () =>
    Effect.gen(function* () {
      const { directory, file } = yield* home;
      tamper(file, "PRAGMA user_version = 999");
      const store = yield* sqlitePrograms(directory)();
      expect((yield* Effect.flip(store.setAside))._tag).toBe("RegistryUnavailable");
      expect(fs.existsSync(file)).toBe(true);
    }),
  );
});
