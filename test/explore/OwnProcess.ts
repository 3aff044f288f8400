/**
 * OwnProcess: a process table with one process, that of the programs of a world themselves: what a
 * registry in SQLite asks for its own name, where the machine of the world is a fake.
 */
import { type ProcessEntry, ProcessTable } from "@troupe/core";
import { Effect, Layer } from "effect";

/** The one process. */
export const ownEntry: ProcessEntry = {
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
  look: () => Effect.succeed(ownEntry),
  snapshot: Effect.succeed([ownEntry]),
  marked: () => Effect.succeed([]),
  signal: () => Effect.void,
});
