/**
 * Files of a SQLite home that come between two looks of whoever needs them: another program makes
 * a registry, or begins to, at just that moment.
 *
 * Here it is a look, or a name that is given to a file, behind which they are there. They were
 * written by a program that lives, so what they tell is in the log still.
 */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { Effect, Option } from "effect";
import { vi } from "vitest";
import {
  begin,
  build,
  incarnation,
  sqlitePrograms,
  take,
  temporaryDirectory,
} from "./registryHomes.js";

type Way = "statSync" | "renameSync" | "readdirSync";
type Look = (file: string, ...more: ReadonlyArray<unknown>) => unknown;

/** Runs the work; behind the first file with such an end that node is given, that comes. */
const whenCome = <A, E, R>(
  way: Way,
  end: string,
  comes: () => void,
  work: Effect.Effect<A, E, R>,
) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const real = fs[way] as Look;
      let left = 1;
      const look: Look = (file, ...more) => {
        try {
          return real(file, ...more);
        } finally {
          if (file.endsWith(end) && left-- === 1) comes();
        }
      };
      return vi.spyOn(fs, way).mockImplementation(look as never);
    }),
    () => work,
    (spy) => Effect.sync(() => spy.mockRestore()),
  );

/** Puts a registry with a session into the home, with its log, as another program has it open. */
const registryOfAnother = Effect.gen(function* () {
  const from = yield* temporaryDirectory;
  const store = yield* sqlitePrograms(from)();
  yield* store.commit(yield* take(store), incarnation(1), [begin], { release: true });
  return (home: string) => {
    for (const file of ["registry.db", "registry.db-wal"]) {
      fs.copyFileSync(path.join(from, file), path.join(home, file));
    }
  };
});

describe("a registry that is made at that moment", () => {
  it.scoped("is one, and its log is not that of a lost one", () =>
    Effect.gen(function* () {
      const put = yield* registryOfAnother;
      const home = yield* temporaryDirectory;
      const store = yield* sqlitePrograms(home)();
      const look = whenCome("statSync", "registry.db", () => put(home), store.get(build));
      expect(Option.getOrThrow(yield* look).incarnation).toBe(incarnation(1));
    }),
  );

  it.scoped("keeps its log when a damaged one before it is kept aside", () =>
    Effect.gen(function* () {
      const put = yield* registryOfAnother;
      const home = yield* temporaryDirectory;
      const file = path.join(home, "registry.db");
      fs.writeFileSync(file, "garbage");
      const store = yield* sqlitePrograms(home)();
      const kept = yield* whenCome("renameSync", "registry.db", () => put(home), store.setAside);
      expect(kept).toBe(`${file}.damaged-1`);
      expect(fs.existsSync(`${kept}-wal`)).toBe(false);
      expect(Option.getOrThrow(yield* store.get(build)).incarnation).toBe(incarnation(1));
    }),
  );

  it.scoped("is no leftover, although no lock was there when the locks were looked at", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      const making = path.join(home, "new-abc");
      const store = yield* sqlitePrograms(home)();
      const leftovers = store.leftovers({ remove: true });
      const comes = () => fs.mkdirSync(making);
      expect(yield* whenCome("readdirSync", "locks", comes, leftovers)).toEqual([]);
      expect(fs.existsSync(making)).toBe(true);
    }),
  );
});
