/**
 * back-up: the registry of a home without its sessions: a copy is made while others write, checked,
 * and read as the registry of another home, as after a disk that was lost.
 *
 * Run it: node examples/dist/back-up.js HOME DIRECTORY. It asks no tmux, and makes no directory.
 */
import { join } from "node:path";
import { Registry } from "@troupe/core";
import { LinuxProcessTable, NodeIds } from "@troupe/node";
import { registryHealth, SqliteRegistry } from "@troupe/sqlite";
import { Effect, Layer } from "effect";

const [, , home = "/tmp/quick", copy = "."] = process.argv;

/** The registry of a home, as any program on it has it. */
const registryOf = (place: string) =>
  SqliteRegistry.layer({ home: place }).pipe(
    Layer.provide(Layer.merge(LinuxProcessTable.layer, NodeIds.layer)),
  );

const names = Effect.gen(function* () {
  const registry = yield* Registry;
  const { records } = yield* registry.list({ ended: true });
  return records.map((row) => `${row.session}: ${row.state}`);
});

const program = Effect.gen(function* () {
  yield* SqliteRegistry.backup({ home, to: join(copy, "registry.db") });
  console.log((yield* registryHealth(copy)).state);
  console.log(yield* Effect.provide(names, registryOf(copy)));
});

Effect.runPromise(program);
