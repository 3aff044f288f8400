/**
 * What killed programs left in a home beside its registry: found, and removed only when it is
 * proven that nobody needs it.
 *
 * The locks are the kernel's; several layers in one process are several programs.
 */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { begin, incarnation, sqlitePrograms, take, temporaryDirectory } from "./registryHomes.js";

/** A directory in which something was being made. */
const halfMade = (home: string, name: string, ...files: ReadonlyArray<string>) => {
  fs.mkdirSync(path.join(home, name));
  for (const file of files) fs.writeFileSync(path.join(home, name, file), "");
};

/** A home with a registry, which no program holds any more. */
const left = Effect.gen(function* () {
  const home = path.join(yield* temporaryDirectory, "home");
  const program = sqlitePrograms(home);
  yield* Effect.scoped(
    Effect.gen(function* () {
      const store = yield* program();
      const claim = yield* take(store);
      yield* store.commit(claim, incarnation(1), [begin], { release: true });
    }),
  );
  return { home, program };
});

const lock = (home: string, owner: string) => path.join(home, "locks", `${owner}.lock`);

describe("leftovers", () => {
  it.scoped("of the dead are told without being touched, and gone when that is asked for", () =>
    Effect.gen(function* () {
      const { home, program } = yield* left;
      const owner = "host-1,boot-1,9,9,dead";
      fs.writeFileSync(lock(home, owner), "");
      halfMade(home, "new-abc", "registry.db", "registry.db-wal");
      halfMade(home, "new-def");
      const store = yield* program();
      const told = [
        { what: `lock of ${owner}`, why: "its program is dead", removable: true },
        { what: "directory new-abc", why: "whoever made it is dead", removable: true },
        { what: "directory new-def", why: "whoever made it is dead", removable: true },
      ];
      expect(yield* store.leftovers({ remove: false })).toEqual(told);
      expect(fs.existsSync(path.join(home, "new-abc", "registry.db"))).toBe(true);
      expect(fs.existsSync(lock(home, owner))).toBe(true);
      expect(yield* store.leftovers({ remove: true })).toEqual(told);
      expect(fs.readdirSync(home).filter((name) => name.startsWith("new-"))).toEqual([]);
      expect(fs.readdirSync(path.join(home, "locks"))).toEqual([]);
      expect(yield* store.leftovers({ remove: true })).toEqual([]);
    }),
  );

  it.scoped("stay while another program lives, whose they may be; its lock is none", () =>
    Effect.gen(function* () {
      const { home, program } = yield* left;
      const living = yield* program();
      const { owner } = yield* take(living);
      halfMade(home, "new-abc", "registry.db");
      halfMade(home, "new-def");
      const store = yield* program();
      const why = `${owner} lives and may need it`;
      const told = ["directory new-abc", "directory new-def"].map((what) => ({
        what,
        why,
        removable: false,
      }));
      expect(yield* store.leftovers({ remove: true })).toEqual(told);
      expect(fs.existsSync(path.join(home, "new-abc", "registry.db"))).toBe(true);
      expect(fs.existsSync(lock(home, owner))).toBe(true);
      const mine = yield* living.leftovers({ remove: true });
      expect(mine.map(({ removable }) => removable)).toEqual([true, true]);
    }),
  );

  it.scoped("that are not of a registry stay: a copy is made without a lock", () =>
    Effect.gen(function* () {
      const { home, program } = yield* left;
      halfMade(home, "new-abc", "copy.db");
      halfMade(home, "copy-def", "registry.db");
      halfMade(home, "copy-ghi");
      const store = yield* program();
      const told = yield* store.leftovers({ remove: true });
      expect(told.map(({ removable }) => removable)).toEqual([false, false, false]);
      expect(fs.existsSync(path.join(home, "new-abc", "copy.db"))).toBe(true);
    }),
  );

  it.scoped("that cannot be looked at are told as that, and never as none", () =>
    Effect.gen(function* () {
      const { home, program } = yield* left;
      const store = yield* program();
      fs.mkdirSync(lock(home, "host-1,boot-1,9,9,odd"));
      halfMade(home, "new-abc", "registry.db");
      const [odd, half] = yield* store.leftovers({ remove: true });
      expect(odd).toMatchObject({ removable: false });
      expect(odd?.why).toMatch(/^it cannot be looked at: SQLITE_[A-Z_]+: /);
      expect(half).toMatchObject({ what: "directory new-abc", removable: false });
      fs.rmSync(path.join(home, "locks"), { recursive: true });
      fs.symlinkSync("locks", path.join(home, "locks"));
      const failure = yield* Effect.flip(store.leftovers({ remove: false }));
      expect(failure).toMatchObject({
        _tag: "RegistryUnavailable",
        attempted: "look for leftovers",
      });
    }),
  );

  it.scoped("of a program that left a claim stay as proof of its death", () =>
    Effect.gen(function* () {
      const { home, program } = yield* left;
      const { owner } = yield* Effect.scoped(Effect.flatMap(program(), take));
      const store = yield* program();
      const why = "its program is dead, and has a claim still";
      const told = [{ what: `lock of ${owner}`, why, removable: false }];
      expect(yield* store.leftovers({ remove: true })).toEqual(told);
      expect(fs.existsSync(lock(home, owner))).toBe(true);
    }),
  );

  it.scoped("of a home that is not there are none, and none is made", () =>
    Effect.gen(function* () {
      const home = path.join(yield* temporaryDirectory, "home");
      const store = yield* sqlitePrograms(home)();
      expect(yield* store.leftovers({ remove: true })).toEqual([]);
      expect(fs.existsSync(home)).toBe(false);
    }),
  );
});
