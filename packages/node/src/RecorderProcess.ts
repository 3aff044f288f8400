/**
 * RecorderProcess: whether the process that records a terminal lives, and has recorded all that it
 * was given.
 *
 * It has when it sleeps in its read: what tmux hands over wakes it before tmux goes on, and it
 * sleeps for nothing else. Seen in /proc; where it cannot be seen the answer is that nothing is
 * known, never a guess.
 */
import { promises as fs } from "node:fs";
import { basename, dirname, join } from "node:path";
import { WAITS_IN } from "@troupe/tmux";
import { parseStat } from "./ProcStat.js";

const proc = (pid: string, file: string): Promise<string> =>
  // A process that is gone, or that may not be looked at, is one of which nothing is known.
  fs.readFile(`/proc/${pid}/${file}`, "latin1").catch(() => "");

const isPid = (text: string): boolean => /^[1-9][0-9]*$/.test(text);

/**
 * Whether the process with this pid, as it stands in the file, is certainly no recorder of the
 * directory: it is gone, or a later one has its pid.
 */
export const isGone = async (written: string, directory: string): Promise<boolean> => {
  const pid = written.trim();
  // The recorder makes the file and writes the pid in two steps.
  if (!isPid(pid)) return false;
  // Both are words of an alphabet that no shell quotes.
  const place = join(basename(dirname(directory)), basename(directory));
  try {
    const words = await fs.readFile(`/proc/${pid}/cmdline`, "latin1");
    return !words.includes(place);
  } catch {
    // It is gone, may not be looked at, or there is no /proc.
    return (await proc("self", "cmdline")) !== "" && (await proc(pid, "stat")) === "";
  }
};

/** Whether the recorder with this pid, as it stands in its file, waits for more. */
export const waitsForMore = async (written: string): Promise<boolean> => {
  const pid = written.trim();
  if (!isPid(pid)) return false;
  const [child = "", ...others] = (await proc(pid, `task/${pid}/children`)).trim().split(" ");
  if (child === "" || others.length > 0) return false;
  const stat = parseStat(await proc(child, "stat"));
  return stat !== null && stat.program === WAITS_IN && stat.state === "S";
};
