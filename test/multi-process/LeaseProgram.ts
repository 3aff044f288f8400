/**
 * LeaseProgram: a process that runs `leaseChild.mjs`, and the child that it lends its lease to.
 *
 * It tells facts, which are waited for; a fact that was told before is there at once. What a child
 * of it tells is told by the child's own tag.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { lives } from "../support/Processes.js";
import type { Stage } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

/** What a program tells; each has one of these. */
export interface Fact {
  /** The epoch under which its first line was written. */
  readonly began?: number;
  readonly refused?: { readonly holder: string; readonly pid: number | null };
  /** The process that it lent its lease to. */
  readonly child?: number;
  /** The failure with which its turn ended. */
  readonly ended?: string;
}

const program = fileURLToPath(new URL("./leaseChild.mjs", import.meta.url));

/** A program that writes into a session of a stage. */
export class LeaseProgram {
  private readonly process: ChildProcess;
  private readonly facts: Array<Fact> = [];

  constructor(
    { directory, home, socket }: Stage,
    session: string,
    readonly tag: string,
    { how = "write", tmux = "tmux" }: { how?: "write" | "lend"; tmux?: string } = {},
  ) {
    this.process = spawn(process.execPath, [program, home, socket, session, tag, how, tmux], {
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: directory },
      stdio: ["ignore", "pipe", "inherit"],
    });
    createInterface({ input: this.process.stdout ?? process.stdin }).on("line", (line) => {
      this.facts.push(JSON.parse(line));
    });
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** The first fact of this kind that it, or its child, has told. */
  async told<K extends keyof Fact>(kind: K): Promise<NonNullable<Fact[K]>> {
    const fact = await waitFor(`${this.tag} to have ${kind}`, () =>
      this.facts.find((one) => one[kind] !== undefined),
    );
    return fact[kind] as NonNullable<Fact[K]>;
  }
}

/** Ends a process by SIGKILL; done when it runs no more. */
export const killed = async (pid: number): Promise<void> => {
  process.kill(pid, "SIGKILL");
  await waitFor(`the end of ${pid}`, () => !lives(pid));
};
