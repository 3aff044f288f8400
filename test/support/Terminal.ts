/**
 * Terminal: a real terminal for a command line, from `script` of util-linux.
 *
 * What is drawn on it is kept as bytes, in which a test looks for facts. A shell runs the line, so
 * that what is left of the terminal can be asked behind a command with `stty`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { waitFor } from "./Waiting.js";

/** A terminal with a shell line that runs on it. */
export class Terminal {
  private readonly child: ChildProcess;
  private text = "";
  /** The exit code of the line. */
  readonly ended: Promise<number | null>;

  constructor(line: string, environment: Readonly<Record<string, string>>) {
    const env = { PATH: process.env.PATH, TERM: "xterm-256color", ...environment };
    this.child = spawn("script", ["-qefc", line, "/dev/null"], {
      env,
      stdio: ["pipe", "pipe", "pipe"],
      timeout: 40_000,
      killSignal: "SIGKILL",
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on("data", (data: Buffer) => {
        this.text += data.toString("latin1");
      });
    }
    this.ended = new Promise((resolve, reject) => {
      this.child.once("error", reject);
      this.child.once("close", resolve);
    });
  }

  /** Everything that was drawn. */
  get drawn(): string {
    return this.text;
  }

  /** Waits until that was drawn behind what `mark` told before. */
  draws(what: RegExp, mark = 0): Promise<unknown> {
    return waitFor(`${what} on the terminal`, () => what.test(this.text.slice(mark))).catch(
      (error: unknown) => {
        throw new Error(`${String(error)}: ${JSON.stringify(this.text)}`);
      },
    );
  }

  /** Types. */
  type(keys: string): void {
    this.child.stdin?.write(keys);
  }

  /** Ends it, whatever runs on it. */
  close(): void {
    this.child.kill("SIGKILL");
  }
}
