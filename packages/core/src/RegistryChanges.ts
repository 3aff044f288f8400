/**
 * RegistryChanges: what each change makes of a record. Pure, and the same for every store.
 *
 * A store folds the changes of one commit over the record with `applyChange`, in order, and writes
 * what came out. Nothing is judged here: whether a move exists, whether the name is free and
 * whether the claim is current are the store's to refuse.
 */
import type { IncarnationId } from "./Identity.js";
import { sameProcess } from "./Identity.js";
import { RESTORING } from "./Lifecycle.js";
import type { Change } from "./Registry.js";
import type { ClaimRecord, RecordedProcess, SessionRecord, TerminalRecord } from "./Session.js";
import type { SessionName } from "./SessionName.js";

/** What a commit knows besides the record. `generation` is the one that a `Begin` would get. */
export interface CommitContext {
  readonly session: SessionName;
  readonly incarnation: IncarnationId;
  readonly generation: number;
  readonly claim: ClaimRecord;
  readonly at: number;
}

const withTerminal = (
  terminals: ReadonlyArray<TerminalRecord>,
  record: TerminalRecord,
): ReadonlyArray<TerminalRecord> =>
  terminals.some((t) => t.terminal === record.terminal)
    ? terminals.map((t) => (t.terminal === record.terminal ? record : t))
    : [...terminals, record];

const withProcesses = (
  known: ReadonlyArray<RecordedProcess>,
  { processes, terminal }: Extract<Change, { _tag: "Processes" }>,
): ReadonlyArray<RecordedProcess> => {
  const all = [...known];
  for (const { bootId, pid, startTime } of processes) {
    const process = { pid, startTime, bootId };
    const at = all.findIndex((other) => sameProcess(process, other));
    const before = all[at];
    if (before === undefined) all.push({ ...process, terminal });
    else all[at] = { ...process, terminal: before.terminal ?? terminal };
  }
  return all;
};

const withSpared = (
  known: ReadonlyArray<RecordedProcess>,
  { processes }: Extract<Change, { _tag: "Spared" }>,
): ReadonlyArray<RecordedProcess> =>
  known.map((one) =>
    processes.some((other) => sameProcess(one, other)) ? { ...one, spared: true } : one,
  );

const begun = (
  change: Extract<Change, { _tag: "Begin" }>,
  context: CommitContext,
): SessionRecord => ({
  session: context.session,
  generation: context.generation,
  incarnation: context.incarnation,
  state: "creating",
  cause: change.restores === true ? RESTORING : null,
  spec: change.spec,
  server: change.server,
  sessionId: null,
  createdAt: context.at,
  updatedAt: context.at,
  terminals: [],
  processes: [],
  claim: context.claim,
});

/**
 * The record after the change. Throws, as a bug of the caller, when an incarnation is begun twice
 * or changed before it was begun, or given another cause than that of its delete; `null` only where
 * there is still none.
 */
export const applyChange = (
  before: SessionRecord | null,
  change: Change,
  context: CommitContext,
): SessionRecord | null => {
  if (change._tag === "Server") return before;
  if (change._tag === "Begin") {
    if (before !== null) throw new Error(`incarnation ${context.incarnation} was begun before`);
    return begun(change, context);
  }
  if (before === null) throw new Error(`there is no incarnation ${context.incarnation}`);
  if (change._tag === "Late") return before;
  const record = { ...before, claim: context.claim, updatedAt: context.at };
  switch (change._tag) {
    case "Move": {
      const { cause, sessionId = record.sessionId, to } = change;
      return { ...record, state: to, cause, sessionId };
    }
    case "Cause":
      if (before.state !== "deleting") throw new Error(`a cause of what is ${before.state}`);
      return { ...record, cause: change.cause };
    case "Terminal":
      return { ...record, terminals: withTerminal(record.terminals, change.record) };
    case "Processes":
      return { ...record, processes: withProcesses(record.processes, change) };
    case "Spared":
      return { ...record, processes: withSpared(record.processes, change) };
  }
};
