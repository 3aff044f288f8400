/**
 * send: input for a terminal of a session: text, then keys, then Enter.
 *
 * Input that cannot be sent is a wrong call, found before the library is asked. What may or may not
 * have arrived is told with the result and fails the command all the same: a script that takes 0
 * for done is right, and one that sends again knows what that means.
 */
import { inputProblem, keyOf, type SendResult as Sent, Sessions, Settings } from "@troupe/core";
import { Effect } from "effect";
import { Caller } from "../Caller.js";
import { type CommandFailure, Usage } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { nearKeys } from "../Near.js";
import * as Options from "../Options.js";
import { withProgress } from "../Progress.js";
import { SendResult } from "../Results.js";

const command = "send";

const usage = (reason: string) => new Usage({ command, reason });

/** The text, from the words or from standard input, of which no more is read than can be sent. */
const textOf = (call: Call, bound: number): Effect.Effect<string | Uint8Array, Usage, Caller> =>
  Effect.gen(function* () {
    const [, text] = call.args;
    if (!call.has(Options.stdin)) return text ?? "";
    if (text !== undefined) return yield* usage("TEXT and --stdin say different things");
    const { read } = yield* Caller;
    return yield* read(bound + 1).pipe(
      Effect.mapError((why) => usage(`standard input cannot be read: ${why}`)),
    );
  });

const inputOf = (call: Call) =>
  Effect.gen(function* () {
    const keys = call.all(Options.key);
    const enter = call.has(Options.enter);
    const nothing = call.args.length === 1 && !call.has(Options.stdin);
    if (nothing && keys.length === 0 && !enter) {
      return yield* usage("there is nothing to send: TEXT, --stdin, --key or --enter");
    }
    const { inputBytes } = yield* Settings;
    const input = { text: yield* textOf(call, inputBytes), keys, enter };
    const problem = inputProblem(input, inputBytes);
    if (problem === null) return input;
    const word = keys.find((key) => keyOf(key) === null);
    const near = word === undefined ? [] : yield* nearKeys(word);
    return yield* new Usage({ command, reason: problem, near });
  });

const amount = ({ bytes, keys }: Sent): string => {
  const parts = [bytes === 1 ? "1 byte" : `${bytes} bytes`, keys === 1 ? "1 key" : `${keys} keys`];
  const sent = parts.filter((_, at) => [bytes, keys][at] !== 0);
  return sent.length === 0 ? "nothing" : sent.join(" and ");
};

const humanOf = (sent: Sent): string =>
  sent.status === "delivered"
    ? `sent ${amount(sent)} to ${sent.terminal} of ${sent.session}\n`
    : "";

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const session = call.args[0] ?? "";
    const input = yield* inputOf(call);
    const terminal = call.one(Options.terminal) ?? undefined;
    const sent = yield* Effect.flatMap(Sessions, (sessions) =>
      sessions.send(session, input, { terminal }),
    ).pipe(withProgress("sending"), (work) => withSessions(call, work));
    const { doubt, ...result } = sent;
    return yield* outcome(SendResult, result, humanOf(sent), doubt);
  });

/** `troupe send` */
export const send: CommandSpec = {
  name: command,
  alias: null,
  summary: "input for a terminal",
  about:
    "Sends TEXT, or all of standard input, byte for byte and as one block, then each KEY in " +
    "order, then Enter; copy mode is left first, and a program that asked for bracketed paste " +
    "gets one. Keys wait 0.3 seconds behind text. TEXT is visible in your own process list, and " +
    "refused when it is not UTF-8; what --stdin reads is neither, and a NUL in it is refused. Exit code 0 means that tmux " +
    "confirmed that the terminal got it (status delivered): no one can know when the program " +
    "reads it. A terminal whose program has ended is TMUX_REFUSED. With exit code 5 " +
    "LOOKUP_FAILED nothing was sent, but for one case: when there is a result with status " +
    "unconfirmed, some or all of it may have been delivered, error.details.detail says what " +
    "is not known, and retryable is false. Nothing is ever sent twice. TEXT that begins with " +
    "- stands behind --.",
  args: { usage: "NAME [TEXT]", least: 1, most: 2, tail: false },
  options: [Options.stdin, Options.enter, Options.key, Options.terminal],
  examples: [
    'troupe send build "npm test" --enter',
    "troupe send agent --stdin --enter < prompt.md",
    "troupe send build --key C-c",
    "troupe send build -- --version",
  ],
  run,
};
