/**
 * Reading a home that cannot be written to: everything that is known, or a failure, never a part.
 *
 * The home is made, closed or copied as somebody leaves it who was killed, and made read-only; then
 * it is read as a user who may not write. SQLite's own files beside the database, there or missing,
 * empty or not, are the cases.
 */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "@effect/vitest";
import type { Registry } from "@troupe/core";
import { Effect } from "effect";
import {
  begin,
  build,
  incarnation,
  sqlitePrograms,
  take,
  temporaryDirectory,
} from "./registryHomes.js";

type Store = Registry["Type"];

const PLAIN_USER = 65_534;

/** Runs the effect as a user to whom permissions matter; root puts itself in nobody's place. */
const asPlainUser = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const { seteuid } = process;
  if (process.geteuid?.() !== 0 || seteuid === undefined) return effect;
  return Effect.acquireUseRelease(
    Effect.sync(() => seteuid(PLAIN_USER)),
    () => effect,
    () => Effect.sync(() => seteuid(0)),
  );
};

const writeTwice = Effect.fnUntraced(function* (store: Store) {
  const claim = yield* take(store);
  yield* store.commit(claim, incarnation(1), [begin], { release: false });
  const move = { _tag: "Move", to: "running", cause: null } as const;
  yield* store.commit(claim, incarnation(1), [move], { release: true });
});

const names = ["registry.db", "registry.db-wal", "registry.db-shm"];

/** The home of a program that has ended, or of one that was killed, with what it left. */
const leftBy = Effect.fnUntraced(function* (how: "ended" | "killed") {
  const parent = yield* temporaryDirectory;
  const [live, home] = [path.join(parent, "live"), path.join(parent, "home")];
  yield* Effect.scoped(
    Effect.gen(function* () {
      const store = yield* sqlitePrograms(live)();
      yield* writeTwice(store);
      if (how === "ended") return;
      fs.mkdirSync(home);
      for (const name of names) fs.copyFileSync(path.join(live, name), path.join(home, name));
    }),
  );
  if (how === "ended") fs.cpSync(live, home, { recursive: true });
  fs.chmodSync(parent, 0o755);
  return home;
});

/** Nobody may write to the home any more until the scope closes; what is read is to be read. */
const freeze = (home: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      for (const name of fs.readdirSync(home)) fs.chmodSync(path.join(home, name), 0o555);
      fs.chmodSync(home, 0o555);
    }),
    () => Effect.sync(() => fs.chmodSync(home, 0o755)),
  );

const everything = (store: Store) =>
  Effect.all({
    one: store.get(build),
    again: store.find(incarnation(1)),
    list: store.list({ ended: true }),
    servers: store.servers,
  });

describe("a home that cannot be written to", () => {
  for (const [what, how, missing] of [
    ["that was closed", "ended", []],
    ["whose program was killed", "killed", []],
  ] as const) {
    it.scoped(`${what} is read as it is, and no write is done`, () =>
      Effect.gen(function* () {
        const home = yield* leftBy(how);
        for (const name of missing) fs.rmSync(path.join(home, name));
        const expected = yield* Effect.scoped(
          Effect.flatMap(sqlitePrograms(path.join(path.dirname(home), "live"))(), everything),
        );
        yield* freeze(home);
        const before = fs.readdirSync(home);
        const store = yield* sqlitePrograms(home)();
        expect(yield* asPlainUser(everything(store))).toEqual(expected);
        expect(expected.list.records).toMatchObject([{ state: "running" }]);
        const write = yield* asPlainUser(Effect.flip(take(store)));
        expect(write._tag).toBe("RegistryUnavailable");
        expect(fs.readdirSync(home)).toEqual(before);
      }),
    );
  }

  it.scoped("and whose log is there without its index is unavailable, never an older state", () =>
    Effect.gen(function* () {
      const home = yield* leftBy("killed");
      fs.rmSync(path.join(home, "registry.db-shm"));
      expect(fs.statSync(path.join(home, "registry.db-wal")).size).toBeGreaterThan(0);
      yield* freeze(home);
      const store = yield* sqlitePrograms(home)();
      const error = yield* asPlainUser(Effect.flip(store.list({ ended: true })));
      expect(error._tag).toBe("RegistryUnavailable");
    }),
  );

  it.scoped("and whose log is empty is read as it is", () =>
    Effect.gen(function* () {
      const home = yield* leftBy("ended");
      fs.writeFileSync(path.join(home, "registry.db-wal"), "");
      yield* freeze(home);
      const store = yield* sqlitePrograms(home)();
      const { records } = yield* asPlainUser(store.list({ ended: true }));
      expect(records).toMatchObject([{ state: "running" }]);
    }),
  );

  it.scoped("is read again each time: what somebody else wrote meanwhile is seen", () =>
    Effect.gen(function* () {
      const home = yield* leftBy("ended");
      const store = yield* sqlitePrograms(home)();
      const states = Effect.map(store.list({ ended: true }), ({ records }) =>
        records.map(({ state }) => state),
      );
      const seen = Effect.scoped(Effect.zipRight(freeze(home), asPlainUser(states)));
      expect(yield* seen).toEqual(["running"]);
      yield* Effect.scoped(
        Effect.gen(function* () {
          const other = yield* sqlitePrograms(home)();
          const move = { _tag: "Move", to: "lost", cause: "vanished" } as const;
          const claim = yield* take(other);
          yield* other.commit(claim, incarnation(1), [move], { release: true });
        }),
      );
      expect(yield* seen).toEqual(["lost"]);
    }),
  );

  it.scoped("with a damaged database is corrupt, and one that nobody may read unavailable", () =>
    Effect.gen(function* () {
      const home = yield* leftBy("ended");
      const file = path.join(home, "registry.db");
      const store = yield* sqlitePrograms(home)();
      const tag = asPlainUser(Effect.flip(store.list({ ended: true })));
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* freeze(home);
          fs.chmodSync(file, 0o000);
          expect((yield* tag)._tag).toBe("RegistryUnavailable");
        }),
      );
      fs.chmodSync(file, 0o644);
      fs.writeFileSync(file, "garbage".repeat(2000));
      yield* freeze(home);
      expect((yield* tag)._tag).toBe("RegistryCorrupt");
    }),
  );
});
