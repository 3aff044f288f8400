/**
 * LinuxProcessTable: core's `ProcessTable` from /proc.
 *
 * A zombie counts as gone, although `kill -0` finds it; a process of which only the first thread
 * has ended looks like one and lives. A process that ends while it is read is left out of a
 * snapshot and is `null` in a look; any other failure to read is `LookupFailed`, never "no such
 * process". Reads are synchronous: /proc does not wait for a disk.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import {
  type IncarnationId,
  LookupFailed,
  MARK_VARIABLE,
  type ProcessEntry,
  type ProcessId,
  ProcessTable,
  type Signal,
  TERMINAL_VARIABLE,
  type TerminalId,
} from "@troupe/core";
import { Context, Effect, Layer } from "effect";
import { codeOf, isGone, read } from "./ProcFile.js";
import { isHeadless, parseStat, runs } from "./ProcStat.js";
import { isTmuxServer } from "./TmuxProcess.js";

const failed = (attempted: string, error: unknown): LookupFailed =>
  new LookupFailed({
    session: null,
    attempted,
    source: "processes",
    reason: ["EACCES", "EPERM"].includes(codeOf(error)) ? "permission" : "unclear",
    detail: String(error),
  });

/** The boot, and the namespace that pids are counted in: `BOOT.NAMESPACE`. */
const readBootId = (): string => {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  const namespace = readlinkSync("/proc/self/ns/pid").replace(/[^0-9]/g, "");
  // What says nothing is no other boot: then all that was recorded would be taken for dead.
  if (!/^[0-9a-f-]{8,}$/.test(boot) || namespace === "") {
    throw new Error(`the boot id is not understood: ${JSON.stringify(boot)}, ${namespace}`);
  }
  return `${boot}.${namespace}`;
};

let known: string | null = null;

/** The same; no process sees another boot, nor leaves its namespace. */
const bootId = (): string => {
  known ??= readBootId();
  return known;
};

const entryOf = (pid: number, boot: string): ProcessEntry | null => {
  const text = read(`/proc/${pid}/stat`);
  if (text === null) return null;
  const stat = parseStat(text);
  if (stat === null) throw new Error(`/proc/${pid}/stat is not understood: ${text}`);
  if (!runs(stat)) return null;
  const { catchesTerm, parent, processSession, program, startTime } = stat;
  const id: ProcessId = { pid, startTime, bootId: boot };
  return { id, parent, processSession, program, tmuxServer: isTmuxServer(stat), catchesTerm };
};

const KERNEL_THREADS = 2;

/**
 * The kernel's own threads, which are of nobody's: most of what there is on many machines. They are
 * the children of one of them, where the kernel tells of children and this is no container.
 */
const kernelThreads = (): ReadonlySet<number> => {
  const stat = parseStat(read(`/proc/${KERNEL_THREADS}/stat`) ?? "");
  if (stat?.kernelThread !== true) return new Set();
  const children = read(`/proc/${KERNEL_THREADS}/task/${KERNEL_THREADS}/children`) ?? "";
  return new Set(children.split(" ").map(Number));
};

/** The threads of the kernel are asked last: one that took a pid by then took that of the dead. */
const pids = (): ReadonlyArray<number> => {
  const all = readdirSync("/proc").map(Number);
  const own = kernelThreads();
  return all.filter((pid) => Number.isInteger(pid) && !own.has(pid));
};

const snapshot = (): ReadonlyArray<ProcessEntry> => {
  const boot = bootId();
  return pids().flatMap((pid) => entryOf(pid, boot) ?? []);
};

/** Another user's environment cannot be read; such a process cannot carry our mark either. */
const environmentAt = (place: string): string => {
  try {
    return read(`${place}/environ`) ?? "";
  } catch (error) {
    if (["EACCES", "EPERM"].includes(codeOf(error))) return "";
    throw error;
  }
};

const threadsOf = (pid: number): ReadonlyArray<string> => {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
};

/** A first thread that has ended shows no environment; then any other thread's is looked at. */
const environmentOf = (pid: number): string => {
  const environment = environmentAt(`/proc/${pid}`);
  const stat = environment === "" ? parseStat(read(`/proc/${pid}/stat`) ?? "") : null;
  if (stat === null || !isHeadless(stat)) return environment;
  const others = threadsOf(pid).map((thread) => environmentAt(`/proc/${pid}/task/${thread}`));
  return others.find((other) => other !== "") ?? "";
};

const carries = (pid: number, marks: ReadonlyArray<string>): boolean => {
  const environment = `\0${environmentOf(pid)}`;
  return marks.every((mark) => environment.includes(`\0${mark}\0`));
};

const marked = (
  incarnation: IncarnationId,
  terminal: TerminalId | null,
  among: ReadonlyArray<number>,
): ReadonlyArray<number> => {
  const session = `${MARK_VARIABLE}=${incarnation}`;
  const marks = terminal === null ? [session] : [session, `${TERMINAL_VARIABLE}=${terminal}`];
  return among.filter((pid) => carries(pid, marks));
};

const signal = (id: ProcessId, name: Signal): void => {
  const now = entryOf(id.pid, bootId());
  if (now === null || now.id.startTime !== id.startTime || now.id.bootId !== id.bootId) return;
  try {
    process.kill(id.pid, `SIG${name}`);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
};

const attempt = <A>(attempted: string, read: () => A): Effect.Effect<A, LookupFailed> =>
  Effect.try({ try: read, catch: (error) => failed(attempted, error) });

const context = Context.make(ProcessTable, {
  ownPid: process.pid,
  bootId: attempt("read the boot id", bootId),
  look: (pid) => attempt(`look at process ${pid}`, () => entryOf(pid, bootId())),
  snapshot: attempt("list the processes", snapshot),
  marked: (incarnation, terminal, among) =>
    attempt("look for marked processes", () => marked(incarnation, terminal, among)),
  signal: (id, name) => attempt(`signal process ${id.pid}`, () => signal(id, name)),
});

/** The processes that /proc shows. */
export const LinuxProcessTable = {
  /** The port at once, for a program that makes no layers. */
  context,
  /** The port as a layer. */
  layer: Layer.succeedContext(context),
};
