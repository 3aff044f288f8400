/**
 * Leaving: how the process ends: everything that it has to say is written, then it exits.
 *
 * A reader that went away is no failure. One that does not read is waited for, unless somebody said
 * to end, and then not for long. Node ends with an abort when it puts back the settings of a
 * terminal that is gone (20.19), so it is not let to see one. For the one process that calls it.
 */
import { closeSync, openSync } from "node:fs";
import { isatty } from "node:tty";
import type { Answer } from "./Answer.js";
import type { Stop } from "./Program.js";

/** How long somebody who reads what is written may take, once somebody said to end. */
const PATIENCE_MS = 1_000;

/** Those of standard input, output and error that are terminals. */
const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));

/** Ends the process. */
const exit = (code: number): void => {
  for (const descriptor of terminals) {
    if (isatty(descriptor)) continue;
    closeSync(descriptor);
    // It gets the lowest number that is free, which is that of the one that was closed.
    openSync("/dev/null", "r+");
  }
  process.exit(code);
};

/** What a signal makes of the exit code, where it comes when the command has ended. */
const codeOf = (signal: Stop): number => (signal === "SIGINT" ? 130 : 143);

/** Mutable; of this process. */
export class Leaving {
  private stop: Stop | null = null;
  private writes = false;
  private refusal: string | null = null;
  private code = 0;

  /** Whether the first signal has come, or the reader of standard output has gone. */
  get isTold(): boolean {
    return this.stop !== null;
  }

  /** Somebody says to end; the second who says so does not wait for a reader. */
  tell(signal: Stop): void {
    const again = this.stop !== null;
    this.stop ??= signal;
    if (!this.writes || signal === "unread") return;
    if (again) exit(this.code);
    else this.hurry(codeOf(signal));
  }

  /** Standard output takes nothing any more; `code` is why. What that is told as, if anything. */
  broken(code: string): Stop {
    // A terminal that is gone says so before the signal does.
    if (code === "EIO" && terminals.includes(1)) return "SIGHUP";
    if (code !== "EPIPE" && code !== "ERR_STREAM_DESTROYED") this.refusal = code;
    return "unread";
  }

  /** Writes the answer whole, then ends the process. */
  finish({ exit: code, stderr, stdout }: Answer): void {
    process.exitCode = code;
    this.code = code;
    this.writes = true;
    if (this.stop !== null && this.stop !== "unread") this.hurry(code);
    if (stderr !== "") process.stderr.write(stderr);
    process.stdout.write(stdout, (error) => {
      if (error && "code" in error) this.broken(String(error.code));
      if (this.refusal === null) return exit(code);
      const why = `troupe: standard output could not be written to: ${this.refusal}\n`;
      process.stderr.write(why, () => exit(code === 0 ? 1 : code));
    });
  }

  private hurry(code: number): void {
    this.code = code;
    setTimeout(exit, PATIENCE_MS, code);
  }
}
