/**
 * LogCheck: whether a log tells everything once: each change of state of every row, in order, and
 * nothing that did not happen.
 *
 * The rows are what is true. A log that was cut at its beginning is none of these: it is checked
 * whole. It judges what is written, never when a subscriber hears of it.
 */
import {
  canMove,
  isFinal,
  type SessionEvent,
  type SessionRecord,
  type SessionState,
  type TerminalState,
  terminalCanMove,
} from "@troupe/core";

/** What the log told so far of one incarnation. */
interface Heard {
  state: SessionState | null;
  cause: string | null;
  readonly terminals: Map<string, TerminalState>;
}

const mustBeGone: ReadonlyArray<SessionState> = ["failed", "deleted", "lost"];

/** What is wrong with an event behind those before it; then it is heard. */
const wrongWith = (heard: Heard, { body }: SessionEvent): string | null => {
  if (body.type === "late") {
    return heard.state !== null && isFinal(heard.state) ? null : `late while ${heard.state}`;
  }
  if (heard.state !== null && isFinal(heard.state)) return `it was ${heard.state} before`;
  // That a lease goes is told before the end that takes it.
  if (body.type === "lease") return heard.state === null ? "it had not begun" : null;
  if (body.type === "terminal") {
    const before = heard.terminals.get(body.terminal);
    heard.terminals.set(body.terminal, body.state);
    if (before === undefined || (before !== body.state && terminalCanMove(before, body.state))) {
      return null;
    }
    return `terminal ${body.terminal} was ${before}`;
  }
  const { cause, state: before } = heard;
  heard.state = body.state;
  heard.cause = body.cause;
  if (before === null ? body.state !== "creating" : !canMove(before, body.state, cause)) {
    return `it was ${before}`;
  }
  const left = [...heard.terminals].find(([, state]) => state !== "gone");
  const untold = mustBeGone.includes(body.state) && left !== undefined;
  return untold ? `terminal ${left[0]} was still ${left[1]}` : null;
};

/** What the log does not tell of a row. */
const untoldOf = (heard: Heard | undefined, record: SessionRecord): string | null => {
  if (heard?.state !== record.state) return `${record.state} is not told: ${heard?.state}`;
  const terminal = record.terminals.find((t) => heard.terminals.get(t.terminal) !== t.state);
  if (terminal === undefined) return null;
  return `terminal ${terminal.terminal} is ${terminal.state}, and that is not told`;
};

/** What is wrong with the log, in words; `null` when it tells everything once. */
export const logDisagreement = (
  records: ReadonlyArray<SessionRecord>,
  events: ReadonlyArray<SessionEvent>,
): string | null => {
  const all = new Map<string, Heard>();
  for (const [index, event] of events.entries()) {
    const { body, incarnation, sequence } = event;
    const what = `event ${sequence} of ${incarnation} (${JSON.stringify(body)})`;
    if (sequence !== index + 1) return `${what} is number ${index + 1} of the log`;
    const row = records.find((r) => r.incarnation === incarnation);
    if (row?.generation !== event.generation) return `${what} is of no row`;
    const heard: Heard = all.get(incarnation) ?? { state: null, cause: null, terminals: new Map() };
    all.set(incarnation, heard);
    const wrong = wrongWith(heard, event);
    if (wrong !== null) return `${what}: ${wrong}`;
  }
  for (const record of records) {
    const untold = untoldOf(all.get(record.incarnation), record);
    if (untold !== null) return `row ${record.incarnation}: ${untold}`;
  }
  return null;
};
