/**
 * Victims: the processes that lived in a session, and only those.
 *
 * They are the living ones among the recorded, the pane processes and all their descendants, and
 * those that carry the incarnation in their environment (a double fork, a new process session).
 * Never a tmux server other than through its panes, never what lives below another tmux server
 * (a user's own, started inside the session), never the program that asks and what it started.
 */
import { Effect } from "effect";
import { sameBoot, sameProcess } from "./Identity.js";
import { type ProcessEntry, ProcessTable } from "./ProcessTable.js";
import type { SessionRecord } from "./Session.js";
import { outOfSight } from "./Sight.js";
import type { SeenSession } from "./Tmux.js";

/** A process and its ancestors, as far as they are known. */
const lineage = (table: ReadonlyMap<number, ProcessEntry>, pid: number): ReadonlyArray<number> => {
  const line: Array<number> = [];
  for (let at: number | undefined = pid; at !== undefined && !line.includes(at); ) {
    line.push(at);
    at = table.get(at)?.parent;
  }
  return line;
};

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

/** The pids of panes whose programs run. */
export const panePids = (seen: SeenSession | null): ReadonlyArray<number> =>
  (seen?.terminals ?? []).filter((t) => t.exit === null).map((t) => t.panePid);

/** The living processes of the session; `seen` is `null` when tmux does not have it any more. */
export const victims = Effect.fnUntraced(function* (
  record: SessionRecord,
  seen: SeenSession | null,
) {
  const processes = yield* ProcessTable;
  const bootId = yield* processes.bootId;
  const elsewhere = record.processes.some(
    (id) => id.bootId !== bootId && sameBoot(id.bootId, bootId),
  );
  if (elsewhere) return yield* outOfSight(record.session, "look at its processes");
  const entries = yield* processes.snapshot;
  const table = new Map(entries.map((entry) => [entry.id.pid, entry]));
  const recorded = record.processes
    .filter((id) => {
      const entry = table.get(id.pid);
      return entry !== undefined && sameProcess(entry.id, id);
    })
    .map((id) => id.pid);
  const marked = yield* processes.marked(record.incarnation);
  const own = record.server?.pid ?? null;
  const spared = (pid: number): boolean => {
    const line = lineage(table, pid);
    const server = line.find((above) => table.get(above)?.tmuxServer === true);
    const belowOther = server !== undefined && (server !== own || server === pid);
    return belowOther || line.includes(processes.ownPid);
  };
  const roots = [...panePids(seen), ...recorded, ...marked].filter((pid) => !spared(pid));
  const all = withDescendants(entries, new Set(roots));
  return entries.filter((entry) => all.has(entry.id.pid) && !spared(entry.id.pid));
});
