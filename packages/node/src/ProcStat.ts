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
  /** One letter, of the first thread alone: it may have ended (`Z`) while others run. */
  readonly state: string;
  readonly parent: number;
  /** The pid of the leader of its session. */
  readonly processSession: number;
  /** How many threads there are, with a first one that has ended. */
  readonly threads: number;
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
  // Fields 6, 20 and 22 of the line; the three before `rest` are pid, program and state.
  const processSession = Number(fields[2]);
  const threads = Number(fields[16]);
  const startTime = Number(fields[18]);
  if (![parent, processSession, threads, startTime].every(Number.isInteger)) return null;
  return { pid: Number(pid), program, state, parent, processSession, threads, startTime };
};

/** Whether anything of the process can still run. */
export const runs = ({ state, threads }: ProcStat): boolean =>
  state !== "X" && (state !== "Z" || threads > 1);

/** Whether the first thread has ended and others run: what is read of a process is theirs then. */
export const isHeadless = (stat: ProcStat): boolean => stat.state === "Z" && runs(stat);

/** Whether the mask of caught signals in /proc/PID/status has SIGTERM (15). */
export const catchesTerm = (status: string): boolean => {
  const mask = /^SigCgt:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? "0";
  return (BigInt(`0x${mask}`) & (1n << 14n)) !== 0n;
};
