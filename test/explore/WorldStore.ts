/**
 * WorldStore: what remembers in a session world: the registry in memory, or the real one in SQLite,
 * with a home, a connection and a lock of its own for each program.
 *
 * Whoever looks at it at the end is nobody's program. A program of a world with crashes has its
 * registry in memory: of a connection in this process the kernel cannot let go.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryStore, Registry, type SessionEvent, type SessionRecord } from "@troupe/core";
import { SqliteRegistry } from "@troupe/sqlite";
import { CountedIds, Explore } from "@troupe/testing";
import { Context, Effect, Layer, type Scope } from "effect";
import { ownProcess } from "./OwnProcess.js";

/** What is remembered at one moment. */
export interface Remembered {
  readonly records: ReadonlyArray<SessionRecord>;
  readonly events: ReadonlyArray<SessionEvent>;
  /** Who holds a claim and may live. */
  readonly heldBy: ReadonlyArray<string>;
}

/** One home's memory. */
export interface WorldStore {
  readonly registry: (owner: string) => Layer.Layer<Registry>;
  readonly crashed: (owner: string) => Effect.Effect<void>;
  readonly remembered: Effect.Effect<Remembered>;
}

/** In memory. */
export const memoryStore: Effect.Effect<WorldStore> = Effect.map(MemoryStore.make, (store) => ({
  registry: (owner) => Registry.layerMemory(store, { owner }),
  crashed: (owner) => store.declare(owner, "dead"),
  remembered: Effect.sync(() => ({
    records: [...store.records.values()],
    events: store.events,
    // A claim of a program that crashed is proof of its death to whoever wants it next.
    heldBy: [...store.claims.values()].flatMap(({ owner }) =>
      owner !== null && store.owners.get(owner) !== "dead" ? [owner] : [],
    ),
  })),
}));

const emptyHome = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "tr-"))),
  (home) => Effect.sync(() => rmSync(home, { recursive: true, force: true })),
);

/** In SQLite, in a directory that goes with the scope. */
export const sqliteStore: Effect.Effect<WorldStore, never, Scope.Scope> = Effect.map(
  emptyHome,
  (home) => {
    const registry = (owner: string) =>
      Layer.provide(
        SqliteRegistry.layer({ home, host: "host" }),
        Layer.merge(ownProcess, CountedIds.layer(owner)),
      );
    const looked = Layer.build(registry("look")).pipe(
      Effect.flatMap((built) => {
        const { events, history } = Context.get(built, Registry);
        return Effect.all({ known: history(null), log: events(0, 10_000) });
      }),
      Effect.map(
        ({ known: { records }, log }): Remembered => ({
          records,
          events: log.events,
          heldBy: records.flatMap(({ claim }) =>
            claim.owner !== null && claim.holder !== "dead" ? [claim.owner] : [],
          ),
        }),
      ),
      Effect.scoped,
      Effect.orDie,
    );
    return {
      registry,
      crashed: () => Effect.dieMessage("a program on SQLite cannot crash here"),
      remembered: Explore.quietly(looked),
    };
  },
);
