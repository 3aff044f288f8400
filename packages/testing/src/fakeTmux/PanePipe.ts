/**
 * PanePipe: a command that reads the output of a pane, as far as the fake has it: what was written
 * to it, and how long ago that was. It starts no program.
 *
 * Mutable; owned by the machine, and there for as long as that: what was recorded outlives a pane.
 */
import type { FakeProcess } from "./ProcessTree.js";

/** What of a pane it reads, and by what. */
interface Reading {
  readonly paneId: string;
  readonly command: string;
  readonly process: FakeProcess;
  /** Whether what a program of the pane prints goes to it. */
  readonly reads: boolean;
}

/** One pipe. */
export class PanePipe {
  readonly paneId: string;
  readonly command: string;
  readonly process: FakeProcess;
  readonly reads: boolean;
  output = "";
  open = true;
  private writtenAt: number;

  constructor(
    { command, paneId, process, reads }: Reading,
    /** The time of the machine, in milliseconds. */
    private readonly now: () => number,
  ) {
    this.paneId = paneId;
    this.command = command;
    this.process = process;
    this.reads = reads;
    this.writtenAt = now();
  }

  /** Takes what was printed, if it reads that. */
  take(text: string): void {
    if (!this.reads) return;
    this.output += text;
    this.writtenAt = this.now();
  }

  /** How long ago something was written, or else it was opened. */
  get silentMs(): number {
    return this.now() - this.writtenAt;
  }
}
