/**
 * registryHomes: homes for the tests of the registry: in memory, and SQLite in a directory of its
 * own that goes with the scope.
 *
 * The table of processes knows this one process; identifiers are counted. Nothing here is random
 * and nothing sleeps.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {
  childOwner,
  Ids,
  IncarnationId,
  LookupFailed,
  MemoryStore,
  type ProcessEntry,
  ProcessTable,
  Registry,
  SessionName,
} from "@troupe/core";
import { SqliteRegistry } from "@troupe/sqlite";
import type { RegistryHome } from "@troupe/testing";
import { Context, Effect, Fiber, Layer, Option, type Scope, TestClock } from "effect";

/** Runs the effect while virtual time passes, in small steps, until it ends. */
export const whileTimePasses = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(effect);
    while (Option.isNone(yield* fiber.poll)) yield* TestClock.adjust("20 millis");
    return yield* Fiber.join(fiber);
  });

/** A directory that is removed with the scope. */
export const temporaryDirectory: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "registry-"))),
  (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true })),
);

/** A living process of the boot that the table knows. */
export const living = (pid: number, startTime: number): ProcessEntry => ({
  id: { pid, startTime, bootId: "boot-1" },
  parent: 1,
  program: "node",
  tmuxServer: false,
  processSession: 1,
  catchesTerm: false,
});

/** A table of these processes; a pid in `hidden` cannot be looked at. */
export const processTable = (
  entries: ReadonlyArray<ProcessEntry>,
  hidden: ReadonlyArray<number> = [],
): ProcessTable["Type"] => ({
  bootId: Effect.succeed("boot-1"),
  ownPid: 1000,
  look: (pid) =>
    hidden.includes(pid)
      ? new LookupFailed({
          session: null,
          attempted: "look",
          source: "processes",
          reason: "permission",
          detail: String(pid),
        })
      : Effect.succeed(entries.find((entry) => entry.id.pid === pid) ?? null),
  snapshot: Effect.succeed(entries),
  marked: () => Effect.succeed([]),
  signal: () => Effect.dieMessage("no test of the registry sends a signal"),
});

/** Identifiers that are counted from here on. */
export const countedIds = (): Ids["Type"] => {
  let last = 0;
  return { incarnation: Effect.sync(() => IncarnationId.make(`counted-${++last}`)) };
};

/** Children of programs: one that lives in the table below, and one that is not in it. */
const children = {
  living: { pid: 2000, startTime: 60, bootId: "boot-1" },
  dead: { pid: 2001, startTime: 61, bootId: "boot-1" },
};

/** What a program on a SQLite home is made with, where a test wants it otherwise. */
export interface ProgramOptions {
  readonly host?: string;
  readonly processes?: ProcessTable["Type"];
}

/** Programs on one SQLite home. */
export const sqlitePrograms = (home: string) => {
  const ids = countedIds();
  return (options: ProgramOptions = {}): Effect.Effect<Registry["Type"], never, Scope.Scope> => {
    const { host = "host-1", processes = processTable([living(1000, 50), living(2000, 60)]) } =
      options;
    const ports = Layer.merge(Layer.succeed(ProcessTable, processes), Layer.succeed(Ids, ids));
    const layer = Layer.provide(SqliteRegistry.layer({ home, host }), ports);
    return Effect.map(Layer.build(layer), Context.get(Registry));
  };
};

/** A SQLite home in which nothing was ever written; its directory does not exist. */
export const sqliteHome: Effect.Effect<RegistryHome, never, Scope.Scope> = Effect.map(
  temporaryDirectory,
  (directory) => ({ program: sqlitePrograms(path.join(directory, "home"))(), children }),
);

/** A home in memory. */
export const memoryHome: Effect.Effect<RegistryHome, never, Scope.Scope> = Effect.map(
  MemoryStore.make,
  (store) => {
    let last = 0;
    const program = Effect.suspend(() =>
      Layer.build(Registry.layerMemory(store, { owner: `program-${++last}` })),
    );
    store.owners.set(childOwner(children.living), "alive");
    store.owners.set(childOwner(children.dead), "dead");
    return { program: Effect.map(program, Context.get(Registry)), children };
  },
);

/** The name that most tests use. */
export const build = SessionName.make("build");

/** An incarnation, by number. */
export const incarnation = (number: number): IncarnationId =>
  IncarnationId.make(`incarnation-${number}`);

/** The change that makes an incarnation. */
export const begin = {
  _tag: "Begin",
  spec: {
    command: ["true"],
    cwd: "/",
    envNames: [],
    inheritEnv: false,
    log: true,
    columns: 80,
    rows: 24,
  },
  server: { pid: 1, startTime: 1 },
  requestId: null,
} as const;

/** Takes the claim on a name without force. */
export const take = (store: Registry["Type"], session = build) =>
  store.claim(session, { attempted: "claim", force: false });
