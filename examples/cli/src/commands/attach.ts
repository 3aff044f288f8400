/**
 * attach: the caller's terminal, handed to tmux, and given back as it was.
 *
 * The library looks where the caller is and says what is to be run; here it is run, and what came
 * of it is told. Nothing is ever created, and what is wrong with the call is said before tmux is
 * asked.
 */
import { resolve } from "node:path";
import { type AttachCommand, keyOf, Sessions } from "@troupe/core";
import { Console, Effect } from "effect";
import { callerPlace, clientEnvironment, outcomeOf } from "../Attachment.js";
import { Caller } from "../Caller.js";
import { type CommandFailure, Usage } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { handOver } from "../Handover.js";
import { readKeyFile } from "../KeyFile.js";
import { nearKeys } from "../Near.js";
import * as Options from "../Options.js";
import { commandLine, ending } from "../ProgramText.js";
import { withProgress } from "../Progress.js";
import { AttachResult } from "../Results.js";

const command = "attach";

const usage = (reason: string) => new Usage({ command, reason });

/** The text of the caller's key bindings. */
const keysOf = Effect.fnUntraced(function* (call: Call) {
  const file = call.one(Options.keys);
  if (file === null) return undefined;
  const { cwd } = yield* Caller;
  return yield* Effect.mapError(readKeyFile(resolve(cwd, file)), (reason) =>
    usage(`--keys ${file}: ${reason}`),
  );
});

/** What is wrong with the call, before anything is looked at. */
const check = Effect.fnUntraced(function* (call: Call) {
  const { terminal } = yield* Caller;
  const prefix = call.one(Options.prefix);
  if (prefix !== null && !call.has(Options.nest)) {
    return yield* usage("--prefix is of a nested session, and wants --nest");
  }
  if (prefix !== null && keyOf(prefix) === null) {
    const reason = `--prefix wants a key, such as C-a, and not ${prefix}`;
    return yield* new Usage({ command, reason, near: yield* nearKeys(prefix) });
  }
  if (call.has(Options.print)) return;
  if (!terminal.input) return yield* usage("standard input is not a terminal; --print needs none");
  if (!terminal.output && !call.has(Options.json)) {
    return yield* usage("standard output is not a terminal; --print and --json need none");
  }
});

const told = (command: AttachCommand, outcome: (typeof AttachResult.Type)["outcome"]) => {
  const { argv, exit, how, record } = command;
  const { generation, session, state } = record;
  return { session, generation, state, how, outcome, exit, argv };
};

const show = Effect.fnUntraced(function* (call: Call, attach: AttachCommand) {
  const { environment } = yield* Caller;
  const { session } = attach.record;
  const speaks = !call.has(Options.json);
  const say = (text: string) => (speaks ? Console.error(`troupe attach: ${text}`) : Effect.void);
  if (attach.exit !== null) {
    yield* say(`the program of ${session} has ended (${ending(attach.exit)}); this is its screen`);
  }
  const client = { argv: attach.argv, environment: clientEnvironment(environment), speaks };
  const became = yield* outcomeOf(attach, yield* handOver(client));
  if (became === "ended") yield* say(`session ${session} ended while it was shown`);
  return yield* outcome(AttachResult, told(attach, became), "");
});

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    yield* check(call);
    const keys = yield* keysOf(call);
    const prints = call.has(Options.print);
    const options = {
      from: yield* callerPlace,
      readOnly: call.has(Options.readOnly),
      nest: call.has(Options.nest),
      prefix: call.one(Options.prefix) ?? undefined,
      keys: prints ? undefined : keys,
    };
    const whole = Effect.gen(function* () {
      const sessions = yield* Sessions;
      const attach = yield* sessions
        .attachCommand(call.args[0] ?? "", options)
        .pipe(withProgress("asking tmux"));
      if (!prints) return yield* show(call, attach);
      return yield* outcome(AttachResult, told(attach, "printed"), `${commandLine(attach.argv)}\n`);
    });
    return yield* withSessions(call, whole);
  });

/** `troupe attach` */
export const attach: CommandSpec = {
  name: command,
  alias: null,
  summary: "show a session on this terminal",
  about:
    "Hands the terminal to tmux until you detach (C-b d) or the session ends, which is told and " +
    "exits with 0 as well; then the terminal is as it was. A session whose program has ended is " +
    "shown as it is; one that is lost or deleted is NOT_FOUND. Never creates. Inside this home's " +
    "own tmux server the client is switched. Inside another tmux it is NESTED unless --nest: the " +
    "prefix is then an option of the session, for all of its clients, until the last one leaves. " +
    "A session is never attached to itself: SELF_ATTACH. Key bindings of --keys are the server's " +
    "from then on, for all of its clients; with --print they are checked and not loaded. Wants a " +
    "terminal as standard input, and as standard output unless --json.",
  args: { usage: "NAME", least: 1, most: 1, tail: false },
  options: [Options.readOnly, Options.nest, Options.prefix, Options.keys, Options.print],
  examples: [
    "troupe attach build",
    "troupe attach build --read-only",
    "troupe attach build --nest",
  ],
  run,
};
