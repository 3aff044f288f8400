/**
 * RecorderProcess: whether the process that records a terminal has recorded all that it was given.
 *
 * It has when it sleeps in its read: what tmux hands over wakes it before tmux goes on, and it
 * sleeps for nothing else. Seen in /proc; where it cannot be seen the answer is no, never a guess.
 */
import { promises as fs } from "node:fs";
import { WAITS_IN } from "@troupe/tmux";
import { parseStat } from "./ProcStat.js";

const proc = (pid: string, file: string): Promise<string> =>
  // A process that is gone, or that may not be looked at, is one of which nothing is known.
  fs.readFile(`/proc/${pid}/${file}`, "latin1").catch(() => "");

/** Whether the recorder with this pid, as it stands in its file, waits for more. */
export const waitsForMore = async (written: string): Promise<boolean> => {
  const pid = written.trim();
  if (!/^[1-9][0-9]*$/.test(pid)) return false;
  const [child = "", ...others] = (await proc(pid, `task/${pid}/children`)).trim().split(" ");
  if (child === "" || others.length > 0) return false;
  const stat = parseStat(await proc(child, "stat"));
  return stat !== null && stat.program === WAITS_IN && stat.state === "S";
};
