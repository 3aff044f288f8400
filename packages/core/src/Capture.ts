/**
 * Capture: the read of what a terminal shows now, or showed when it ended.
 *
 * Needs no actor and no claim, and writes nothing. What is read is the pane that was made for the
 * terminal, wherever a user moved it. Of one that is positively not there any more the snapshot is
 * told that was kept, as that; without one it is `NotFound`.
 */
import { Effect, Option } from "effect";
import { isFinal } from "./Lifecycle.js";
import { missing } from "./Missing.js";
import { count } from "./Quantity.js";
import { Registry } from "./Registry.js";
import type { SessionRecord, TerminalRecord } from "./Session.js";
import { NotFound } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";
import type { CaptureOptions } from "./SessionOptions.js";
import { observe } from "./Sight.js";
import { type Snapshot, Snapshots } from "./Snapshots.js";
import { type Captured, Tmux } from "./Tmux.js";

const attempted = "capture";

const LINES = 200;

/** The terminal that is named, else the first that is not gone, else the first there was. */
const terminalOf = ({ terminals }: SessionRecord, named: string | null): TerminalRecord | null => {
  if (named !== null) return terminals.find(({ terminal }) => terminal === named) ?? null;
  return terminals.find(({ state }) => state !== "gone") ?? terminals[0] ?? null;
};

/** The newest lines of a snapshot; what scrolled off before it was kept has no numbers. */
const toldOf = (snapshot: Snapshot, most: number | null): Captured => {
  const { at, generation, terminal, text } = snapshot;
  const all = text.split("\n");
  const told = most === null ? all : most === 0 ? [] : all.slice(-most);
  const truncated = snapshot.truncated || told.length < all.length;
  const first = snapshot.truncated || told.length === 0 ? null : all.length - told.length + 1;
  return { text: told.join("\n"), truncated, first, generation, terminal, keptAt: at };
};

/** What the terminal that is named shows, or the first that is there. */
export const captureSession = Effect.fnUntraced(function* (
  session: SessionName,
  options: CaptureOptions,
) {
  const { ansi = false, join = false, lines = LINES, terminal: named = null } = options;
  if (lines !== null) count("lines", lines);
  const registry = yield* Registry;
  const tmux = yield* Tmux;
  const record = Option.getOrNull(yield* registry.get(session));
  if (record === null) return yield* missing({ session, attempted }, null);
  const shown = terminalOf(record, named);
  if (shown === null) return yield* new NotFound({ session, attempted, terminal: named });
  const { generation, server } = record;
  const { paneId, terminal } = shown;
  const isOver = isFinal(record.state) || shown.state === "gone";
  if (!isOver && server !== null && paneId !== null) {
    const pane = { server, paneId, session };
    const text = yield* tmux.capture(pane, { lines, join, ansi });
    const captured: Captured | null = text && { ...text, generation, terminal, keptAt: null };
    if (captured !== null) return captured;
  }
  const snapshots = yield* Snapshots;
  // A server that lives out of reach still has the pane.
  const seen = isOver ? null : yield* observe(record, yield* tmux.list(attempted), attempted);
  const kept = yield* snapshots.read(session, generation, terminal);
  // Behind a registry that was lost, generations are counted anew, and older files may be there.
  if (kept?.incarnation === record.incarnation) return toldOf(kept, lines);
  if (isFinal(record.state) || seen?._tag === "Absent") {
    return yield* missing({ session, attempted }, record);
  }
  return yield* new NotFound({ session, attempted, terminal });
});
