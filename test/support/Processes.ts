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

/** The text as the kernel has it, byte for byte as `latin1` reads it, and the other way round. */
const bytesOf = (text: string): string => Buffer.from(text, "utf8").toString("latin1");
const textOf = (bytes: string): string => Buffer.from(bytes, "latin1").toString("utf8");

/** A file of a process; empty when the process is gone or is not ours to read. */
const processFile = (pid: number | string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
};

/** The fields of /proc/PID/stat behind the name: the state, the parent, its group, its session. */
const fieldsOf = (pid: number | string): ReadonlyArray<string> =>
  processFile(pid, "stat")
    .replace(/^.*\) /s, "")
    .split(" ");

/** The kernel's letter for what the process does; empty when it is gone. */
export const stateOf = (pid: number): string => fieldsOf(pid)[0] ?? "";

/** The process's parent. */
export const parentOf = (pid: number): number => Number(fieldsOf(pid)[1]);

/** The process session that the process is in. */
export const processSessionOf = (pid: number): number => Number(fieldsOf(pid)[3]);

/** The program that the process was started as, with its arguments. */
export const commandLineOf = (pid: number): string =>
  textOf(processFile(pid, "cmdline")).replaceAll("\0", " ").trimEnd();

/** The threads of a process; one that has ended is among them until the last one has. */
const threadsOf = (pid: number): ReadonlyArray<string> => {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
};

/** Whether any thread of the process runs: a zombie's does not. */
export const lives = (pid: number): boolean =>
  threadsOf(pid).some((thread) => {
    const [state = ""] = fieldsOf(`${pid}/task/${thread}`);
    return !["", "Z", "X"].includes(state);
  });

/** The words of every process's command line that has the text in it. */
export const commandLinesWith = (text: string): ReadonlyArray<string> =>
  pids()
    .map((pid) => textOf(processFile(pid, "cmdline")).replaceAll("\0", " "))
    .filter((line) => line.includes(text));

/** Whether the process was started with this in its environment; any thread of it shows that. */
export const hasVariable = (pid: number, name: string, value: string): boolean =>
  threadsOf(pid).some((thread) =>
    `\0${processFile(`${pid}/task/${thread}`, "environ")}`.includes(
      bytesOf(`\0${name}=${value}\0`),
    ),
  );

/** What the process was started with under this name in its environment, if it was. */
export const variableOf = (pid: number, name: string): string | null => {
  for (const thread of threadsOf(pid)) {
    const found = `\0${processFile(`${pid}/task/${thread}`, "environ")}`.split(`\0${name}=`)[1];
    if (found !== undefined) return textOf(found.split("\0")[0] ?? "");
  }
  return null;
};

/** The living processes that have the directory as HOME. */
export const processesOf = (directory: string): ReadonlyArray<number> =>
  pids().filter((pid) => hasVariable(pid, "HOME", directory) && lives(pid));

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
