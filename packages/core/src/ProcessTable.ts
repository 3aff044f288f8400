/**
 * ProcessTable: the port to the processes of this machine.
 *
 * A zombie counts as gone: it runs nothing and holds nothing. A process is known by its
 * `ProcessId`, so a pid that the kernel gave to another process is never signalled. Not for
 * starting processes.
 */
import { Context, type Effect } from "effect";
import type { IncarnationId, ProcessId, TerminalId } from "./Identity.js";
import type { LookupFailed } from "./SessionError.js";

/**
 * One living process. `program` is the kernel's short name of it (at most 15 bytes), which any
 * program may choose; `tmuxServer` rests on the executable too, and is not what a server forked
 * that has not become its program yet.
 */
export interface ProcessEntry {
  readonly id: ProcessId;
  readonly parent: number;
  /** The kernel's session that it is in, by its leader's pid; a pane's program leads its own. */
  readonly processSession: number;
  readonly program: string;
  readonly tmuxServer: boolean;
  /** Whether it has a handler of its own for SIGTERM. */
  readonly catchesTerm: boolean;
}

/**
 * Signals that troupe sends. CHLD only to a tmux server, which then reaps; USR1 only to our own,
 * which then listens at its socket again.
 */
export type Signal = "TERM" | "KILL" | "CHLD" | "USR1";

/** The processes of this machine. */
export class ProcessTable extends Context.Tag("@troupe/core/ProcessTable")<
  ProcessTable,
  {
    /** This boot of the machine, and where its pids are counted; as in `ProcessId`. */
    readonly bootId: Effect.Effect<string, LookupFailed>;
    /** The pid of the program that asks; it and the tmux servers are never victims. */
    readonly ownPid: number;
    /** The living process with this pid, or `null` when there is positively none. */
    readonly look: (pid: number) => Effect.Effect<ProcessEntry | null, LookupFailed>;
    /** Every living process. Ones that end while it is read may be missing. */
    readonly snapshot: Effect.Effect<ReadonlyArray<ProcessEntry>, LookupFailed>;
    /**
     * Those of these pids whose environment carries the mark of this incarnation, and of this
     * terminal of it unless that is `null`, where it can be read.
     */
    readonly marked: (
      incarnation: IncarnationId,
      terminal: TerminalId | null,
      among: ReadonlyArray<number>,
    ) => Effect.Effect<ReadonlyArray<number>, LookupFailed>;
    /**
     * Sends the signal if this very process still lives; one that is gone is success, a refusal
     * by the kernel is `LookupFailed`. The look and the signal are two system calls: a pid that
     * is reused between them is hit, which needs the whole pid space to pass by in microseconds.
     */
    readonly signal: (id: ProcessId, signal: Signal) => Effect.Effect<void, LookupFailed>;
  }
>() {}
