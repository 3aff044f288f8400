/**
 * terminal list: the terminals of one session, with their programs as tmux shows them just now.
 *
 * Nothing is left out: one that is gone is told as that, and so are those of a session that ended.
 * When tmux cannot be asked, the rows are told all the same, and the failure beside them.
 */
import { Sessions } from "@troupe/core";
import { Effect } from "effect";
import { Caller } from "../Caller.js";
import type { CommandFailure } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { withProgress } from "../Progress.js";
import { TerminalListResult } from "../Results.js";
import { shownTerminals } from "../ShownTerminals.js";
import { terminalTable } from "../TerminalText.js";
import { unseen } from "../Unseen.js";

const command = "terminal list";

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const { paper } = yield* Caller;
    const session = call.args[0] ?? "";
    const view = yield* Effect.flatMap(Sessions, (sessions) => sessions.get(session)).pipe(
      withProgress("asking tmux"),
      (work) => withSessions(call, work),
    );
    const { generation } = view;
    const terminals = shownTerminals(view);
    const result = { session: view.session, generation, terminals };
    const text = terminals.length === 0 ? "no terminals\n" : terminalTable(terminals, paper);
    return yield* outcome(TerminalListResult, result, text, unseen(view, command));
  });

/** `troupe terminal list` */
export const terminalList: CommandSpec = {
  name: command,
  alias: null,
  summary: "the terminals of a session",
  about:
    "Lists every terminal that the session has or had, in the order in which they were made. " +
    "STATE is what the registry knows: running, exited (the program ended, its screen is kept), " +
    "gone, or an intent that is under way. PID and EXIT are what tmux shows just now. A session " +
    "that ended is shown too. Changes nothing.",
  args: { usage: "NAME", least: 1, most: 1, tail: false },
  options: [],
  examples: [
    "troupe terminal list build",
    "troupe terminal list build --json | jq -r '.result.terminals[].terminal'",
  ],
  run,
};
