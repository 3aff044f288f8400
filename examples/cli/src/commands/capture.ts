/**
 * capture: what a terminal of a session shows now, screen and history.
 *
 * It looks at tmux and changes nothing. Of a terminal that has ended it tells what was kept, and
 * says so on standard error. What was printed and is not shown any more is what `logs` has.
 */
import { Sessions } from "@troupe/core";
import { Clock, Console, Effect } from "effect";
import { ageText } from "../Age.js";
import type { Caller } from "../Caller.js";
import { type CommandFailure, Usage } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { countOf } from "../Count.js";
import * as Options from "../Options.js";
import { withProgress } from "../Progress.js";
import { CaptureResult } from "../Results.js";

const command = "capture";

const linesOf = (call: Call): Effect.Effect<number | null | undefined, Usage> =>
  Effect.gen(function* () {
    const lines = yield* countOf(call, Options.lines, command);
    if (!call.has(Options.allLines)) return lines ?? undefined;
    if (lines === null) return null;
    return yield* new Usage({ command, reason: "--all and --lines say different things" });
  });

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const session = call.args[0] ?? "";
    const options = {
      lines: yield* linesOf(call),
      terminal: call.one(Options.terminal) ?? undefined,
      join: call.has(Options.join),
      ansi: call.has(Options.ansi),
    };
    const shown = yield* Effect.flatMap(Sessions, (all) => all.capture(session, options)).pipe(
      withProgress("asking tmux"),
      (work) => withSessions(call, work),
    );
    const { keptAt, terminal } = shown;
    if (keptAt !== null && !call.has(Options.json)) {
      const age = ageText(keptAt, yield* Clock.currentTimeMillis);
      const kept = `${terminal} of ${session} is gone: this was kept of it ${age} ago`;
      yield* Console.error(`troupe ${command}: ${kept}`);
    }
    return yield* outcome(
      CaptureResult,
      { session, ...shown },
      shown.text === "" ? "" : `${shown.text}\n`,
    );
  });

/** `troupe capture` */
export const capture: CommandSpec = {
  name: command,
  alias: null,
  summary: "what a terminal shows",
  about:
    "Prints the newest lines of the terminal's screen and history. In JSON, truncated says that " +
    "there is more above them, or may have been: tmux keeps 50000 lines and drops the oldest. " +
    "first is which line they begin with, where that is known. Of a session or terminal that was " +
    "deleted it is what was kept of it (joined, without colours), and keptAt says since when; " +
    "without that it is NOT_FOUND, and troupe logs has its output.",
  args: { usage: "NAME", least: 1, most: 1, tail: false },
  options: [Options.lines, Options.allLines, Options.ansi, Options.join, Options.terminal],
  examples: ["troupe capture build", "troupe capture build --all --join | grep -i error"],
  run,
};
