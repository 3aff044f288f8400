/**
 * EventLog: what a page tells a cursor, and how much of a log is forgotten when.
 */
import { describe, expect, it } from "@effect/vitest";
import {
  type EventPage,
  forgottenWith,
  IncarnationId,
  LogEntry,
  type SessionEvent,
  SessionName,
  toldAfter,
} from "@troupe/core";
import { Schema } from "effect";

const event = (sequence: number): SessionEvent => ({
  sequence,
  at: 1000 + sequence,
  session: SessionName.make("a"),
  generation: 1,
  incarnation: IncarnationId.make("incarnation-1"),
  body: { type: "session", state: "running", cause: null },
});

const page = (first: number, last: number, numbers: ReadonlyArray<number>): EventPage => ({
  first,
  last,
  events: numbers.map(event),
  unreadable: [],
});

/** The entries in short: numbers of events, and gaps as text. */
const told = (cursor: number, from: EventPage) => {
  const { cursor: next, entries } = toldAfter(cursor, from);
  const short = entries.map((entry) =>
    entry.type === "gap" ? `${entry.after}..${entry.first}` : `${entry.type} ${entry.sequence}`,
  );
  return { short, next };
};

describe("a page", () => {
  it("tells every event behind the cursor, and the cursor behind the last of them", () => {
    expect(told(0, page(1, 2, [1, 2]))).toEqual({ short: ["event 1", "event 2"], next: 2 });
    expect(told(2, page(1, 9, [3]))).toEqual({ short: ["event 3"], next: 3 });
  });

  it("tells a cursor at the end nothing, and leaves it where it is", () => {
    expect(told(2, page(1, 2, []))).toEqual({ short: [], next: 2 });
    expect(told(0, page(1, 0, []))).toEqual({ short: [], next: 0 });
  });

  it("tells a cursor older than what is kept of a gap, with the first kept number", () => {
    expect(told(3, page(7, 8, [7, 8]))).toEqual({
      short: ["3..7", "event 7", "event 8"],
      next: 8,
    });
  });

  it("tells no gap when what is not kept is known already", () => {
    expect(told(6, page(7, 8, [7]))).toEqual({ short: ["event 7"], next: 7 });
  });

  it("tells a gap in the middle where it is", () => {
    expect(told(1, page(1, 6, [2, 5]))).toEqual({ short: ["event 2", "2..5", "event 5"], next: 5 });
  });

  it("tells a cursor that is ahead of the log that the log is another one", () => {
    expect(told(500, page(1, 3, []))).toEqual({ short: ["500..1"], next: 0 });
    expect(told(500, page(1, 0, []))).toEqual({ short: [], next: 500 });
  });

  it("tells what cannot be read in its place, and hides no other for it", () => {
    const bad = { sequence: 2, session: "a", detail: "garbage" };
    const damaged = { ...page(1, 3, [1, 3]), unreadable: [bad] };
    expect(told(0, damaged)).toEqual({ short: ["event 1", "unreadable 2", "event 3"], next: 3 });
    expect(told(1, { ...page(1, 2, []), unreadable: [bad] })).toEqual({
      short: ["unreadable 2"],
      next: 2,
    });
  });

  it("tells entries that are what their schema says", () => {
    const damaged = { ...page(5, 9, [5, 9]), unreadable: [{ ...event(7), detail: "garbage" }] };
    const { entries } = toldAfter(1, damaged);
    const decode = Schema.decodeUnknownSync(Schema.Array(LogEntry));
    expect(decode(JSON.parse(JSON.stringify(entries)))).toHaveLength(6);
  });
});

describe("what is forgotten", () => {
  /** How many events are kept behind each of the first `total` writes, at least and at most. */
  const kept = (bound: number, total: number): readonly [number, number] => {
    let first = 1;
    const counts: Array<number> = [];
    for (let sequence = 1; sequence <= total; sequence++) {
      first = Math.max(first, forgottenWith(sequence, bound) + 1);
      if (sequence >= bound) counts.push(sequence - first + 1);
    }
    return [Math.min(...counts), Math.max(...counts)];
  };

  it("leaves the bound, and at most a tenth more", () => {
    expect(kept(10_000, 40_000)).toEqual([10_000, 10_999]);
    expect(kept(20, 500)).toEqual([20, 21]);
    expect(kept(5, 500)).toEqual([5, 5]);
  });

  it("is never the newest event, whatever the bound", () => {
    expect([kept(1, 50), kept(0, 50), kept(-3, 50)]).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
  });
});
