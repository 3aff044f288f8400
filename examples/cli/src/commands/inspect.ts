/**
 * inspect: everything that is known of one session.
 *
 * Names of environment values and never values. When tmux cannot be asked, what the registry knows
 * is told all the same, and the failure beside it.
 */
import { Sessions } from "@troupe/core";
import { Effect } from "effect";
import { Caller } from "../Caller.js";
import type { CommandFailure } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { withProgress } from "../Progress.js";
import { SessionDetails } from "../Results.js";
import { sessionDetails, sessionText } from "../SessionText.js";
import { unseen } from "../Unseen.js";

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const { colour } = yield* Caller;
    const session = call.args[0] ?? "";
    const view = yield* Effect.flatMap(Sessions, (sessions) => sessions.get(session)).pipe(
      withProgress("asking tmux"),
      (work) => withSessions(call, work),
    );
    const details = sessionDetails(view);
    const text = sessionText(details, colour);
    return yield* outcome(SessionDetails, details, text, unseen(view, "inspect"));
  });

/** `troupe inspect` */
export const inspect: CommandSpec = {
  name: "inspect",
  alias: null,
  summary: "everything known of one session",
  about:
    "Shows state and what tmux says just now, the program and how it ended, terminals with their " +
    "pids, names of environment values (never values), generation, incarnation and claim. A " +
    "session that ended is shown too. Changes nothing.",
  args: { usage: "NAME", least: 1, most: 1, tail: false },
  options: [],
  examples: ["troupe inspect build", "troupe inspect build --json | jq .result.state"],
  run,
};
