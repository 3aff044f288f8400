/**
 * terminal delete: ends one terminal of a session, and says so only when it has ended.
 *
 * The last one takes its session with it, which the library refuses while somebody else has windows
 * in that. A word that no terminal can be called by is a wrong call, such as an empty one: it is
 * not looked up.
 */
import { Sessions, TerminalDeleteResult, TerminalId } from "@troupe/core";
import { Effect, Schema } from "effect";
import type { Caller } from "../Caller.js";
import { type CommandFailure, Usage } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { durationOf } from "../Duration.js";
import * as Options from "../Options.js";
import { withProgress } from "../Progress.js";

const command = "terminal delete";
const isTerminal = Schema.is(TerminalId);

const textOf = (done: TerminalDeleteResult): string => {
  const { alreadyGone, session, sessionDeleted, terminal } = done;
  const beside = sessionDeleted ? ", and the session is deleted with it" : "";
  return alreadyGone
    ? `${terminal} of ${session} was gone already${beside}\n`
    : `deleted ${terminal} of ${session}${beside}\n`;
};

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const [session = "", terminal = ""] = call.args;
    if (!isTerminal(terminal)) {
      const reason = "TERMINAL wants the name of a terminal such as t2; terminal list shows them";
      return yield* new Usage({ command, reason });
    }
    const graceMs = yield* durationOf(call, Options.grace, command);
    const options = { graceMs, force: call.has(Options.force) };
    const done = yield* Effect.flatMap(Sessions, (sessions) =>
      sessions.deleteTerminal(session, terminal, options),
    ).pipe(withProgress("deleting"), (work) => withSessions(call, work));
    return yield* outcome(TerminalDeleteResult, done, textOf(done));
  });

/** `troupe terminal delete` */
export const terminalDelete: CommandSpec = {
  name: command,
  alias: null,
  summary: "ends one terminal of a session",
  about:
    "Done means: tmux confirmed that the terminal's window is gone, every process of it is gone, " +
    "and the registry says gone; the other terminals are not touched. One that was gone already " +
    "is success with alreadyGone true; one that never was is exit code 3. Deleting the last one " +
    "deletes the session, with sessionDeleted true; while the session has windows that somebody " +
    "else made, that is refused with exit code 7 and nothing is done.",
  args: { usage: "NAME TERMINAL", least: 2, most: 2, tail: false },
  options: [Options.grace, Options.force],
  examples: ["troupe terminal delete build t2", "troupe terminal delete build t2 --grace 0 --json"],
  run,
};
