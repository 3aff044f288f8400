/**
 * WorldStore: what remembers in a session world: the registry in memory, or the real one in SQLite,
 * with a home, a connection and a lock of its own for each program.
 *
 * Whoever looks at it at the end is nobody's program. A program on SQLite that dies loses its lock
 * file, which the kernel would free: of its death only the table of processes tells.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type LeaseRecord,
  MemoryStore,
  ProcessTable,
  Registry,
  type SessionEvent,
  SessionName,
  type SessionRecord,
} from "@troupe/core";
import { SqliteRegistry } from "@troupe/sqlite";
import { CountedIds, Explore } from "@troupe/testing";
import { Context, Effect, Layer, type Scope } from "effect";
import { ownProcess } from "./OwnProcess.js";
import { ProgramProcesses } from "./ProgramProcesses.js";
import { type KeptFiles, noFiles } from "./WorldFiles.js";

/** What is remembered at one moment. */
export interface Remembered {
  readonly records: ReadonlyArray<SessionRecord>;
  readonly events: ReadonlyArray<SessionEvent>;
  /** Who holds a claim and may live. */
  readonly heldBy: ReadonlyArray<string>;
  /** Names that have a row and no claim, which counts their generations. */
  readonly unclaimed: ReadonlyArray<string>;
  readonly leases: ReadonlyArray<LeaseRecord>;
}

/** One home's memory. */
export interface WorldStore {
  readonly registry: (owner: string) => Layer.Layer<Registry>;
  readonly crashed: (owner: string) => Effect.Effect<void>;
  readonly remembered: Effect.Effect<Remembered>;
  /** What is kept beside the rows, in memory whatever the registry is. */
  readonly files: KeptFiles;
}

/** In memory. */
export const memoryStore: Effect.Effect<WorldStore> = Effect.map(MemoryStore.make, (store) => ({
  files: noFiles(),
  registry: (owner) => Registry.layerMemory(store, { owner }),
  crashed: (owner) => store.declare(owner, "dead"),
  remembered: Effect.sync(() => ({
    records: [...store.records.values()],
    events: store.events,
    unclaimed: [...store.records.values()].flatMap(({ session }) =>
      store.claims.has(session) ? [] : [session],
    ),
    // A claim of a program that crashed is proof of its death to whoever wants it next.
    heldBy: [...store.claims.values()].flatMap(({ owner }) =>
      owner !== null && store.owners.get(owner) !== "dead" ? [owner] : [],
    ),
    leases: [...store.leases.values()],
  })),
}));

/** A program's registry in SQLite, in this home; all are one process, unless a table is given. */
export const sqliteIn = (
  home: string,
  owner: string,
  table: Layer.Layer<ProcessTable> = ownProcess,
) =>
  Layer.provide(
    SqliteRegistry.layer({ home, host: "host" }),
    Layer.merge(table, CountedIds.layer(owner)),
  );

/** The lock of a program, if it has one: its name ends with what counts its ids. */
const locksOf = (home: string, owner: string): ReadonlyArray<string> => {
  const locks = join(home, "locks");
  const names = existsSync(locks) ? readdirSync(locks) : [];
  return names.filter((name) => name.endsWith(`,${owner}-0001.lock`)).map((n) => join(locks, n));
};

/** Programs in this home, and what takes one away: what it has open locks nobody out. */
export const mortalsIn = (home: string): Pick<WorldStore, "crashed" | "registry"> => {
  const processes = new ProgramProcesses();
  return {
    registry: (owner) => sqliteIn(home, owner, Layer.succeed(ProcessTable, processes.of(owner))),
    crashed: (owner) =>
      Effect.sync(() => {
        processes.die(owner);
        for (const lock of locksOf(home, owner)) rmSync(lock);
      }),
  };
};

/** In memory where there is such a place: on a disk every run waits for it. */
const IN_MEMORY = "/dev/shm";

const emptyDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), "tr-"))),
  (home) => Effect.sync(() => rmSync(home, { recursive: true, force: true })),
);

const REGISTRY = "registry.db";

/** A database in which nothing was ever written, as the first write of a home makes it. */
const emptyDatabase = Effect.gen(function* () {
  const home = yield* emptyDirectory;
  const { forgetName } = Context.get(yield* Layer.build(sqliteIn(home, "first")), Registry);
  const session = SessionName.make("nobody");
  yield* Effect.exit(forgetName({ session, owner: "nobody", epoch: 1, fenceDue: false }));
  return home;
}).pipe(
  Effect.flatMap((home) => Effect.sync(() => readFileSync(join(home, REGISTRY)))),
  Effect.scoped,
);

let database: Buffer | null = null;

/**
 * A home that was used before, for as long as the scope lasts. Making the database anew for every
 * run would take longer than the run.
 */
export const usedHome = Effect.gen(function* () {
  database ??= yield* emptyDatabase;
  const home = yield* emptyDirectory;
  writeFileSync(join(home, REGISTRY), database, { mode: 0o600 });
  return home;
}).pipe(Explore.quietly);

/** In SQLite, in a directory that goes with the scope. */
export const sqliteStore: Effect.Effect<WorldStore, never, Scope.Scope> = Effect.map(
  usedHome,
  (home) => {
    const mortals = mortalsIn(home);
    const looked = Layer.build(mortals.registry("look")).pipe(
      Effect.flatMap((built) => {
        const { events, history, leases } = Context.get(built, Registry);
        return Effect.all({ known: history(null), log: events(0, 10_000), leases });
      }),
      Effect.map(
        ({ known: { records }, leases, log }): Remembered => ({
          records,
          events: log.events,
          leases,
          // The schema refuses that.
          unclaimed: [],
          heldBy: records.flatMap(({ claim }) =>
            claim.owner !== null && claim.holder !== "dead" ? [claim.owner] : [],
          ),
        }),
      ),
      Effect.scoped,
      Effect.orDie,
    );
    return {
      ...mortals,
      files: noFiles(),
      remembered: Explore.quietly(looked),
    };
  },
);
