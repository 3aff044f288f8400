/**
 * ProcStat: the kernel's lines about one process, read into values. Pure.
 *
 * The program's name in /proc/PID/stat stands in parentheses and may itself hold parentheses and
 * spaces, so the fields are counted from the last one.
 */

/** What /proc/PID/stat says. `startTime` is in clock ticks since boot. */
export interface ProcStat {
  readonly pid: number;
  readonly program: string;
  /** One letter; `Z` and `X` run nothing. */
  readonly state: string;
  readonly parent: number;
  readonly startTime: number;
}

const STAT = /^([0-9]+) \((.*)\) (\S) (.*)$/s;

/** `null` when the text is not such a line. */
export const parseStat = (text: string): ProcStat | null => {
  const match = STAT.exec(text.trimEnd());
  if (match === null) return null;
  const [, pid = "", program = "", state = "", rest = ""] = match;
  const fields = rest.split(" ");
  const parent = Number(fields[0]);
  // Field 22 of the line; the three before `rest` are pid, program and state.
  const startTime = Number(fields[18]);
  if (!Number.isInteger(parent) || !Number.isInteger(startTime)) return null;
  return { pid: Number(pid), program, state, parent, startTime };
};

/** Whether the mask of caught signals in /proc/PID/status has SIGTERM (15). */
export const catchesTerm = (status: string): boolean => {
  const mask = /^SigCgt:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? "0";
  return (BigInt(`0x${mask}`) & (1n << 14n)) !== 0n;
};
