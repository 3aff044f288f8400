/**
 * Victims: the processes that lived in a session, and only those.
 *
 * They are the living ones among the recorded, the pane processes and all their descendants, and
 * those that carry the incarnation in their environment (a double fork, a new process session).
 * Never a tmux server other than through its panes, never what lives below another tmux server
 * (a user's own, started inside the session), never the program that asks and what it started.
 */
import { Effect } from "effect";
import { sameProcess } from "./Identity.js";
import { type ProcessEntry, ProcessTable } from "./ProcessTable.js";
import type { SessionRecord } from "./Session.js";
import type { SeenSession } from "./Tmux.js";

const isTmuxServer = (entry: ProcessEntry): boolean => entry.program.startsWith("tmux: server");

/** The nearest of a process and its ancestors that passes the test. */
const nearest = (
  table: ReadonlyMap<number, ProcessEntry>,
  pid: number,
  test: (entry: ProcessEntry) => boolean,
): number | null => {
  const passed = new Set<number>();
  let entry = table.get(pid);
  while (entry !== undefined && !passed.has(entry.id.pid)) {
    if (test(entry)) return entry.id.pid;
    passed.add(entry.id.pid);
    entry = table.get(entry.parent);
  }
  return null;
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
    const server = nearest(table, pid, isTmuxServer);
    const ours = nearest(table, pid, (entry) => entry.id.pid === processes.ownPid);
    return ours !== null || server === pid || (server !== null && server !== own);
  };
  const roots = [...panePids(seen), ...recorded, ...marked].filter((pid) => !spared(pid));
  const all = withDescendants(entries, new Set(roots));
  return entries.filter((entry) => all.has(entry.id.pid) && !spared(entry.id.pid));
});
