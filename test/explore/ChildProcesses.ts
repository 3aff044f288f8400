/**
 * ChildProcesses: what the programs of a lease world start, and who of it lives: the table of
 * processes and the registry say the same, from one step on.
 *
 * A child lives on when its program dies, and ends when the world says so. Mutable; one for each
 * run.
 */
import {
  childOwner,
  type MemoryStore,
  type ProcessEntry,
  type ProcessId,
  ProcessTable,
} from "@troupe/core";
import { Explore } from "@troupe/testing";
import { Effect, Layer } from "effect";
import { ownEntry } from "./OwnProcess.js";

const BEFORE_FIRST = 100;
const SLOW_MS = 20;

/** The children of all programs. */
export class ChildProcesses {
  private readonly living = new Map<number, ProcessEntry>();
  private last = BEFORE_FIRST;

  /** None as yet; who lives is declared in the store. */
  constructor(
    private readonly store: MemoryStore,
    /** Whether a look may take a while: it tells then how it was when it was begun. */
    private readonly slowLooks = false,
  ) {}

  /** A child that lives from now on. */
  readonly start: Effect.Effect<ProcessId> = Effect.sync(() => {
    this.last += 1;
    const id = { ...ownEntry.id, pid: this.last, startTime: this.last };
    this.living.set(id.pid, { ...ownEntry, id, parent: ownEntry.id.pid, program: "child" });
    return id;
  });

  /** Ends the child that was started as the first, the second and so on; who it was, if it was. */
  end(nth: number): Effect.Effect<ProcessId | null> {
    return Effect.suspend(() => {
      const found = this.living.get(BEFORE_FIRST + nth);
      if (found === undefined) return Effect.succeed(null);
      this.living.delete(found.id.pid);
      return Effect.as(this.store.declare(childOwner(found.id), "dead"), found.id);
    });
  }

  private entryOf(pid: number): ProcessEntry | null {
    return pid === ownEntry.id.pid ? ownEntry : (this.living.get(pid) ?? null);
  }

  private get pause(): Effect.Effect<void> {
    if (!this.slowLooks) return Effect.void;
    return Effect.flatMap(Explore.choose("look", ["at once", "slowly"]), (how) =>
      how === "slowly" ? Effect.sleep(SLOW_MS) : Effect.void,
    );
  }

  /** What every program sees of them. */
  get table(): Layer.Layer<ProcessTable> {
    const table: ProcessTable["Type"] = {
      ownPid: ownEntry.id.pid,
      bootId: Effect.succeed(ownEntry.id.bootId),
      look: (pid) =>
        Effect.tap(
          Effect.sync(() => this.entryOf(pid)),
          () => this.pause,
        ),
      snapshot: Effect.sync(() => [ownEntry, ...this.living.values()]),
      marked: () => Effect.succeed([]),
      signal: () => Effect.void,
    };
    return Layer.succeed(ProcessTable, table);
  }
}
