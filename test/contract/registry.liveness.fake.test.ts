/**
 * Whether the holder of a claim lives, as a second program on the home finds out.
 *
 * The lock is the kernel's and real; two layers in one process are two programs. Where the lock
 * file is gone, the table of processes answers, and that is a fake.
 */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "@effect/vitest";
import type { Claim, ProcessTable } from "@troupe/core";
import { parseOwner } from "@troupe/sqlite";
import Sqlite from "better-sqlite3";
import { Effect, Fiber, Option, TestClock } from "effect";
import {
  begin,
  build,
  incarnation,
  living,
  type ProgramOptions,
  processTable,
  sqlitePrograms,
  take,
  temporaryDirectory,
} from "./registryHomes.js";

const host = "host-1";
const holderProcesses = processTable([living(1000, 50)]);

/** A home whose session is claimed by a program that ended, with its lock file removed. */
const withoutLock = (options: ProgramOptions = {}) =>
  Effect.gen(function* () {
    const home = yield* temporaryDirectory;
    const program = sqlitePrograms(home);
    const claim = yield* Effect.scoped(
      Effect.gen(function* () {
        const store = yield* program({ host, processes: holderProcesses, ...options });
        const first = yield* take(store);
        yield* store.commit(first, incarnation(1), [begin], { release: true });
        return yield* take(store);
      }),
    );
    fs.rmSync(path.join(home, "locks"), { recursive: true });
    return { claim, program };
  });

/** What a program with this table tells of the holder, and whether it gets the claim. */
const judged = (holder: ProgramOptions, processes: ProcessTable["Type"], own = host) =>
  Effect.gen(function* () {
    const { program } = yield* withoutLock(holder);
    const reader = yield* program({ host: own, processes });
    const record = Option.getOrThrow(yield* reader.get(build));
    const got = yield* Effect.either(take(reader));
    return [record.claim.holder, got._tag === "Right" ? "taken" : got.left._tag];
  });

// The judge must find itself in its table to have a name.
const others = (...entries: ReadonlyArray<ReturnType<typeof living>>) =>
  ({ ...processTable([...entries, living(2000, 60)]), ownPid: 2000 }) as const;

describe("a holder whose lock file is gone", () => {
  it.scoped("is alive while its very process is there", () =>
    Effect.gen(function* () {
      expect(yield* judged({}, others(living(1000, 50)))).toEqual(["alive", "Busy"]);
    }),
  );

  it.scoped("is dead when there is no such process, or another with its pid", () =>
    Effect.gen(function* () {
      expect(yield* judged({}, others())).toEqual(["dead", "taken"]);
      expect(yield* judged({}, others(living(1000, 51)))).toEqual(["dead", "taken"]);
    }),
  );

  it.scoped("is dead when it is of another boot of this host", () =>
    Effect.gen(function* () {
      const table = { ...others(living(1000, 50)), bootId: Effect.succeed("boot-2") };
      expect(yield* judged({}, table)).toEqual(["dead", "taken"]);
    }),
  );

  it.scoped("is unknown on another host, and that counts as alive", () =>
    Effect.gen(function* () {
      expect(yield* judged({}, others(), "host-2")).toEqual(["unknown", "Busy"]);
    }),
  );

  it.scoped("is unknown when its process cannot be looked at, and that counts as alive", () =>
    Effect.gen(function* () {
      const table = { ...processTable([living(2000, 60)], [1000]), ownPid: 2000 };
      expect(yield* judged({}, table)).toEqual(["unknown", "Busy"]);
    }),
  );
});

describe("a claim of a dead holder", () => {
  it.scoped("is taken from nobody who took it first, while whoever lives was asked", () =>
    Effect.gen(function* () {
      const { program } = yield* withoutLock();
      const alive = [living(2000, 60), living(3000, 70)];
      const third = yield* program({ processes: { ...processTable(alive), ownPid: 3000 } });
      const table = processTable(alive);
      const taken: Array<Claim> = [];
      const takes = Effect.map(Effect.orDie(take(third)), (claim) => void taken.push(claim));
      // The second is told of a death that the third has made use of by then.
      const look = (pid: number) =>
        Effect.suspend(() =>
          Effect.zipRight(taken.length === 0 ? takes : Effect.void, table.look(pid)),
        );
      const own = Effect.succeed(living(2000, 60));
      const second = yield* program({
        processes: { ...table, ownPid: 2000, look: (pid) => (pid === 2000 ? own : look(pid)) },
      });
      const refused = yield* Effect.flip(take(second));
      expect(refused).toMatchObject({ reason: "claimed", holder: taken[0]?.owner });
      yield* third.release(taken[0] as Claim, { fenceDue: false });
      expect((yield* take(second)).epoch).toBe(4);
    }),
  );
});

describe("a holder whose lock is there", () => {
  it.scoped("is alive while it is held, whatever the table of processes says", () =>
    Effect.gen(function* () {
      const program = sqlitePrograms(yield* temporaryDirectory);
      const held = yield* take(yield* program({ host, processes: holderProcesses }));
      for (const other of [host, "host-2"]) {
        const store = yield* program({ host: other, processes: others() });
        expect(yield* Effect.flip(take(store))).toMatchObject({ holder: held.owner });
      }
    }),
  );

  it.scoped("is dead when it is free, whatever the table of processes says", () =>
    Effect.gen(function* () {
      const program = sqlitePrograms(yield* temporaryDirectory);
      yield* Effect.scoped(Effect.flatMap(program({ host: "host-2" }), take));
      const next = yield* take(yield* program());
      expect(next.fenceDue).toBe(true);
    }),
  );

  it.scoped("is unknown when the lock cannot be looked at, and that counts as alive", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      const program = sqlitePrograms(home);
      const held = yield* Effect.scoped(Effect.flatMap(program(), take));
      const lock = path.join(home, "locks", `${held.owner}.lock`);
      fs.rmSync(lock);
      fs.mkdirSync(lock);
      const store = yield* program({ processes: others() });
      expect((yield* Effect.flip(take(store)))._tag).toBe("Busy");
    }),
  );

  it.scoped("is not disturbed by many who look at once", () =>
    Effect.gen(function* () {
      const program = sqlitePrograms(yield* temporaryDirectory);
      yield* take(yield* program());
      const other = yield* program();
      const looks = Effect.replicateEffect(Effect.flip(take(other)), 20);
      const tags = (yield* looks).map(({ _tag }) => _tag);
      expect(new Set(tags)).toEqual(new Set(["Busy"]));
    }),
  );
});

describe("the name of a program", () => {
  it.scoped("tells host, boot, pid, start time and a nonce, and is a file name", () =>
    Effect.gen(function* () {
      const program = sqlitePrograms(yield* temporaryDirectory);
      const { owner } = yield* take(yield* program({ host: "web 1/é" }));
      expect(parseOwner(owner)).toEqual({
        host: "web-1--",
        process: { pid: 1000, startTime: 50, bootId: "boot-1" },
        nonce: "counted-1",
      });
      expect(owner).toMatch(/^[A-Za-z0-9.,-]+$/);
    }),
  );

  it("that is not one of ours is not understood", () => {
    for (const text of ["", "a", "h,b,1,2", "h,b,x,2,n", "h,b,1,2,n,m", "../h,b,1,2,n"]) {
      expect(parseOwner(text)).toBeNull();
    }
  });

  it.scoped("is not given while the program's own process cannot be looked at", () =>
    Effect.gen(function* () {
      const home = path.join(yield* temporaryDirectory, "home");
      const store = yield* sqlitePrograms(home)({ processes: processTable([], [1000]) });
      expect((yield* Effect.flip(take(store)))._tag).toBe("RegistryUnavailable");
      expect(fs.existsSync(home)).toBe(false);
    }),
  );

  it.scoped("is given although somebody looks at the lock at that moment", () =>
    Effect.gen(function* () {
      const home = yield* temporaryDirectory;
      const locks = path.join(home, "locks");
      fs.mkdirSync(locks);
      const lock = path.join(locks, "host-1,boot-1,1000,50,counted-1.lock");
      fs.writeFileSync(lock, "");
      const looker = new Sqlite(lock);
      looker.exec("BEGIN");
      looker.prepare("SELECT count(*) FROM sqlite_schema").all();
      const fiber = yield* Effect.fork(Effect.flatMap(sqlitePrograms(home)(), take));
      yield* TestClock.adjust("1 second");
      expect(Option.isNone(yield* fiber.poll)).toBe(true);
      looker.close();
      yield* TestClock.adjust("100 millis");
      expect((yield* Fiber.join(fiber)).epoch).toBe(1);
    }),
  );
});
