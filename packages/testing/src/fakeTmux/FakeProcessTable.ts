/**
 * FakeProcessTable: the port `ProcessTable` over the processes of a fake machine.
 *
 * Every look lets the time of the machine pass first, so a program that is due to end has ended.
 * Zombies are not seen. A signal whose process is gone, or another one by now, does nothing.
 */
import {
  LookupFailed,
  MARK_VARIABLE,
  type ProcessEntry,
  type ProcessTable,
  TERMINAL_VARIABLE,
} from "@troupe/core";
import { Effect } from "effect";
import type { Machine } from "./Machine.js";
import type { ModelTime } from "./ModelTime.js";
import type { FakeProcess } from "./ProcessTree.js";

const entryOf = (machine: Machine, process: FakeProcess): ProcessEntry => ({
  id: { pid: process.pid, startTime: process.startTicks, bootId: machine.settings.bootId },
  parent: process.parent,
  processSession: process.leader,
  program: process.program,
  tmuxServer: process.program.startsWith("tmux: server"),
  catchesTerm: typeof process.handlers.get("TERM") === "function",
});

/** Why the table cannot be read, while a test says so. */
export interface TableTrouble {
  reason: LookupFailed["reason"] | null;
}

/** The port. Every look lets the time of the machine pass first. */
export const fakeProcessTable = (
  machine: Machine,
  time: ModelTime,
  trouble: TableTrouble,
): ProcessTable["Type"] => {
  const look = <A>(attempted: string, read: () => A): Effect.Effect<A, LookupFailed> =>
    Effect.clockWith((clock) =>
      Effect.suspend(() => {
        machine.advance(time.of(clock.unsafeCurrentTimeMillis()));
        const { reason } = trouble;
        if (reason === null) return Effect.succeed(read());
        const detail = "the table of processes cannot be read";
        return new LookupFailed({
          session: null,
          attempted,
          source: "processes",
          reason,
          detail,
        });
      }),
    );
  const find = (pid: number): FakeProcess | null => {
    const process = machine.tree.find(pid);
    return process?.state === "running" ? process : null;
  };
  return {
    bootId: Effect.succeed(machine.settings.bootId),
    ownPid: machine.settings.ownPid,
    look: (pid) =>
      look("look", () => {
        const process = find(pid);
        return process === null ? null : entryOf(machine, process);
      }),
    snapshot: look("snapshot", () =>
      machine.tree.running().map((process) => entryOf(machine, process)),
    ),
    marked: (incarnation, terminal, among) =>
      look("marked", () =>
        machine.tree
          .running()
          .filter(({ pid }) => among.includes(pid))
          .filter(({ environment }) => environment.get(MARK_VARIABLE) === incarnation)
          .filter(
            ({ environment }) =>
              terminal === null || environment.get(TERMINAL_VARIABLE) === terminal,
          )
          .map(({ pid }) => pid),
      ),
    signal: (id, signal) =>
      look("signal", () => {
        const process = find(id.pid);
        if (process === null || process.startTicks !== id.startTime) return;
        if (id.bootId !== machine.settings.bootId) return;
        machine.firstDefect.during(() => {
          machine.tree.signal(process, signal);
          machine.settle();
        });
      }),
  };
};
