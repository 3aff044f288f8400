/**
 * left: the processes that a place leaves behind, which are those whose HOME is below it, or
 * that were started with a path below it.
 *
 * Tests end their own, so whatever is found is a failure of the place, and is ended.
 */
import { readdirSync, readFileSync } from "node:fs";

const read = (pid, file) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    // It is gone, or is not ours to read.
    return "";
  }
};

/** Ends them; what each was. */
export const endLeft = (directory) =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter(
      (pid) =>
        `\0${read(pid, "environ")}`.includes(`\0HOME=${directory}/t`) ||
        read(pid, "cmdline").includes(`${directory}/t/`),
    )
    .map((pid) => {
      const program = read(pid, "cmdline").replaceAll("\0", " ").trim();
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch (error) {
        if (error.code !== "ESRCH") throw error;
      }
      return `process ${pid} was left: ${program.slice(0, 200)}`;
    });
