/**
 * OwnProcess: a process table with one process, that of the programs of a world themselves: what a
 * registry in SQLite asks for its own name, where the machine of the world is a fake.
 */
import { ProcessTable } from "@troupe/core";
import { Effect, Layer } from "effect";

const own = {
  id: { pid: 1, startTime: 1, bootId: "boot" },
  parent: 0,
  program: "node",
  tmuxServer: false,
  processSession: 1,
  catchesTerm: false,
};

/** The table. */
export const ownProcess = Layer.succeed(ProcessTable, {
  ownPid: 1,
  bootId: Effect.succeed("boot"),
  look: () => Effect.succeed(own),
  snapshot: Effect.succeed([own]),
  marked: () => Effect.succeed([]),
  signal: () => Effect.void,
});
