/**
 * logs: what a terminal printed, as it was recorded, and with `--follow` what it prints.
 *
 * A person gets the bytes as they are, and what is missing of them on standard error. A program
 * gets a line for each piece, a gap for what is not kept any more, and a last line that says why
 * it is the last, or where a later call goes on.
 */
import { type OutputElement, Sessions } from "@troupe/core";
import { Console, Effect, Schema, Stream } from "effect";
import { Caller } from "../Caller.js";
import type { CommandFailure } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, written } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { countOf } from "../Count.js";
import { envelope } from "../Envelope.js";
import { LogsText } from "../LogsText.js";
import * as Options from "../Options.js";
import { LogsResult } from "../Results.js";

const command = "logs";

type Write = (element: OutputElement) => Effect.Effect<void>;

const encode = Schema.encodeSync(LogsResult);

const lines = (results: ReadonlyArray<LogsResult>): string =>
  results.map((result) => envelope(command, encode(result), null)).join("");

/** What is to be said of an element beside its bytes, to a person. */
const remark = (element: OutputElement): string | null => {
  if (element.type !== "gap") return null;
  const { sequence, to } = element;
  return to === null
    ? `recording broke off at ${sequence}: what was printed behind it is not known`
    : `bytes ${sequence} to ${to} are not kept any more`;
};

const toPerson =
  (caller: Caller["Type"]): Write =>
  (element) => {
    if (element.type === "data") return caller.write(element.data);
    const text = remark(element);
    return text === null ? Effect.void : Console.error(`troupe ${command}: ${text}`);
  };

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const caller = yield* Caller;
    const session = call.args[0] ?? "";
    const from = (yield* countOf(call, Options.since, command)) ?? 0;
    const terminal = call.one(Options.terminal) ?? undefined;
    const incarnation = call.one(Options.incarnation) ?? undefined;
    const options = { from, terminal, incarnation, follow: call.has(Options.follow) };
    const text = new LogsText(from);
    let ended = false;
    const toProgram: Write = (element) => {
      ended = element.type === "end";
      const told = lines(text.linesOf(element));
      return told === "" ? Effect.void : caller.write(told);
    };
    const json = call.has(Options.json);
    const write = json ? toProgram : toPerson(caller);
    const read = Effect.flatMap(Sessions, (sessions) =>
      Stream.runForEach(sessions.output(session, options), write),
    );
    yield* withSessions(call, read);
    if (json && !ended) yield* caller.write(lines(text.pause()));
    return written;
  });

/** `troupe logs` */
export const logs: CommandSpec = {
  name: command,
  alias: null,
  summary: "what a terminal printed",
  about:
    "Prints the recorded output of a terminal, from its first byte or from --since on, also of a " +
    "session that has ended; the newest few megabytes are kept. With --follow it goes on until " +
    "the program ended, or its session was deleted or lost. With --json each line is an object: " +
    "data with its sequence and next, a gap for what is not kept any more, and at last an end " +
    "with its reason, or a pause with the sequence to go on at. A sequence counts within one " +
    "incarnation, which each line names: to go on where the name may have been created or " +
    "restored since, give it with --incarnation. Text that is not all of the bytes stands beside " +
    "them in base64.",
  args: { usage: "NAME", least: 1, most: 1, tail: false },
  options: [Options.follow, Options.since, Options.incarnation, Options.terminal],
  examples: [
    "troupe logs build --follow",
    "troupe logs agent --since 4096 --json | jq -r .result.text",
  ],
  run,
};
