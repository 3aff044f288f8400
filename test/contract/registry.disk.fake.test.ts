/**
 * A SQLite registry on a disk that is full, that loses its power, or that kept only a part.
 *
 * What was acknowledged is there, what was refused left nothing, and what is not whole is corrupt:
 * it is never told as less than there is.
 */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { type Change, type Registry, SessionName } from "@troupe/core";
import { SqliteRegistry } from "@troupe/sqlite";
import Sqlite from "better-sqlite3";
import { Effect, Exit, Option } from "effect";
import { connectionsTo } from "./registryConnections.js";
import {
  begin,
  build,
  incarnation,
  sqlitePrograms,
  take,
  temporaryDirectory,
} from "./registryHomes.js";

type Store = Registry["Type"];

const fileOf = (home: string) => path.join(home, "registry.db");

/** Begins an incarnation of the name and lets go of it. */
const beginOne = Effect.fnUntraced(function* (store: Store, session: string, number: number) {
  const claim = yield* take(store, SessionName.make(session));
  return yield* store.commit(claim, incarnation(number), [begin], { release: true });
});

/** All that reads tell, without what changes with who asks. */
const told = (store: Store) =>
  Effect.gen(function* () {
    const { records, unreadable } = yield* store.list({ ended: true });
    const { events, first, last } = yield* store.events(0, 1_000);
    return JSON.stringify([records, unreadable, yield* store.servers, events, first, last]);
  });

describe("a disk that is full", () => {
  const [command] = begin.spec.command;
  const large: Change = {
    ...begin,
    spec: { ...begin.spec, command: [command, "x".repeat(200_000)] },
  };

  it.scoped("makes a write unavailable, with nothing of it done, and reads go on", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      const connections = yield* connectionsTo(fileOf(home));
      const store = yield* sqlitePrograms(home)();
      yield* beginOne(store, "other", 1);
      const claim = yield* take(store);
      const before = yield* told(store);
      const open = yield* connections;
      expect(open).toHaveLength(1);
      for (const each of open) each.pragma("max_page_count = 1");
      const commit = store.commit(claim, incarnation(2), [large], { release: true });
      const error = yield* Effect.flip(commit);
      expect(error).toMatchObject({ _tag: "RegistryUnavailable", attempted: "commit" });
      expect(error.message).toContain("SQLITE_FULL");
      expect(yield* told(store)).toBe(before);
      // There is room again: the claim is still ours, and the same write is done.
      expect((yield* commit).state).toBe("creating");
    }),
  );
});

describe("a power cut", () => {
  it.scoped("takes nothing that was acknowledged: what is committed is written through", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      const connections = yield* connectionsTo(fileOf(home));
      const store = yield* sqlitePrograms(home)();
      yield* beginOne(store, "build", 1);
      const [connection] = yield* connections;
      const pragma = (name: string) => connection?.pragma(name, { simple: true });
      // 2 is FULL: in WAL mode the log is synchronised at each commit.
      expect([pragma("synchronous"), pragma("journal_mode")]).toEqual([2, "wal"]);
    }),
  );

  it.scoped("at any commit leaves that commit in the files, whoever has them open", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      const store = yield* sqlitePrograms(home)();
      for (let number = 1; number <= 5; number++) {
        yield* beginOne(store, `name-${number}`, number);
        const after = yield* temporaryDirectory;
        for (const part of ["", "-wal"]) {
          fs.copyFileSync(`${fileOf(home)}${part}`, `${fileOf(after)}${part}`);
        }
        const { records } = yield* Effect.scoped(
          Effect.flatMap(sqlitePrograms(after)(), (s) => s.list({ ended: true })),
        );
        expect(records).toHaveLength(number);
      }
    }),
  );
});

/** Offsets at every page and a byte beside it, and others in between. */
const offsets = (size: number): ReadonlyArray<number> => {
  const pages = Array.from({ length: Math.ceil(size / 4096) }, (_, page) => page * 4096);
  const between = pages.map((offset, index) => offset + ((index * 2_654_435_761) % 4096));
  const all = [...pages.flatMap((offset) => [offset - 1, offset, offset + 1]), ...between];
  return [...new Set(all)].filter((offset) => offset >= 0 && offset < size).sort((a, b) => a - b);
};

/** What a program says of a home of which only these bytes were kept. */
const readsOf = Effect.fnUntraced(function* (files: Readonly<Record<string, Buffer>>) {
  const home = yield* temporaryDirectory;
  for (const [name, bytes] of Object.entries(files)) fs.writeFileSync(path.join(home, name), bytes);
  const store = yield* sqlitePrograms(home)();
  const reads: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
    told(store),
    Effect.map(store.get(build), Option.isSome),
    Effect.map(store.find(incarnation(1)), Option.isSome),
  ];
  return yield* Effect.forEach(reads, (read) =>
    Effect.map(Effect.exit(read), (exit) =>
      Exit.isSuccess(exit)
        ? String(exit.value)
        : (/RegistryCorrupt/.exec(String(exit.cause))?.[0] ?? `other: ${String(exit.cause)}`),
    ),
  );
}, Effect.scoped);

describe("files that were cut off", () => {
  it.scoped("anywhere in the database are corrupt to every read", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      const write = Effect.flatMap(sqlitePrograms(home)(), (store) =>
        Effect.zipRight(
          Effect.forEach([1, 2, 3], (n) => beginOne(store, n === 1 ? "build" : `n-${n}`, n)),
          told(store),
        ),
      );
      const all = yield* Effect.scoped(write);
      const whole = fs.readFileSync(fileOf(home));
      expect(yield* readsOf({ "registry.db": whole })).toEqual([all, "true", "true"]);
      const cuts = offsets(whole.length);
      expect(cuts.length).toBeGreaterThan(60);
      const corrupt = ["RegistryCorrupt", "RegistryCorrupt", "RegistryCorrupt"];
      for (const cut of cuts) {
        const answers = yield* readsOf({ "registry.db": whole.subarray(0, cut) });
        expect(answers, `cut off at ${cut}`).toEqual(corrupt);
      }
    }),
  );

  it.scoped("anywhere in the log are as they were after one of the commits, never in between", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      const store = yield* sqlitePrograms(home)();
      const moments = new Set<string>([yield* told(store)]);
      for (const number of [1, 2, 3]) {
        const claim = yield* take(store, SessionName.make(`name-${number}`));
        moments.add(yield* told(store));
        yield* store.commit(claim, incarnation(number), [begin], { release: true });
        moments.add(yield* told(store));
      }
      const database = fs.readFileSync(fileOf(home));
      const log = fs.readFileSync(`${fileOf(home)}-wal`);
      for (const cut of offsets(log.length).filter((_, index) => index % 3 === 0)) {
        const files = { "registry.db": database, "registry.db-wal": log.subarray(0, cut) };
        const [answer = ""] = yield* readsOf(files);
        expect(moments.has(answer), `cut off at ${cut}: ${answer}`).toBe(true);
      }
    }),
  );
});

describe("a copy of a registry", () => {
  it.scoped("is a registry of its own, private, with everything that was there", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      const store = yield* sqlitePrograms(home)();
      yield* beginOne(store, "build", 1);
      const before = yield* told(store);
      const other = yield* temporaryDirectory;
      const umask = process.umask(0);
      yield* SqliteRegistry.backup({ home, to: fileOf(other) });
      process.umask(umask);
      expect(fs.readdirSync(other)).toEqual(["registry.db"]);
      expect(fs.statSync(fileOf(other)).mode & 0o777).toBe(0o600);
      const copied = yield* sqlitePrograms(other)();
      expect(yield* told(copied)).toBe(before);
      yield* beginOne(copied, "more", 2);
      expect([yield* told(store), (yield* told(copied)) === before]).toEqual([before, false]);
    }),
  );

  it.scoped("is made while another program is in the middle of a write, and has none of it", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      const store = yield* sqlitePrograms(home)();
      yield* beginOne(store, "build", 1);
      const before = yield* told(store);
      const writer = new Sqlite(fileOf(home));
      writer.exec("BEGIN IMMEDIATE; UPDATE incarnations SET state = 'running'");
      const to = fileOf(yield* temporaryDirectory);
      yield* SqliteRegistry.backup({ home, to });
      writer.exec("COMMIT");
      writer.close();
      const copied = yield* sqlitePrograms(path.dirname(to))();
      expect(yield* told(copied)).toBe(before);
    }),
  );

  it.scoped("is not made over anything, of nothing, or of what is damaged", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      const to = path.join(yield* temporaryDirectory, "copy");
      const failure = Effect.map(Effect.flip(SqliteRegistry.backup({ home, to })), (e) => e._tag);
      expect(yield* failure).toBe("RegistryUnavailable");
      yield* Effect.scoped(
        Effect.flatMap(sqlitePrograms(home)(), (store) => beginOne(store, "build", 1)),
      );
      fs.writeFileSync(to, "a note");
      expect([yield* failure, fs.readFileSync(to, "utf8")]).toEqual([
        "RegistryUnavailable",
        "a note",
      ]);
      fs.rmSync(to);
      fs.truncateSync(fileOf(home), 20_000);
      expect([yield* failure, fs.readdirSync(path.dirname(to))]).toEqual(["RegistryCorrupt", []]);
    }),
  );
});
