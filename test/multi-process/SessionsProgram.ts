/**
 * SessionsProgram: a process that runs `sessionsChild.mjs`, driven over its pipes.
 *
 * A call ends with an answer or with the death of the process. Nothing waits for time: a program is
 * there when it said so, stopped when the kernel says so, and gone when it was taken away.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { stateOf } from "../support/Processes.js";
import type { Stage } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

/** What a call came to; `died` when its program did. */
export interface Answer {
  readonly value?: unknown;
  readonly error?: { readonly _tag: string; readonly [field: string]: unknown };
  readonly defect?: string;
  readonly died?: true;
}

const child = fileURLToPath(new URL("./sessionsChild.mjs", import.meta.url));

/** A program on the home of a stage. */
export class SessionsProgram {
  private readonly process: ChildProcess;
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private last = 0;
  /** Ends when the layer is made; `false` when the process died before. */
  readonly ready: Promise<boolean>;
  /** Ends when the process is gone. */
  readonly gone: Promise<void>;

  constructor({ directory, home, socket }: Stage, settings: object = {}) {
    const words = [child, home, socket, JSON.stringify(settings)];
    this.process = spawn(process.execPath, words, {
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: directory },
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.process.stdin?.on("error", () => {});
    let answered = (_: boolean): void => {};
    this.ready = new Promise((resolve) => {
      answered = resolve;
    });
    this.gone = new Promise((resolve) => {
      this.process.once("close", () => {
        answered(false);
        for (const end of this.waiting.values()) end({ died: true });
        this.waiting.clear();
        resolve();
      });
    });
    createInterface({ input: this.process.stdout ?? process.stdin }).on("line", (text) => {
      const { id, ready, ...answer } = JSON.parse(text);
      if (ready === true) return answered(true);
      this.waiting.get(id)?.(answer);
      this.waiting.delete(id);
    });
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  get isGone(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** Makes the call; ends with its answer. */
  ask(name: string, ...words: ReadonlyArray<unknown>): Promise<Answer> {
    if (this.isGone) return Promise.resolve({ died: true });
    this.last += 1;
    const id = this.last;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.process.stdin?.write(`${JSON.stringify({ id, name, words })}\n`);
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  /** Stops it; ends when it stands still, or is gone. */
  async stop(): Promise<void> {
    this.signal("SIGSTOP");
    await waitFor("the stop", () => this.isGone || ["T", "Z", ""].includes(stateOf(this.pid)));
  }

  /** Lets the layer close; ends when the process is gone. */
  end(): Promise<void> {
    this.process.stdin?.end();
    return this.gone;
  }

  /** Ends it by SIGKILL. */
  kill(): Promise<void> {
    this.signal("SIGKILL");
    return this.gone;
  }
}
