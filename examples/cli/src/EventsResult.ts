/**
 * EventsResult: the schema of the lines that `events` writes.
 *
 * A line is what happened, or what is to be said of the log itself; each has a `type`.
 */
import {
  IncarnationId,
  ProgramExit,
  SessionName,
  SessionState,
  TerminalId,
  TerminalState,
} from "@troupe/core";
import { Schema } from "effect";
import { Instant } from "./Instant.js";
import { lostLease } from "./LeaseResult.js";

const eventFields = {
  sequence: Schema.Int,
  at: Instant,
  session: SessionName,
  generation: Schema.Int,
  incarnation: IncarnationId,
};

/**
 * One line of `events`: what happened, discriminated by `type`. `gap`: what was behind `after` and
 * before `first` is not kept any more, or `after` is not of this log, when `first` is not behind
 * it. `pause`: the last line of a call that does not follow, with where a later one goes on.
 */
export const EventsResult = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("session"),
    ...eventFields,
    state: SessionState,
    cause: Schema.NullOr(Schema.String),
  }),
  Schema.Struct({
    type: Schema.Literal("terminal"),
    ...eventFields,
    terminal: TerminalId,
    state: TerminalState,
    exit: Schema.NullOr(ProgramExit),
  }),
  Schema.Struct({ type: Schema.Literal("late"), ...eventFields, cause: Schema.String }),
  Schema.Struct({ ...eventFields, ...lostLease.fields }),
  Schema.Struct({ type: Schema.Literal("gap"), after: Schema.Int, first: Schema.Int }),
  Schema.Struct({
    type: Schema.Literal("unreadable"),
    sequence: Schema.Int,
    session: Schema.String,
    detail: Schema.String,
  }),
  Schema.Struct({ type: Schema.Literal("pause"), sequence: Schema.Int }),
);
export type EventsResult = typeof EventsResult.Type;
