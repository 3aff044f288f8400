/**
 * Shell: a line of bash that calls the command, for what only a shell can say: bytes that are no
 * text, pipes that end early, files of the kernel.
 *
 * `$TROUPE` is the command, in the home of the stage.
 */
import { spawn } from "node:child_process";
import { type Stage, troupe } from "./Stage.js";

/** What came of a line. */
export interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the line to its end. */
export const shell = (stage: Stage, line: string): Promise<Said> =>
  new Promise((resolve, reject) => {
    const env = {
      PATH: process.env.PATH,
      TROUPE: troupe,
      TROUPE_HOME: stage.home,
      TROUPE_SOCKET: stage.socket,
      HOME: stage.directory,
      TMPDIR: stage.directory,
    };
    const child = spawn("bash", ["-c", line], {
      ...{ cwd: stage.directory, env, timeout: 40_000 },
      ...{ killSignal: "SIGKILL", stdio: ["ignore", "pipe", "pipe"] },
    });
    const text = { out: "", err: "" };
    child.stdout?.on("data", (data: Buffer) => {
      text.out += data.toString("latin1");
    });
    child.stderr?.on("data", (data: Buffer) => {
      text.err += data.toString("latin1");
    });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...text }));
  });
