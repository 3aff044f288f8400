/**
 * ProcessTree: the processes of the fake machine, with parents, terminals and signals.
 *
 * A process that ended stays a zombie until its parent reaps it; one whose parent is gone is taken
 * by pid 1 and disappears at once. A pid is given again only where that is asked for.
 */
import { outsideTheModel } from "./OutsideTheModel.js";
import type { Timers } from "./Timers.js";

/** Signals that a program of the fake may meet. */
export type SignalName = "HUP" | "INT" | "TERM" | "KILL" | "CHLD" | "USR1";

const numbers: Record<SignalName, number> = {
  HUP: 1,
  INT: 2,
  KILL: 9,
  USR1: 10,
  TERM: 15,
  CHLD: 17,
};

/** The kernel's number of a signal. */
export const signalNumber = (signal: SignalName): number => numbers[signal];

/** A name that no type has seen, as one of a script, may be none. */
export const checkSignal = (signal: string): void => {
  if (Object.hasOwn(numbers, signal)) return;
  outsideTheModel(`the signal ${signal} (only ${Object.keys(numbers).join(", ")})`);
};

/** How a process ended. */
export type ProcessEnd =
  | { readonly _tag: "Exited"; readonly code: number }
  | { readonly _tag: "Signalled"; readonly signal: SignalName };

/** One process. */
export class FakeProcess {
  state: "running" | "zombie" | "gone" = "running";
  /** In a call of the kernel that no signal ends, as on a disk that does not answer. */
  stuck = false;
  end: ProcessEnd | null = null;
  /** The process group: those of the terminal's foreground are what Ctrl-C interrupts. */
  group: number;
  /** What it does with a signal in place of ending. */
  readonly handlers = new Map<SignalName, "ignore" | (() => void)>();
  /** Called once, when the process has ended. */
  readonly ended: Array<(end: ProcessEnd) => void> = [];

  constructor(
    readonly pid: number,
    public parent: number,
    /** The pid of the leader of its kernel session: those get HUP with their terminal. */
    readonly leader: number,
    /** In clock ticks of a hundredth of a second since boot. */
    readonly startTicks: number,
    /** The kernel's short name. */
    public program: string,
    readonly environment: ReadonlyMap<string, string>,
  ) {
    this.group = pid;
  }
}

/** What a new process is made of. `leads` makes it the leader of a kernel session of its own. */
export interface NewProcess {
  /** One that was given before, and is free; else the next. */
  readonly pid?: number | undefined;
  readonly parent: number;
  readonly leader: number | null;
  readonly program: string;
  readonly environment: ReadonlyMap<string, string>;
}

const tickMs = 10;

/** All processes of one machine. */
export class ProcessTree {
  private readonly processes = new Map<number, FakeProcess>();

  constructor(
    private readonly timers: Timers,
    private readonly bootedAt: number,
    private nextPid: number,
  ) {}

  spawn(request: NewProcess): FakeProcess {
    const pid = request.pid ?? this.nextPid++;
    if (this.processes.has(pid)) outsideTheModel(`the pid ${pid} for another process`);
    // The kernel goes through all pids before one is given again.
    const later = request.pid === undefined ? 0 : 1;
    const ticks = Math.floor((this.timers.now - this.bootedAt) / tickMs) + later;
    const process = new FakeProcess(
      pid,
      request.parent,
      request.leader ?? pid,
      ticks,
      request.program.slice(0, 15),
      request.environment,
    );
    const parent = request.leader === null ? undefined : this.processes.get(request.parent);
    if (parent !== undefined) process.group = parent.group;
    this.processes.set(pid, process);
    return process;
  }

  /** A pid for a process that is gone before anybody could look. */
  reservePid(): number {
    return this.nextPid++;
  }

  /** A process that nobody sees, for a server that is only thought of. */
  draft(program: string): FakeProcess {
    return new FakeProcess(0, 0, 0, 0, program, new Map());
  }

  /** The process with this pid, zombies included. */
  find(pid: number): FakeProcess | null {
    return this.processes.get(pid) ?? null;
  }

  /** Every process that is not gone. */
  all(): ReadonlyArray<FakeProcess> {
    return [...this.processes.values()];
  }

  /** Those that run, by pid. */
  running(): ReadonlyArray<FakeProcess> {
    return [...this.processes.values()].filter(({ state }) => state === "running");
  }

  childrenOf(pid: number): ReadonlyArray<FakeProcess> {
    return [...this.processes.values()].filter(({ parent }) => parent === pid);
  }

  /** Delivers a signal. A zombie has nothing to deliver to. */
  signal(process: FakeProcess, signal: SignalName): void {
    checkSignal(signal);
    if (process.state !== "running" || process.stuck) return;
    const handler = signal === "KILL" ? undefined : process.handlers.get(signal);
    if (handler === "ignore") return;
    if (handler !== undefined) handler();
    else if (signal !== "CHLD") this.finish(process, { _tag: "Signalled", signal });
  }

  /** HUP for everything of a kernel session whose terminal went away. */
  hangUp(leader: number): void {
    for (const process of this.running()) {
      if (process.leader === leader) this.signal(process, "HUP");
    }
  }

  /** Ends a process; its children go to pid 1. */
  finish(process: FakeProcess, end: ProcessEnd): void {
    if (process.state !== "running") return;
    process.state = "zombie";
    process.end = end;
    for (const child of this.childrenOf(process.pid)) {
      child.parent = 1;
      if (child.state === "zombie") this.reap(child);
    }
    for (const ended of process.ended.splice(0)) ended(end);
    const parent = this.processes.get(process.parent);
    if (parent === undefined || !parent.program.startsWith("tmux")) this.reap(process);
  }

  /** The parent waited for it: nothing is left. */
  reap(process: FakeProcess): void {
    if (process.state !== "zombie") return;
    process.state = "gone";
    this.processes.delete(process.pid);
  }
}
