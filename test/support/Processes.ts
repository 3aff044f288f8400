/**
 * Processes: what a test may know of the processes on this machine, from /proc.
 *
 * A process belongs to a stage when its environment has the stage's directory as HOME; the tests
 * look for and end processes by that, and by nothing else.
 */
import { readdirSync, readFileSync } from "node:fs";

const pids = (): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number);

/** A file of a process; empty when the process is gone or is not ours to read. */
const processFile = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
};

const isZombie = (pid: number): boolean =>
  / Z /.test(processFile(pid, "stat").replace(/^.*\)/, ""));

/** Whether the process runs: a zombie does not. */
export const lives = (pid: number): boolean => processFile(pid, "stat") !== "" && !isZombie(pid);

/** The words of every process's command line that has the text in it. */
export const commandLinesWith = (text: string): ReadonlyArray<string> =>
  pids()
    .map((pid) => processFile(pid, "cmdline").replaceAll("\0", " "))
    .filter((line) => line.includes(text));

/** The living processes that have the directory as HOME. */
export const processesOf = (directory: string): ReadonlyArray<number> =>
  pids().filter(
    (pid) => `\0${processFile(pid, "environ")}`.includes(`\0HOME=${directory}\0`) && lives(pid),
  );

/** Ends them. */
export const endProcessesOf = (directory: string): void => {
  for (const pid of processesOf(directory)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
};
