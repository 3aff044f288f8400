/**
 * ProgramProcesses: the programs of a home in SQLite as processes of one machine, each with a pid
 * of its own, and gone when it has died.
 *
 * A program whose lock is gone, too, is known by this table alone, so a look at it stands between
 * two transactions of whoever asks: there it is a point, at which others go on. A look at oneself
 * is none. Nothing is ever signalled.
 */
import type { ProcessEntry, ProcessTable } from "@troupe/core";
import { Explore } from "@troupe/testing";
import { Effect } from "effect";
import { ownEntry } from "./OwnProcess.js";

/** The processes of one home. Mutable; one for each run. */
export class ProgramProcesses {
  private readonly pids = new Map<string, number>();
  private readonly dead = new Set<string>();

  /** It is gone from here on. */
  die(owner: string): void {
    this.dead.add(owner);
  }

  /** The table as this program sees it. */
  of(owner: string): ProcessTable["Type"] {
    const ownPid = this.pidOf(owner);
    const look = (pid: number) => Effect.sync(() => this.entries.find(({ id }) => id.pid === pid));
    return {
      ownPid,
      bootId: Effect.succeed(ownEntry.id.bootId),
      look: (pid) =>
        Effect.zipRight(
          pid === ownPid ? Effect.void : Explore.point(`looks whether ${pid} lives`),
          Effect.map(look(pid), (found) => found ?? null),
        ),
      snapshot: Effect.sync(() => this.entries),
      marked: () => Effect.succeed([]),
      signal: () => Effect.dieMessage("no registry sends a signal"),
    };
  }

  private pidOf(owner: string): number {
    const pid = this.pids.get(owner) ?? this.pids.size + 1;
    this.pids.set(owner, pid);
    return pid;
  }

  private get entries(): ReadonlyArray<ProcessEntry> {
    return [...this.pids].flatMap(([owner, pid]) =>
      this.dead.has(owner) ? [] : [{ ...ownEntry, id: { ...ownEntry.id, pid } }],
    );
  }
}
