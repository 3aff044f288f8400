/**
 * events: the lifecycle log of a home, and with `--follow` what happens from now on.
 *
 * It tells what every program on the home did, in one order. A person gets a line for each event
 * and what is missing on standard error; a program gets all of it as lines of JSON, and at last,
 * unless it follows, where a later call goes on. Changes nothing and makes nothing.
 */
import { type LogEntry, RegistryCorrupt, Sessions } from "@troupe/core";
import { Clock, Console, Effect, Schema, Stream } from "effect";
import { Caller } from "../Caller.js";
import type { CommandFailure } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, written } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { countOf } from "../Count.js";
import { envelope } from "../Envelope.js";
import { eventHeads, eventLine, eventRemark, eventResult } from "../EventText.js";
import * as Options from "../Options.js";
import { EventsResult } from "../Results.js";

const command = "events";

type Write = (entry: LogEntry) => Effect.Effect<void>;

const encode = Schema.encodeSync(EventsResult);

const lineOf = (result: EventsResult): string => envelope(command, encode(result), null);

const toProgram =
  (caller: Caller["Type"]): Write =>
  (entry) =>
    caller.write(lineOf(eventResult(entry)));

/** The heads come with the first event. */
const toPerson = (caller: Caller["Type"], now: number | null): Write => {
  let heads = eventHeads(now);
  return (entry) => {
    const remark = eventRemark(entry);
    if (remark !== null) return Console.error(`troupe ${command}: ${remark}`);
    const line = heads + eventLine(entry, now);
    heads = "";
    return caller.write(line);
  };
};

/** What a call that does not follow was told: how much, how far, and what it could not read. */
interface Told {
  readonly count: number;
  readonly sequence: number;
  readonly failure: RegistryCorrupt | null;
}

const toldWith = (told: Told, entry: LogEntry): Told => {
  const sequence = entry.type === "gap" ? entry.first - 1 : entry.sequence;
  const { detail, session } = entry.type === "unreadable" ? entry : { detail: null, session: null };
  const failure =
    detail === null ? null : new RegistryCorrupt({ session, attempted: command, detail });
  return { count: told.count + 1, sequence, failure: told.failure ?? failure };
};

/** A name that was never used is no empty log. */
const mustBeKnown = (session: string) =>
  Effect.flatMap(Sessions, (sessions) => Effect.asVoid(sessions.get(session)));

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const caller = yield* Caller;
    const [session] = call.args;
    const since = (yield* countOf(call, Options.eventsSince, command)) ?? 0;
    const follow = call.has(Options.followEvents);
    const json = call.has(Options.json);
    const now = follow ? null : yield* Clock.currentTimeMillis;
    const write = json ? toProgram(caller) : toPerson(caller, now);
    const read = Effect.gen(function* () {
      const sessions = yield* Sessions;
      const nothing: Told = { count: 0, sequence: since, failure: null };
      const told = yield* Stream.runFoldEffect(
        sessions.events({ session, since, follow }),
        nothing,
        (before, entry) => Effect.as(write(entry), toldWith(before, entry)),
      );
      if (told.count === 0 && session !== undefined) yield* mustBeKnown(session);
      return told;
    });
    const { count, failure, sequence } = yield* withSessions(call, read);
    if (json) yield* caller.write(lineOf({ type: "pause", sequence }));
    return { ...written, human: count === 0 ? "no events\n" : "", failure };
  });

/** `troupe events` */
export const events: CommandSpec = {
  name: command,
  alias: null,
  summary: "the lifecycle log of this home",
  about:
    "Prints every change of state of every session, or of NAME alone, in the order in which " +
    "they happened, whichever program made them; terminals before their session. With --follow " +
    "it goes on until it is ended. The newest ten thousand or so are kept: what is missing " +
    "behind --since is told. With --json each line is an object: session, terminal, lease or " +
    "late with its sequence, a gap with the first number that is kept, and at last a pause with " +
    "the sequence to go on at. Changes nothing and makes nothing.",
  args: { usage: "[NAME]", least: 0, most: 1, tail: false },
  options: [Options.followEvents, Options.eventsSince],
  examples: [
    "troupe events --follow",
    "troupe events build --since 120 --json | jq -r .result.state",
  ],
  run,
};
