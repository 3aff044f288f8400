/**
 * Files of a SQLite home that go between being seen and being opened.
 *
 * Another program ends, sweeps or sets aside in that moment; here it is the first look at the file
 * that removes it. What is gone is looked at again, and nobody hears that it cannot be used.
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
  living,
  processTable,
  sqlitePrograms,
  take,
  temporaryDirectory,
  whileTimePasses,
} from "./registryHomes.js";

type Look = (file: string, ...more: ReadonlyArray<unknown>) => unknown;

/** Runs the work; the first file with such a name that is given to node is removed behind that. */
const whileRemoved = <A, E, R>(
  name: RegExp,
  work: Effect.Effect<A, E, R>,
  way: "statSync" | "openSync" = "statSync",
) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const real = fs[way] as Look;
      const removed: Array<string> = [];
      const look: Look = (file, ...more) => {
        const found = real(file, ...more);
        if (removed.length === 0 && name.test(file)) {
          fs.unlinkSync(file);
          removed.push(file);
        }
        return found;
      };
      return { removed, spy: vi.spyOn(fs, way).mockImplementation(look as never) };
    }),
    ({ removed }) => Effect.tap(work, () => expect(removed).toHaveLength(1)),
    ({ spy }) => Effect.sync(() => spy.mockRestore()),
  );

/** A home with a session whose claim a program holds that lives, and a table with that program. */
const heldIn = (home: string) =>
  Effect.gen(function* () {
    const program = sqlitePrograms(home);
    const first = yield* program();
    const claim = yield* take(first);
    yield* first.commit(claim, incarnation(1), [begin], { release: false });
    return program;
  });

/** A program at another pid, which sees these processes. */
const other = (...entries: ReadonlyArray<ReturnType<typeof living>>) => ({
  processes: { ...processTable([...entries, living(2000, 60)]), ownPid: 2000 },
});

describe("a file that goes between being seen and being opened", () => {
  for (const way of ["openSync", "statSync"] as const) {
    it.scoped(`costs a lock that a sweep takes for a leftover one attempt, behind ${way}`, () =>
      Effect.gen(function* () {
        const home = yield* temporaryDirectory;
        const store = yield* sqlitePrograms(home)();
        const taken = yield* whileRemoved(/\.lock$/, whileTimePasses(take(store)), way);
        expect(taken.epoch).toBe(1);
        expect(fs.existsSync(path.join(home, "locks", `${taken.owner}.lock`))).toBe(true);
      }),
    );
  }

  it.scoped("leaves it to the table of processes whether the owner of a lock lives", () =>
    Effect.gen(function* () {
      for (const [processes, holder] of [
        [[living(1000, 50)], "alive"],
        [[], "dead"],
      ] as const) {
        const program = yield* heldIn(yield* temporaryDirectory);
        const store = yield* program(other(...processes));
        const record = yield* whileRemoved(/\.lock$/, store.get(build));
        expect(Option.getOrThrow(record).claim.holder).toBe(holder);
      }
    }),
  );

  it.scoped("is no registry to who reads, and a new one to who writes", () =>
    Effect.gen(function* () {
      for (const isRead of [true, false]) {
        // With nobody left who has it open, it has no log that would be without a database.
        const program = yield* Effect.scoped(heldIn(yield* temporaryDirectory));
        const store = yield* program(other());
        const call = isRead
          ? Effect.map(store.get(build), Option.isNone)
          : Effect.map(take(store), ({ epoch }) => epoch === 1);
        expect(yield* whileRemoved(/registry\.db$/, whileTimePasses(call))).toBe(true);
      }
    }),
  );
});
