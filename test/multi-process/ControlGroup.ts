/**
 * ControlGroup: a group of the kernel in which processes are born and ended together, as a unit of
 * systemd is.
 *
 * It has a unit's name, so who is in it takes it for one. Only root may make one, where the kernel
 * has such groups mounted.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { lives } from "../support/Processes.js";
import { waitFor } from "../support/Waiting.js";

const root = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"].find((path) =>
  existsSync(join(path, "cgroup.controllers")),
);

const probe = (): string | null => {
  if (root === undefined) return "no control groups are mounted here";
  try {
    rmdirSync(mkdtempSync(join(root, "tr-")));
    return null;
  } catch (error) {
    return String(error);
  }
};

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

/** Why no group can be made here, or `null`. */
export const ungrouped: string | null = probe();

/** The same signal may have ended it through another that it waited for. */
const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isCode(error, "ESRCH")) throw error;
  }
};

/** One group. */
export class ControlGroup {
  private readonly above = mkdtempSync(join(root ?? "/", "tr-"));
  private readonly path: string;

  constructor(readonly unit: string) {
    this.path = join(this.above, unit);
    mkdirSync(this.path);
  }

  /** What a process writes its pid to that is to be in it. */
  get members(): string {
    return join(this.path, "cgroup.procs");
  }

  /** The living processes in it. */
  get pids(): ReadonlyArray<number> {
    return readFileSync(this.members, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map(Number)
      .filter(lives);
  }

  /** A command that is in it from the beginning, and becomes what follows. */
  get entering(): ReadonlyArray<string> {
    return ["sh", "-c", 'echo $$ > "$0" && exec "$@"', this.members];
  }

  /** Ends what is in it, as a manager stops a unit whose KillMode is control-group. */
  async stop(): Promise<void> {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      for (const pid of this.pids) send(pid, signal);
    }
    await waitFor(`the end of ${this.unit}`, () => this.pids.length === 0);
  }

  /** Removes it, once the last that ended in it has been waited for by its parent. */
  async close(): Promise<void> {
    await this.stop();
    const { path } = this;
    await waitFor(`the removal of ${this.unit}`, () => {
      try {
        rmdirSync(path);
        return true;
      } catch (error) {
        if (isCode(error, "EBUSY")) return null;
        throw error;
      }
    });
    rmdirSync(this.above);
  }
}
