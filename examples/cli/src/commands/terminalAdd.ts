/**
 * terminal add: a further terminal of a session that is there.
 *
 * A command line holds nothing of the session from before, so values that the session was made
 * with are given again, or left out on purpose; the library names what is missing. What is not
 * said of the directory is the session's own and not the caller's.
 */
import { AddedTerminal, Sessions } from "@troupe/core";
import { Effect } from "effect";
import type { Caller } from "../Caller.js";
import type { CommandFailure } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { durationOf } from "../Duration.js";
import { environmentOf } from "../Environment.js";
import { directoryOf } from "../Location.js";
import * as Options from "../Options.js";
import { ending } from "../ProgramText.js";
import { withProgress } from "../Progress.js";

const command = "terminal add";

const optionsOf = (call: Call) =>
  Effect.gen(function* () {
    const session = call.args[0] ?? "";
    const checked = { session, attempted: "add a terminal" };
    const cwd = call.one(Options.terminalCwd);
    return {
      session,
      command: call.tail ?? undefined,
      cwd: cwd === null ? undefined : yield* directoryOf(checked, cwd),
      startWindowMs: yield* durationOf(call, Options.startWindow, command),
      withoutEnv: call.has(Options.withoutEnv),
      env: yield* environmentOf(call, checked),
    };
  });

const textOf = ({ session, terminal: { exit, terminal } }: AddedTerminal): string => {
  const ended = exit === null ? "" : `, where the program ended already: ${ending(exit)}`;
  return `added ${terminal} to ${session}${ended}\n`;
};

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const options = yield* optionsOf(call);
    const added = yield* Effect.flatMap(Sessions, (sessions) => sessions.addTerminal(options)).pipe(
      withProgress(`adding a terminal to ${JSON.stringify(options.session)}`),
      (work) => withSessions(call, work),
    );
    return yield* outcome(AddedTerminal, added, textOf(added));
  });

/** `troupe terminal add` */
export const terminalAdd: CommandSpec = {
  name: command,
  alias: null,
  summary: "a further terminal of a session",
  about:
    "Starts COMMAND in a further terminal, a tmux window of its own, or the login shell without " +
    "one, and says which terminal it became. As with create, it is all or nothing: on any " +
    "failure the terminal is undone, and the others are not touched. Values that the session " +
    "was made with are not kept anywhere, so they are given again; else the exit code is 2 and " +
    "error.details.variables names them. --without-env starts without them.",
  args: { usage: "NAME", least: 1, most: 1, tail: true },
  options: [
    Options.terminalCwd,
    Options.env,
    Options.envFile,
    Options.withoutEnv,
    Options.startWindow,
  ],
  examples: [
    "troupe terminal add build -- npm run watch",
    "TOKEN=… troupe terminal add agent --env TOKEN -- my-agent --verbose",
    "troupe terminal add agent --without-env",
  ],
  run,
};
