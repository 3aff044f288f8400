/**
 * The contract of the registry, on the store in memory and on SQLite.
 *
 * The store in memory runs every case on a virtual clock that nobody moves: if it waited, the case
 * would not end. Programs on one SQLite file may meet and wait, so there time passes.
 */
import { describe, expect, it } from "@effect/vitest";
import { type Change, TerminalId, type TerminalRecord } from "@troupe/core";
import { type RegistryHome, registryContract } from "@troupe/testing";
import { Effect, identity, Option, type Scope, TestClock } from "effect";
import {
  begin,
  build,
  incarnation,
  memoryHome,
  sqliteHome,
  take,
  whileTimePasses,
} from "./registryHomes.js";

// A durable registry waits for the disk, which other tests use at the same time.
const patienceMs = 30_000;

const terminal: TerminalRecord = {
  terminal: TerminalId.make("t1"),
  command: ["sh"],
  windowId: "@1",
  paneId: "%1",
  panePid: 201,
  state: "running",
  exit: null,
};

const hold = (
  what: string,
  home: Effect.Effect<RegistryHome, never, Scope.Scope>,
  run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>,
) =>
  describe(what, () => {
    for (const { holds, name } of registryContract) {
      it.scoped(name, () => run(Effect.flatMap(home, holds)), patienceMs);
    }

    it.scoped("the times of a record and of its events are those of the commits", () =>
      Effect.gen(function* () {
        const { program } = yield* home;
        const store = yield* program;
        const claim = yield* take(store);
        const later = (changes: ReadonlyArray<Change>) =>
          Effect.gen(function* () {
            yield* TestClock.adjust("1 second");
            const written = yield* store.commit(claim, incarnation(1), changes, { release: false });
            expect(Option.getOrThrow(yield* store.get(build))).toEqual(written);
            return written;
          });
        const written = [
          yield* later([begin]),
          yield* later([{ _tag: "Processes", terminal: null, processes: [] }]),
          yield* later([{ _tag: "Terminal", record: terminal }]),
          yield* later([{ _tag: "Move", to: "running", cause: null }]),
          yield* later([]),
        ];
        expect(written.map(({ updatedAt }) => updatedAt)).toEqual([1000, 2000, 3000, 4000, 4000]);
        expect(new Set(written.map(({ createdAt }) => createdAt))).toEqual(new Set([1000]));
        const { events } = yield* store.events(0, 10);
        expect(events.map(({ at }) => at)).toEqual([1000, 3000, 4000]);
      }),
    );
  });

hold("Registry.layerMemory", memoryHome, identity);
hold("SqliteRegistry.layer", sqliteHome, whileTimePasses);
