/**
 * The files of a SQLite home: made late, made private, never by a read.
 *
 * The directory is looked at with node, from outside; the permissions must hold under any umask of
 * the program.
 */

import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { type Registry, SessionName } from "@troupe/core";
import { Effect, Exit, Scope } from "effect";
import {
  begin,
  build,
  incarnation,
  sqlitePrograms,
  take,
  temporaryDirectory,
  whileTimePasses,
} from "./registryHomes.js";

const readEverything = (store: Registry["Type"]) =>
  Effect.all([
    store.get(build),
    store.find(incarnation(1)),
    store.list({ ended: true }),
    store.servers,
    store.events(0, 10),
  ]);

/** Runs the effect as a user who may not do everything; root puts itself in nobody's place. */
const asPlainUser = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const { seteuid } = process;
  if (process.geteuid?.() !== 0 || seteuid === undefined) return effect;
  return Effect.acquireUseRelease(
    Effect.sync(() => seteuid(65_534)),
    () => effect,
    () => Effect.sync(() => seteuid(0)),
  );
};

const mode = (file: string): string => (fs.statSync(file).mode & 0o777).toString(8);

describe("reads", () => {
  it.scoped("make nothing where there is no home", () =>
    Effect.gen(function* () {
      const home = path.join(yield* temporaryDirectory, "home");
      yield* Effect.scoped(Effect.flatMap(sqlitePrograms(home)(), readEverything));
      expect(fs.existsSync(home)).toBe(false);
    }),
  );

  it.scoped("make nothing in a home without a registry", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      yield* Effect.scoped(Effect.flatMap(sqlitePrograms(home)(), readEverything));
      expect(fs.readdirSync(home)).toEqual([]);
    }),
  );

  it.scoped("leave a home with a registry as it was, to the byte", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      yield* Effect.scoped(
        Effect.gen(function* () {
          const store = yield* sqlitePrograms(home)();
          const claim = yield* take(store);
          yield* store.commit(claim, incarnation(1), [begin], { release: true });
        }),
      );
      const look = () => [
        fs.readdirSync(home, { recursive: true }),
        fs.readFileSync(path.join(home, "registry.db")),
      ];
      const before = look();
      const told = yield* Effect.scoped(Effect.flatMap(sqlitePrograms(home)(), readEverything));
      expect(told[2].records).toHaveLength(1);
      expect(look()).toEqual(before);
    }),
  );

  it.scoped("fail where the home is a file, which is no home that is not there", () =>
    Effect.gen(function* () {
      const home = path.join(yield* temporaryDirectory, "home");
      fs.writeFileSync(home, "");
      const store = yield* sqlitePrograms(home)();
      expect((yield* Effect.flip(readEverything(store)))._tag).toBe("RegistryUnavailable");
      expect((yield* Effect.flip(take(store)))._tag).toBe("RegistryUnavailable");
      expect(fs.readFileSync(home, "utf8")).toBe("");
    }),
  );
});

describe("what stands at the path", () => {
  it.scoped("and cannot be looked at is not taken for nothing", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      fs.symlinkSync("registry.db", path.join(home, "registry.db"));
      const store = yield* sqlitePrograms(home)();
      expect((yield* Effect.flip(store.get(build)))._tag).toBe("RegistryUnavailable");
      expect((yield* Effect.flip(take(store)))._tag).toBe("RegistryUnavailable");
      expect(fs.readdirSync(home).sort()).toEqual(["locks", "registry.db"]);
    }),
  );
});

describe("a home without permission", () => {
  for (const [what, permissions] of [
    ["may not be entered", 0o000],
    ["may not be written to", 0o555],
  ] as const) {
    it.scoped(`that ${what} is unavailable, and not empty`, () =>
      Effect.gen(function* () {
        const parent = yield* temporaryDirectory;
        const home = path.join(parent, "home");
        yield* Effect.scoped(Effect.flatMap(sqlitePrograms(home)(), take));
        fs.chmodSync(parent, 0o755);
        fs.chmodSync(home, permissions);
        const store = yield* sqlitePrograms(home)();
        const tags = yield* asPlainUser(
          Effect.all([Effect.flip(store.list({ ended: true })), Effect.flip(take(store))]),
        );
        fs.chmodSync(home, 0o700);
        expect(tags.map(({ _tag }) => _tag)).toEqual([
          "RegistryUnavailable",
          "RegistryUnavailable",
        ]);
      }),
    );
  }
});

describe("the first change", () => {
  for (const umask of [0o000, 0o022, 0o077, 0o777]) {
    it.scoped(`makes what it makes private, under a umask of ${umask.toString(8)}`, () =>
      Effect.gen(function* () {
        const home = path.join(yield* temporaryDirectory, "home");
        const store = yield* sqlitePrograms(home)();
        const before = process.umask(umask);
        yield* Effect.ensuring(
          take(store),
          Effect.sync(() => process.umask(before)),
        );
        const [lock] = fs.readdirSync(path.join(home, "locks"));
        const files = ["registry.db", "registry.db-wal", "registry.db-shm", `locks/${lock}`];
        expect(fs.readdirSync(home).sort()).toEqual(["locks", ...files.slice(0, 3)].sort());
        expect([home, path.join(home, "locks")].map(mode)).toEqual(["700", "700"]);
        expect(files.map((file) => mode(path.join(home, file)))).toEqual(files.map(() => "600"));
      }),
    );
  }

  for (const umask of [0o177, 0o277, 0o777]) {
    it.scoped(`is made by a plain user too, under a umask of ${umask.toString(8)}`, () =>
      Effect.gen(function* () {
        const parent = yield* temporaryDirectory;
        fs.chmodSync(parent, 0o777);
        const home = path.join(parent, "home");
        const store = yield* sqlitePrograms(home)();
        const change = Effect.flatMap(take(store), (claim) =>
          store.commit(claim, incarnation(1), [begin], { release: true }),
        );
        const before = process.umask(umask);
        yield* Effect.ensuring(
          asPlainUser(Effect.zipRight(change, store.get(build))),
          Effect.sync(() => process.umask(before)),
        );
        expect(mode(home)).toBe("700");
        expect(mode(path.join(home, "registry.db"))).toBe("600");
      }),
    );
  }

  it.scoped("leaves the permissions of a home that was there", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      fs.chmodSync(home, 0o755);
      yield* take(yield* sqlitePrograms(home)());
      expect(mode(home)).toBe("755");
    }),
  );

  it.scoped("makes the parents of a home that are missing, all of them private", () =>
    Effect.gen(function* () {
      const top = yield* temporaryDirectory;
      const home = path.join(top, "state", "troupe");
      const store = yield* sqlitePrograms(home)();
      yield* take(store);
      const modes = [path.dirname(home), home].map((made) => fs.statSync(made).mode & 0o777);
      expect(modes).toEqual([0o700, 0o700]);
    }),
  );

  it.scoped("is refused while something that is no file stands in the way", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      fs.mkdirSync(path.join(home, "registry.db"));
      const store = yield* sqlitePrograms(home)();
      expect((yield* Effect.flip(take(store)))._tag).toBe("RegistryUnavailable");
      expect((yield* Effect.flip(store.get(build)))._tag).toBe("RegistryUnavailable");
    }),
  );
});

describe("a program", () => {
  it.scoped("opens its files once, also when its first calls come all at once", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      const names = Array.from({ length: 12 }, (_, index) => SessionName.make(`name-${index}`));
      const scope = yield* Scope.make();
      const store = yield* Scope.extend(sqlitePrograms(home)(), scope);
      const claims = yield* Effect.forEach(
        names,
        (name) => Effect.zipRight(store.get(name), take(store, name)),
        { concurrency: "unbounded" },
      ).pipe(Effect.withMaxOpsBeforeYield(20), whileTimePasses);
      expect(new Set(claims.map(({ owner }) => owner)).size).toBe(1);
      yield* Effect.forEach(claims, (claim) => store.release(claim, { fenceDue: false }));
      yield* Scope.close(scope, Exit.void);
      // SQLite removes its log with the last connection: none was forgotten.
      expect(fs.readdirSync(home, { recursive: true }).sort()).toEqual(["locks", "registry.db"]);
    }),
  );

  const locks = (home: string) => fs.readdirSync(path.join(home, "locks"));

  it.scoped("leaves no lock when it ends with its claims released", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      const scope = yield* Scope.make();
      const store = yield* Scope.extend(sqlitePrograms(home)(), scope);
      const claim = yield* take(store);
      expect(locks(home)).toEqual([`${claim.owner}.lock`]);
      yield* store.release(claim, { fenceDue: false });
      yield* Scope.close(scope, Exit.void);
      expect(locks(home)).toEqual([]);
      expect(fs.readdirSync(home).sort()).toEqual(["locks", "registry.db"]);
    }),
  );

  it.scoped("sweeps locks of programs that were killed without a claim, and no other", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      const program = sqlitePrograms(home);
      yield* Effect.scoped(Effect.flatMap(program(), take));
      const [withClaim] = locks(home);
      const lives = yield* program();
      yield* lives.claim(SessionName.make("watch"), { attempted: "test", force: false });
      const [living] = locks(home).filter((name) => name !== withClaim);
      const killed = "host-1,boot-1,77,7,counted-77.lock";
      fs.writeFileSync(path.join(home, "locks", killed), "");
      fs.writeFileSync(path.join(home, "locks", "notes"), "a user's");
      const next = yield* program();
      const claim = yield* next.claim(SessionName.make("other"), { attempted: "x", force: false });
      expect(locks(home).sort()).toEqual(
        [withClaim, living, `${claim.owner}.lock`, "notes"].sort(),
      );
    }),
  );

  it.scoped("leaves its lock, free, as proof while a claim of it is left", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      const program = sqlitePrograms(home);
      const left = yield* Effect.scoped(Effect.flatMap(program(), take));
      expect(locks(home)).toEqual([`${left.owner}.lock`]);
      const next = yield* take(yield* program());
      expect(next.fenceDue).toBe(true);
      expect(locks(home)).toEqual([`${next.owner}.lock`]);
    }),
  );

  it.scoped("finds nothing in a home that was removed, and makes it anew", () =>
    Effect.gen(function* () {
      const home = path.join(yield* temporaryDirectory, "home");
      const store = yield* sqlitePrograms(home)();
      const claim = yield* take(store);
      fs.rmSync(home, { recursive: true });
      expect((yield* store.list({ ended: true })).records).toEqual([]);
      const commit = store.commit(claim, incarnation(1), [begin], { release: true });
      expect((yield* Effect.flip(commit))._tag).toBe("Busy");
      expect((yield* take(store)).epoch).toBe(1);
    }),
  );
});
