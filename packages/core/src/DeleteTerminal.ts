/**
 * DeleteTerminal: the flow that ends one terminal of a session, its peers unhurt.
 *
 * Look; snapshot; intent with the processes of the terminal; TERM with a grace; the verified kill
 * of its window; KILL; `gone`. Deleting the last one deletes the session, also where the delete of
 * the others was cut off; that is refused while a user has windows of his own in it. A window that
 * vanished is success. From the intent on, whatever fails leaves the row `deleting`; running it
 * again, or a reconcile, finishes the job.
 */
import { Effect, Option } from "effect";
import { beforeKill } from "./BeforeKill.js";
import { deleteSeen, finishing } from "./Delete.js";
import { askToEnd, endProcesses } from "./EndProcesses.js";
import {
  type DoomedTerminal,
  endTerminal,
  finishTerminal,
  paneOf,
  recordTerminal,
} from "./EndTerminal.js";
import { behindSnapshot } from "./Forgotten.js";
import type { Holding } from "./Holding.js";
import { isFinal, isUnfinished, type Observation } from "./Lifecycle.js";
import type { SessionRecord, TerminalRecord } from "./Session.js";
import { Busy, KillUnconfirmed, NotFound } from "./SessionError.js";
import type { TerminalDeleteResult } from "./SessionView.js";
import { Settings } from "./Settings.js";
import { observe } from "./Sight.js";

const attempted = "delete a terminal";
const RELEASE = { release: true };
const WHOLE = { spareDetached: false, snapshot: true, ...RELEASE };

/** The terminal with its session; `NotFound` for one that there never was. */
const known = Effect.fnUntraced(function* (holding: Holding, terminal: string) {
  const { session } = holding;
  const record = Option.getOrNull(yield* holding.newest);
  if (record === null) return yield* new NotFound({ session, attempted });
  const found = record.terminals.find((t) => t.terminal === terminal);
  if (found === undefined) return yield* new NotFound({ session, attempted, terminal });
  return { record, terminal: found };
});

const resultOf = (
  record: SessionRecord,
  { terminal }: TerminalRecord,
  fields: Partial<TerminalDeleteResult>,
): TerminalDeleteResult => ({
  session: record.session,
  generation: record.generation,
  terminal,
  alreadyGone: false,
  sessionDeleted: false,
  killed: [],
  snapshot: "none",
  ...fields,
});

/** The windows in which no pane is ours. */
const userWindows = (seen: Observation): ReadonlyArray<string> => {
  const panes = seen._tag === "Present" ? seen.session.terminals : [];
  const ours = new Set(panes.filter((p) => p.terminal !== null).map((p) => p.windowId));
  return [...new Set(panes.map((p) => p.windowId))].filter((id) => !ours.has(id));
};

/** The last terminal goes with its session, unless somebody else has windows in that. */
const deleteLast = Effect.fnUntraced(function* (
  holding: Holding,
  doomed: DoomedTerminal,
  graceMs: number,
) {
  const { record, seen, terminal } = doomed;
  const windows = userWindows(seen);
  if (windows.length > 0 && record.state !== "deleting") {
    const holder = windows.join(", ");
    const { session } = record;
    return yield* new Busy({ session, attempted, holder, reason: "windows" });
  }
  // What was cut off is finished as it was asked for: whoever names a terminal has no word on that.
  const how = record.state === "deleting" ? finishing(record) : WHOLE;
  const { alreadyGone, killed, snapshot } = yield* deleteSeen(holding, doomed, { ...how, graceMs });
  return resultOf(record, terminal, { alreadyGone, killed, snapshot, sessionDeleted: true });
});

/** Intent, TERM with its grace, the kill, `gone`. */
const deleteOne = Effect.fnUntraced(function* (
  holding: Holding,
  first: DoomedTerminal,
  graceMs: number,
) {
  const { terminal } = first;
  const deleting: TerminalRecord = { ...terminal, state: "deleting" };
  const snapshot = yield* beforeKill(first, [terminal]);
  const intent = { _tag: "Terminal", record: deleting } as const;
  const { doomed, found, lives } = yield* recordTerminal(holding, first, [intent]).pipe(
    behindSnapshot(first.record),
  );
  yield* askToEnd(lives, found, graceMs).pipe(
    Effect.catchTag("LookupFailed", ({ message }) => {
      const { session } = doomed.record;
      const where = { session, attempted, terminal: terminal.terminal };
      return new KillUnconfirmed({ ...where, detail: message, after: null });
    }),
  );
  const ended = yield* endTerminal(holding, { ...doomed, terminal: deleting }, RELEASE);
  const alreadyGone = paneOf(terminal, first.seen) === null && found.length === 0;
  return resultOf(ended.record, terminal, { alreadyGone, killed: ended.killed, snapshot });
});

/** A window that went by itself may have left processes; they are known by record and mark. */
const endLeft = Effect.fnUntraced(function* (record: SessionRecord, terminal: TerminalRecord) {
  if (isFinal(record.state)) return resultOf(record, terminal, { alreadyGone: true });
  const lives = { record, terminal: terminal.terminal, panes: [], attachedTo: null };
  const killed = yield* endProcesses(lives, attempted);
  return resultOf(record, terminal, { alreadyGone: killed.length === 0, killed });
});

/** Deletes the terminal; what is gone already is success. */
export const deleteTerminal = Effect.fn("Sessions.deleteTerminal.flow")(function* (
  holding: Holding,
  id: string,
  options: { readonly graceMs: number | null },
) {
  const settings = yield* Settings;
  const { record, terminal } = yield* known(holding, id);
  const graceMs = options.graceMs ?? settings.graceMs;
  if (terminal.state === "gone") return yield* endLeft(record, terminal);
  const listing = yield* holding.look(attempted);
  const seen = yield* observe(record, listing, attempted);
  const doomed: DoomedTerminal = { record, listing, seen, attempted, terminal };
  // No peer is who is to be ended or undone himself, nor one whose window a user closed, which its
  // row says only behind a reconcile.
  const others = record.terminals
    .filter((t) => t !== terminal && t.state !== "gone" && !isUnfinished(t))
    .filter((t) => seen._tag === "Absent" || paneOf(t, seen) !== null);
  // A delete of the session that was cut off is finished: that was asked for before.
  if (others.length === 0 || record.state === "deleting") {
    return yield* deleteLast(holding, doomed, graceMs);
  }
  if (terminal.state !== "creating") return yield* deleteOne(holding, doomed, graceMs);
  const { killed, record: after } = yield* finishTerminal(holding, doomed, RELEASE);
  return resultOf(after, terminal, { killed });
});
