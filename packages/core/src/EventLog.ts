/**
 * EventLog: the log as a reader meets it: a page of it, and what a page tells a cursor.
 *
 * Sequence numbers have no gaps, so a number that is missing is of an event that was there and is
 * not kept any more; that is told, with the first number that is. A line that is there and cannot
 * be understood (damaged, or of a newer troupe) is told in its place and hides no other. Pure.
 */
import { Schema } from "effect";
import type { Unreadable } from "./Registry.js";
import { SessionEvent } from "./SessionEvents.js";

/** A line of the log that is there and could not be understood. */
export interface UnreadableEvent extends Unreadable {
  readonly sequence: number;
}

/**
 * What a registry tells of its log at one moment: lines behind a cursor, in order, and which
 * numbers it keeps. `first` is 1 and `last` 0 where nothing was ever written.
 */
export interface EventPage {
  readonly first: number;
  readonly last: number;
  readonly events: ReadonlyArray<SessionEvent>;
  readonly unreadable: ReadonlyArray<UnreadableEvent>;
}

/**
 * What a subscriber gets, discriminated by `type`. `gap`: what was behind `after` and before
 * `first` is not kept any more. When `first` is not behind `after`, the cursor is not of this log,
 * which begins at `first`.
 */
export const LogEntry = Schema.Union(
  Schema.Struct({ type: Schema.Literal("event"), ...SessionEvent.fields }),
  Schema.Struct({ type: Schema.Literal("gap"), after: Schema.Int, first: Schema.Int }),
  Schema.Struct({
    type: Schema.Literal("unreadable"),
    sequence: Schema.Int,
    session: Schema.String,
    detail: Schema.String,
  }),
);
export type LogEntry = typeof LogEntry.Type;

/** What a page tells, and the cursor behind it; the same cursor when it tells nothing. */
export interface Told {
  readonly entries: ReadonlyArray<LogEntry>;
  readonly cursor: number;
}

type Line = Exclude<LogEntry, { readonly type: "gap" }>;

/** What the page tells a reader that has everything up to and with `cursor`. */
export const toldAfter = (cursor: number, page: EventPage): Told => {
  // An empty log cannot say where it begins; its first event will.
  if (page.last !== 0 && page.last < cursor) {
    const gap: LogEntry = { type: "gap", after: cursor, first: page.first };
    return { entries: [gap], cursor: page.first - 1 };
  }
  const lines: ReadonlyArray<Line> = [
    ...page.events.map((event): Line => ({ type: "event", ...event })),
    ...page.unreadable.map((line): Line => ({ type: "unreadable", ...line })),
  ].sort((a, b) => a.sequence - b.sequence);
  const entries: Array<LogEntry> = [];
  let at = cursor;
  for (const line of lines) {
    const first = line.sequence;
    if (first > at + 1) entries.push({ type: "gap", after: at, first });
    entries.push(line);
    at = first;
  }
  return { entries, cursor: at };
};

/**
 * The number up to which events are forgotten in the transaction that writes `sequence`; 0 for
 * none. Done in steps of a tenth, so that a log has at most that much more than is to be kept, and
 * few commits pay for it. The newest event is always kept: numbers go on from it.
 */
export const forgottenWith = (sequence: number, kept: number): number => {
  const bound = Math.max(1, Math.trunc(kept));
  const step = Math.max(1, Math.floor(bound / 10));
  return sequence % step === 0 ? Math.max(0, sequence - bound) : 0;
};
