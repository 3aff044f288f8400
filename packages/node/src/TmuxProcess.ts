/**
 * TmuxProcess: whether a process is a server of tmux, as /proc shows it.
 *
 * Its name says so, its executable too, and it is no server's child on its way to be another
 * program. Which socket it serves is not asked here.
 */
import { readlinkSync } from "node:fs";
import { basename } from "node:path";
import { isGone, read } from "./ProcFile.js";
import { type ProcStat, parseStat } from "./ProcStat.js";

/** By its executable, which a program cannot choose as its name; another user's is unread. */
const runsTmux = (pid: number): boolean => {
  try {
    return /^tmux([-.0-9a-z]*| \(deleted\))$/.test(basename(readlinkSync(`/proc/${pid}/exe`)));
  } catch (error) {
    return !isGone(error);
  }
};

const commandLine = (pid: number): string => read(`/proc/${pid}/cmdline`) ?? "";

const isNamedServer = ({ program }: ProcStat): boolean => program.startsWith("tmux: server");

/**
 * Whether a server forked it and it is about to become another program: until then it has the name,
 * the executable and the command line of its parent. Beside 100 creates with 3.3a, every seventh
 * look at /proc saw one. A server that stays the child of another has a command line of its own.
 */
const isFork = ({ parent, pid }: ProcStat): boolean => {
  const above = parseStat(read(`/proc/${parent}/stat`) ?? "");
  return above !== null && isNamedServer(above) && commandLine(parent) === commandLine(pid);
};

/**
 * Whether it is a server. What became another program by now has another executable, so that is
 * looked at last.
 */
export const isTmuxServer = (stat: ProcStat): boolean =>
  isNamedServer(stat) && !isFork(stat) && runsTmux(stat.pid);
