/**
 * create: a new session with one terminal.
 *
 * The words become options of the library and nothing more; what a good name, directory, program
 * or variable is, the library decides. Values are redacted before anything else happens to them.
 */
import { Sessions } from "@troupe/core";
import { Effect } from "effect";
import { Caller } from "../Caller.js";
import { type CommandFailure, Usage } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { durationOf, limitOf } from "../Duration.js";
import { environmentOf } from "../Environment.js";
import { directoryOf } from "../Location.js";
import * as Options from "../Options.js";
import { withProgress } from "../Progress.js";
import { SessionDetails } from "../Results.js";
import { sessionDetails, sessionTable } from "../SessionText.js";

const command = "create";

/** A width or height; tmux takes no more than 10 000. */
const cells = (call: Call, option: Options.Value): Effect.Effect<number | undefined, Usage> => {
  const text = call.one(option);
  if (text === null) return Effect.succeed(undefined);
  const reason = `--${option.name} wants a whole number from 1 to 10000`;
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= 10_000
    ? Effect.succeed(number)
    : Effect.fail(new Usage({ command, reason }));
};

/** What is not recorded cannot be known to be idle. */
const checkRecorded = (call: Call): Effect.Effect<void, Usage> => {
  if (!call.has(Options.noLog) || call.one(Options.idleTtl) === null) return Effect.void;
  const reason = "--idle-ttl and --no-log exclude each other: output that is not kept is not known";
  return Effect.fail(new Usage({ command, reason }));
};

const optionsOf = (call: Call) =>
  Effect.gen(function* () {
    yield* checkRecorded(call);
    const session = call.args[0] ?? "";
    const checked = { session, attempted: command };
    return {
      session,
      command: call.tail ?? undefined,
      cwd: yield* directoryOf(checked, call.one(Options.cwd) ?? "."),
      columns: yield* cells(call, Options.columns),
      rows: yield* cells(call, Options.rows),
      ttlMs: yield* limitOf(call, Options.ttl, command),
      idleTtlMs: yield* limitOf(call, Options.idleTtl, command),
      startWindowMs: yield* durationOf(call, Options.startWindow, command),
      requestId: call.one(Options.requestId) ?? undefined,
      replace: call.has(Options.replace),
      inheritEnv: call.has(Options.inheritEnv),
      log: !call.has(Options.noLog),
      env: yield* environmentOf(call, checked),
    };
  });

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const options = yield* optionsOf(call);
    const { paper } = yield* Caller;
    const view = yield* Effect.flatMap(Sessions, (sessions) => sessions.create(options)).pipe(
      withProgress(`creating ${JSON.stringify(options.session)}`),
      (work) => withSessions(call, work),
    );
    const details = sessionDetails(view);
    return yield* outcome(SessionDetails, details, sessionTable([details], paper));
  });

/** `troupe create` */
export const create: CommandSpec = {
  name: command,
  alias: null,
  summary: "a new session with one terminal",
  about:
    "Starts COMMAND in a new session, or the login shell without one. COMMAND is looked up on " +
    "PATH before anything is done, and run as it stands: everything behind -- reaches it " +
    "unchanged and no shell reads it. Done means that tmux shows the session, that the program " +
    "lived through the start window, and that the registry says running. A program that ends in " +
    "the window with another code than 0 is a failure with its code and last output, and " +
    "everything is undone; one that ends with 0 leaves a session in state exited. With --ttl or " +
    "--idle-ttl the session is deleted, as delete does it, by the first reconcile behind that " +
    "time, or by a program that hosts sessions of this home; the event says which limit passed. " +
    "A doubt deletes nothing.",
  args: { usage: "NAME", least: 1, most: 1, tail: true },
  options: [
    Options.cwd,
    Options.env,
    Options.envFile,
    Options.inheritEnv,
    Options.columns,
    Options.rows,
    Options.startWindow,
    Options.ttl,
    Options.idleTtl,
    Options.requestId,
    Options.replace,
    Options.noLog,
  ],
  examples: [
    "troupe create build --cwd /repo -- npm run build",
    "TOKEN=… troupe create agent --env TOKEN -- my-agent --verbose",
    "troupe create shell",
    "troupe create try --ttl 8h --idle-ttl 30m -- my-agent",
  ],
  run,
};
