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
  /** Whether it has a handler of its own for SIGTERM. */
  readonly catchesTerm: boolean;
  /** Whether it is a thread of the kernel, and no program. */
  readonly kernelThread: boolean;
}

const TERM = 15;

/** In the kernel's include/linux/sched.h. */
const PF_KTHREAD = 0x00200000;

/** `null` when the text is not such a line. */
export const parseStat = (text: string): ProcStat | null => {
  const opens = text.indexOf(" (");
  const closes = text.lastIndexOf(") ");
  if (opens < 1 || closes < opens) return null;
  const fields = text.slice(closes + 2).split(" ");
  // Numbered from 1 in the kernel's own words; the first of `fields` is the third of the line.
  const field = (number: number): number => Number(fields[number - 3]);
  const pid = Number(text.slice(0, opens));
  const [parent, processSession, threads, startTime] = [field(4), field(6), field(20), field(22)];
  const [flags, caught] = [field(9), field(34)];
  const numbers = [pid, parent, processSession, threads, startTime, flags, caught];
  if (!numbers.every(Number.isInteger)) return null;
  const program = text.slice(opens + 2, closes);
  const catchesTerm = (caught & (1 << (TERM - 1))) !== 0;
  return {
    pid,
    program,
    state: fields[0] ?? "",
    parent,
    processSession,
    threads,
    startTime,
    catchesTerm,
    kernelThread: (flags & PF_KTHREAD) !== 0,
  };
};

/** Whether anything of the process can still run. */
export const runs = ({ state, threads }: ProcStat): boolean =>
  state !== "X" && (state !== "Z" || threads > 1);

/** Whether the first thread has ended and others run: what is read of a process is theirs then. */
export const isHeadless = (stat: ProcStat): boolean => stat.state === "Z" && runs(stat);
