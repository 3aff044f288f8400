/**
 * A SQLite registry that was damaged, or is of another time.
 *
 * Every damage is done to a copy of the same good file. What matters is what is not done: nothing
 * is told as absent, nothing is repaired, and the bytes stay what they were.
 */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { type Registry, SessionName } from "@troupe/core";
import Sqlite from "better-sqlite3";
import { Effect, Exit, Option } from "effect";
import {
  begin,
  build,
  incarnation,
  sqlitePrograms,
  take,
  temporaryDirectory,
} from "./registryHomes.js";

const watch = SessionName.make("watch");

/** A home with two sessions, that no program has open. */
const home = Effect.gen(function* () {
  const directory = yield* temporaryDirectory;
  yield* Effect.scoped(
    Effect.gen(function* () {
      const store = yield* sqlitePrograms(directory)();
      for (const [number, session] of [build, watch].entries()) {
        const claim = yield* take(store, session);
        yield* store.commit(claim, incarnation(number), [begin], { release: true });
      }
    }),
  );
  return { directory, file: path.join(directory, "registry.db") };
});

/** Runs statements on the file as somebody would who knows SQLite and not troupe. */
const tamper = (file: string, ...statements: ReadonlyArray<string>) => {
  const other = new Sqlite(file);
  for (const statement of statements) other.exec(statement);
  other.close();
};

/** Every call; none may succeed. */
const refused = (store: Registry["Type"]) => {
  const tag = <A, E extends { readonly _tag: string }>(call: Effect.Effect<A, E>) =>
    Effect.map(Effect.flip(call), ({ _tag }) => _tag);
  return Effect.all([
    tag(store.get(build)),
    tag(store.list({ ended: true })),
    tag(store.events(0, 10)),
    tag(store.servers),
    tag(take(store)),
  ]);
};

describe("a damaged file", () => {
  for (const length of [0, 1, 99, 100, 511, 4095, 4096, 8192, 20_000]) {
    it.scoped(`that was cut off after ${length} bytes is corrupt, and is left alone`, () =>
      Effect.gen(function* () {
        const { directory, file } = yield* home;
        fs.truncateSync(file, length);
        const before = fs.readFileSync(file);
        const store = yield* sqlitePrograms(directory)();
        expect(new Set(yield* refused(store))).toEqual(new Set(["RegistryCorrupt"]));
        expect(fs.readFileSync(file).equals(before)).toBe(true);
      }),
    );
  }

  it.scoped("that holds something else is corrupt, and is left alone", () =>
    Effect.gen(function* () {
      const { directory, file } = yield* home;
      fs.writeFileSync(file, "these are not the bytes of a database\n".repeat(300));
      const before = fs.readFileSync(file);
      const store = yield* sqlitePrograms(directory)();
      expect(new Set(yield* refused(store))).toEqual(new Set(["RegistryCorrupt"]));
      expect(fs.readFileSync(file).equals(before)).toBe(true);
    }),
  );

  it.scoped("with a page of garbage is never told as a home with fewer sessions", () =>
    Effect.gen(function* () {
      const { directory, file } = yield* home;
      const good = fs.readFileSync(file);
      for (let page = 1; page < good.length / 4096; page++) {
        const bad = Buffer.from(good);
        bad.fill(0xa5, page * 4096, (page + 1) * 4096);
        fs.writeFileSync(file, bad);
        const list = Effect.flatMap(sqlitePrograms(directory)(), (s) => s.list({ ended: true }));
        const exit = yield* Effect.exit(Effect.scoped(list));
        if (Exit.isSuccess(exit)) expect(exit.value.records, `page ${page}`).toHaveLength(2);
        else expect(String(exit.cause), `page ${page}`).toContain("RegistryCorrupt");
      }
    }),
  );

  it.scoped("that is gone, and its log is not, is corrupt and not a home without a registry", () =>
    Effect.gen(function* () {
      const { directory, file } = yield* home;
      fs.rmSync(file);
      fs.writeFileSync(`${file}-wal`, "log");
      const store = yield* sqlitePrograms(directory)();
      expect(new Set(yield* refused(store))).toEqual(new Set(["RegistryCorrupt"]));
      expect(fs.existsSync(file)).toBe(false);
    }),
  );

  it.scoped("that was damaged and mended in its place is read again by the same program", () =>
    Effect.gen(function* () {
      const { directory, file } = yield* home;
      const store = yield* sqlitePrograms(directory)();
      const good = fs.readFileSync(file);
      fs.writeFileSync(file, Buffer.alloc(good.length, 0xa5));
      expect((yield* Effect.flip(store.get(build)))._tag).toBe("RegistryCorrupt");
      fs.writeFileSync(file, good);
      expect(Option.isSome(yield* store.get(build))).toBe(true);
    }),
  );

  it.scoped("that was put back is read again by the same program", () =>
    Effect.gen(function* () {
      const { directory, file } = yield* home;
      const store = yield* sqlitePrograms(directory)();
      const aside = path.join(directory, "aside");
      fs.renameSync(file, aside);
      fs.writeFileSync(file, "garbage");
      expect((yield* Effect.flip(store.get(build)))._tag).toBe("RegistryCorrupt");
      fs.renameSync(aside, file);
      expect(Option.isSome(yield* store.get(build))).toBe(true);
    }),
  );
});

describe("a file of another maker", () => {
  it.scoped("that a newer program wrote is refused and not touched", () =>
    Effect.gen(function* () {
      const { directory, file } = yield* home;
      tamper(file, "PRAGMA user_version = 999");
      const before = fs.readFileSync(file);
      const store = yield* sqlitePrograms(directory)();
      expect(new Set(yield* refused(store))).toEqual(new Set(["RegistryUnavailable"]));
      expect((yield* Effect.flip(store.get(build))).message).toContain("schema 999");
      expect(fs.readFileSync(file).equals(before)).toBe(true);
    }),
  );

  it.scoped("that becomes a newer program's while this one runs is refused from then on", () =>
    Effect.gen(function* () {
      const { directory, file } = yield* home;
      const store = yield* sqlitePrograms(directory)();
      const claim = yield* take(store);
      tamper(file, "PRAGMA user_version = 99");
      const commit = store.commit(claim, incarnation(0), [], { release: true });
      expect((yield* Effect.flip(commit))._tag).toBe("RegistryUnavailable");
    }),
  );

  it.scoped("that is a database and no registry is refused and not touched", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory;
      const file = path.join(directory, "registry.db");
      tamper(file, "CREATE TABLE incarnations (diary TEXT)");
      const before = fs.readFileSync(file);
      const store = yield* sqlitePrograms(directory)();
      expect(new Set(yield* refused(store))).toEqual(new Set(["RegistryCorrupt"]));
      expect(fs.readFileSync(file).equals(before)).toBe(true);
    }),
  );
});

describe("a damaged row", () => {
  const damages = [
    ["spec", "UPDATE incarnations SET spec = '{}' WHERE session = 'build'"],
    ["spec that is no JSON", "UPDATE incarnations SET spec = '{' WHERE session = 'build'"],
    [
      "terminal",
      `INSERT INTO terminals (incarnation, terminal, window_id, pane_id, pane_pid, state, exit, epoch)
        VALUES ('incarnation-0', 't 1', '@1', '%1', 1, 'running', '{', 1)`,
    ],
  ] as const;

  for (const [what, statement] of damages) {
    it.scoped(`(${what}) fails the read of its session and no other`, () =>
      Effect.gen(function* () {
        const { directory, file } = yield* home;
        tamper(file, "PRAGMA ignore_check_constraints = ON", statement);
        const store = yield* sqlitePrograms(directory)();
        const error = yield* Effect.flip(store.get(build));
        expect(error).toMatchObject({ _tag: "RegistryCorrupt", session: build });
        const { records, unreadable } = yield* store.list({ ended: false });
        expect(records.map(({ session }) => session)).toEqual([watch]);
        expect(unreadable.map(({ session }) => session)).toEqual([build]);
        expect(unreadable[0]?.detail).not.toBe("");
      }),
    );
  }

  it.scoped("refuses a change of its session and keeps its log as it was", () =>
    Effect.gen(function* () {
      const { directory, file } = yield* home;
      tamper(file, "PRAGMA ignore_check_constraints = ON", damages[0][1]);
      const store = yield* sqlitePrograms(directory)();
      const before = yield* store.events(0, 100);
      const claim = yield* take(store);
      const move = { _tag: "Move", to: "running", cause: null } as const;
      const commit = store.commit(claim, incarnation(0), [move], { release: true });
      expect((yield* Effect.flip(commit))._tag).toBe("RegistryCorrupt");
      expect(yield* store.events(0, 100)).toEqual(before);
    }),
  );
});
