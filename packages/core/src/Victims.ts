/**
 * Victims: the processes that lived in a session, or in one terminal of it, and only those.
 *
 * They are the living ones among the recorded, the pane processes and all their descendants, and
 * those that carry the mark in their environment (a double fork, a new process session).
 * Never a tmux server other than through its panes, never what lives below another tmux server
 * (a user's own, started inside the session), never the program that asks and what it started.
 */
import { Effect } from "effect";
import { type ProcessId, sameBoot, sameProcess, type TerminalId } from "./Identity.js";
import { type ProcessEntry, ProcessTable } from "./ProcessTable.js";
import type { Change } from "./Registry.js";
import type { RecordedProcess, SessionRecord } from "./Session.js";
import { outOfSight } from "./Sight.js";
import type { SeenSession, SeenTerminal } from "./Tmux.js";

/** A process and its ancestors, as far as they are known. */
const lineage = (table: ReadonlyMap<number, ProcessEntry>, pid: number): ReadonlyArray<number> => {
  const line: Array<number> = [];
  for (let at: number | undefined = pid; at !== undefined && !line.includes(at); ) {
    line.push(at);
    at = table.get(at)?.parent;
  }
  return line;
};

/** The cause of a delete that spares; its record says which of the recorded it ends. */
export const SPARING = "sparing what left the session";

const startOf = ({ startTime }: ProcessId): number => startTime;

const withDescendants = (
  entries: ReadonlyArray<ProcessEntry>,
  roots: ReadonlySet<number>,
): ReadonlySet<number> => {
  const found = new Set(roots);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const entry of entries) if (found.has(entry.parent)) found.add(entry.id.pid);
  }
  return found;
};

/** What is to be ended: a session, or one terminal of it. */
export interface Lives {
  readonly record: SessionRecord;
  /** `null` for the session whole. */
  readonly terminal: TerminalId | null;
  /** The panes that end with it and are still seen. */
  readonly panes: ReadonlyArray<SeenTerminal>;
  /**
   * The kernel's sessions outside of which every process is spared, and then nothing is looked for
   * by its mark; `null` spares none.
   */
  readonly attachedTo: ReadonlyArray<number> | null;
}

/** The pids of panes whose programs run. */
export const panePids = (panes: ReadonlyArray<SeenTerminal>): ReadonlyArray<number> =>
  panes.filter((t) => t.exit === null).map((t) => t.panePid);

/**
 * The session, with every pane that is seen of it. With `spareDetached` only what descends from a
 * pane and is in its session of the kernel: not what made one of its own, nor a double fork.
 */
export const sessionLives = (
  record: SessionRecord,
  seen: SeenSession | null,
  options: { readonly spareDetached: boolean } = { spareDetached: false },
): Lives => {
  const panes = (seen?.terminals ?? []).filter(({ stranger }) => !stranger);
  const lives = { record, terminal: null, panes };
  if (!options.spareDetached) return { ...lives, attachedTo: null };
  const pids = [...record.terminals, ...panes].flatMap(({ panePid }) => panePid ?? []);
  return { ...lives, attachedTo: [...new Set(pids)] };
};

/**
 * Those that may carry the mark: nothing of a session is older than the server that it was made in,
 * which is the process of that pid if it is no younger than what was recorded of the session.
 */
export const candidates = (
  { processes, server }: SessionRecord,
  table: ReadonlyMap<number, ProcessEntry>,
  bootId: string,
): ReadonlyArray<number> => {
  const entries = [...table.values()];
  const maker = server === null ? undefined : table.get(server.pid);
  const oldest = Math.min(...processes.filter((id) => id.bootId === bootId).map(startOf));
  const since = maker?.tmuxServer === true ? maker.id.startTime : 0;
  const isMaker = Number.isFinite(oldest) && oldest >= since;
  return entries.filter(({ id }) => !isMaker || id.startTime >= since).map(({ id }) => id.pid);
};

/**
 * Whether it leads a pane of this server. A pane may have ended since it was listed, and the kernel
 * may have given its pid to another; what tmux forks is its child.
 */
const leadsPane = (entry: ProcessEntry | undefined, { server }: SessionRecord): boolean =>
  entry !== undefined && entry.parent === server?.pid;

/** What leads these panes: all that there is of programs which were started just now. */
export const leaders = Effect.fnUntraced(function* ({ panes, record }: Lives) {
  const processes = yield* ProcessTable;
  const found = yield* Effect.forEach(panePids(panes), processes.look);
  return found.flatMap((entry) => (entry !== null && leadsPane(entry, record) ? [entry] : []));
});

/**
 * The living processes of what is to be ended, and those of the recorded that left it and are
 * spared. Who left is seen by his parents while the program of his pane runs, or was seen by the
 * delete that is finished and stands in the record.
 */
export const victimsAndLeft = Effect.fnUntraced(function* (lives: Lives) {
  const { attachedTo, panes, record, terminal } = lives;
  const processes = yield* ProcessTable;
  const bootId = yield* processes.bootId;
  const elsewhere = record.processes.some(
    (id) => id.bootId !== bootId && sameBoot(id.bootId, bootId),
  );
  if (elsewhere) return yield* outOfSight(record.session, "look at its processes");
  const entries = yield* processes.snapshot;
  const table = new Map(entries.map((entry) => [entry.id.pid, entry]));
  const known = record.processes
    .filter((id) => terminal === null || id.terminal === terminal)
    .filter((id) => {
      const entry = table.get(id.pid);
      return entry !== undefined && sameProcess(entry.id, id);
    });
  const sparing = attachedTo !== null;
  const among = candidates(record, table, bootId);
  const marked = sparing ? [] : yield* processes.marked(record.incarnation, terminal, among);
  const leading = panePids(panes).filter((pid) => leadsPane(table.get(pid), record));
  const isLed = (pid: number) => leading.includes(table.get(pid)?.processSession ?? 0);
  const isRemembered = ({ pid, spared }: RecordedProcess): boolean => {
    // Before the intent the record has whatever was seen when the session began.
    if (!sparing || record.state !== "deleting") return !sparing;
    return record.cause === SPARING ? spared !== true : !isLed(pid);
  };
  const remembered = known.filter(isRemembered).map(({ pid }) => pid);
  const own = record.server?.pid ?? null;
  const spared = (pid: number): boolean => {
    const line = lineage(table, pid);
    const server = line.find((above) => table.get(above)?.tmuxServer === true);
    const belowOther = server !== undefined && (server !== own || server === pid);
    return belowOther || line.includes(processes.ownPid);
  };
  const roots = [...leading, ...remembered, ...marked].filter((pid) => !spared(pid));
  const all = withDescendants(entries, new Set(roots));
  const attached = ({ processSession }: ProcessEntry): boolean =>
    attachedTo === null || attachedTo.includes(processSession);
  const others = entries.filter(({ id }) => !spared(id.pid));
  const found = others.filter((entry) => all.has(entry.id.pid) && attached(entry));
  const left = others.filter(
    (entry) => !found.includes(entry) && known.some(({ pid }) => pid === entry.id.pid),
  );
  return { found, left };
});

/** The living processes of what is to be ended. */
export const victims = (lives: Lives) => Effect.map(victimsAndLeft(lives), ({ found }) => found);

/** The change that records them, as those of this terminal unless that is `null`. */
export const recorded = (
  terminal: TerminalId | null,
  found: ReadonlyArray<ProcessEntry>,
): Change => ({ _tag: "Processes", terminal, processes: found.map((entry) => entry.id) });

/** The change that says that a delete leaves these alone. */
export const leftOut = (left: ReadonlyArray<ProcessEntry>): Change => ({
  _tag: "Spared",
  processes: left.map((entry) => entry.id),
});
