/**
 * EventText: the lifecycle log as results and as lines of text.
 *
 * Lines are written as they come, so their columns have fixed least widths. How long ago an event
 * was is told of what is past; a line that stays while others follow tells the time itself. What is
 * missing or cannot be read is no line of the log: it is a remark beside it.
 */
import type { LogEntry, SessionEventBody } from "@troupe/core";
import { DateTime } from "effect";
import { ageText } from "./Age.js";
import { ending } from "./ProgramText.js";
import type { EventsResult } from "./Results.js";
import { printableLine } from "./Table.js";

/** An entry as a result. */
export const eventResult = (entry: LogEntry): EventsResult => {
  if (entry.type !== "event") return entry;
  const { body, type: _, ...facts } = entry;
  return { ...facts, ...body };
};

const columns = (
  sequence: string,
  at: string,
  isTime: boolean,
  session: string,
  event: string,
): string =>
  `${sequence.padStart(6)}  ${at.padEnd(isTime ? 24 : 4)}  ${session.padEnd(16)}  ${event}\n`;

/** The line above the others; `now` is `null` while the log is followed. */
export const eventHeads = (now: number | null): string =>
  columns("SEQ", now === null ? "AT" : "AGE", now === null, "SESSION", "EVENT");

const happenedText = (body: SessionEventBody): string => {
  switch (body.type) {
    case "late":
      return `late: ${body.cause}`;
    case "session":
      return `${body.state}${body.cause === null ? "" : `: ${body.cause}`}`;
    case "terminal": {
      const how = body.exit === null ? "" : `: ${ending(body.exit)}`;
      return `terminal ${body.terminal} ${body.state}${how}`;
    }
    case "lease":
      return `lease ${body.state}: of ${body.pid === null ? body.holder : `process ${body.pid}`}`;
  }
};

/** The line of an event; empty for what is a remark. */
export const eventLine = (entry: LogEntry, now: number | null): string => {
  if (entry.type !== "event") return "";
  const { at, body, generation, sequence, session } = entry;
  const happened = happenedText(body);
  const time = now === null ? DateTime.formatIso(DateTime.unsafeMake(at)) : ageText(at, now);
  const name = `${session}/${generation}`;
  return columns(String(sequence), time, now === null, name, printableLine(happened));
};

/** What is to be said of an entry that is no event; `null` for an event. */
export const eventRemark = (entry: LogEntry): string | null => {
  if (entry.type === "unreadable") {
    return `event ${entry.sequence} cannot be read: ${printableLine(entry.detail)}`;
  }
  if (entry.type !== "gap") return null;
  const { after, first } = entry;
  return first > after
    ? `events ${after + 1} to ${first - 1} are not kept any more`
    : `event ${after} is not of this log, which begins at ${first}`;
};
