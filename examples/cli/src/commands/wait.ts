/**
 * wait: returns as soon as something holds of a terminal, and says so by its exit code.
 *
 * It changes nothing, whatever it ends with. What is a condition, the library decides; here it is
 * made of the options, of which exactly one is given.
 */
import { conditionProblem, Sessions, type WaitCondition } from "@troupe/core";
import { Effect } from "effect";
import type { Caller } from "../Caller.js";
import { type CommandFailure, Usage } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { durationOf } from "../Duration.js";
import * as Options from "../Options.js";
import { ending } from "../ProgramText.js";
import { withProgress } from "../Progress.js";
import { WaitResult } from "../Results.js";
import { printableLine } from "../Table.js";

const command = "wait";

const usage = (reason: string) => new Usage({ command, reason });

/** The one condition of the call. */
const conditionOf = (call: Call): Effect.Effect<WaitCondition, Usage> =>
  Effect.gen(function* () {
    const text = call.one(Options.text);
    const regex = call.one(Options.regex);
    const idleMs = yield* durationOf(call, Options.idle, command);
    const given: ReadonlyArray<WaitCondition> = [
      ...(text === null ? [] : [{ text }]),
      ...(regex === null ? [] : [{ regex }]),
      ...(idleMs === undefined ? [] : [{ idleMs }]),
      ...(call.has(Options.exit) ? [{ exit: true } as const] : []),
    ];
    const [condition] = given;
    if (condition === undefined || given.length > 1) {
      return yield* usage("exactly one of --text, --regex, --idle and --exit is wanted");
    }
    const problem = conditionProblem(condition);
    return problem === null ? condition : yield* usage(problem);
  });

const humanOf = ({ exit, line, terminal, session }: typeof WaitResult.Type): string => {
  if (line !== null) return `${printableLine(line)}\n`;
  const where = `${terminal} of ${session}`;
  return exit === null ? `${where} is quiet\n` : `${where} ended: ${ending(exit)}\n`;
};

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const session = call.args[0] ?? "";
    const condition = yield* conditionOf(call);
    const timeoutMs = yield* durationOf(call, Options.timeout, command);
    const options = { timeoutMs, terminal: call.one(Options.terminal) ?? undefined };
    const waited = yield* Effect.flatMap(Sessions, (sessions) =>
      sessions.wait(session, condition, options),
    ).pipe(withProgress(`waiting for ${session}`), (work) => withSessions(call, work));
    return yield* outcome(WaitResult, waited, humanOf(waited));
  });

/** `troupe wait` */
export const wait: CommandSpec = {
  name: command,
  alias: null,
  summary: "returns as soon as a condition holds",
  about:
    "Waits until a line has the text or matches the pattern, until nothing was printed for so " +
    "long, or until the program ended. Lines are those of the screen and its scrollback, as " +
    "capture --all --join shows them, blanks at their ends aside; what is there already holds at " +
    "once, so to wait for an answer, wait for what the question does not have in it. What was " +
    "shown and cleared in a moment may be missed. Exit code 0 means that it holds; --exit tells " +
    "in result.exit how the program ended. 11 means that it did not come true in time, or that " +
    "the program ended and it never can (error.details.reason); error.details.screen is what was " +
    "seen last. A session that is deleted or lost meanwhile is exit code 3 at once; 5 means that " +
    "tmux could not be asked. Changes nothing.",
  args: { usage: "NAME", least: 1, most: 1, tail: false },
  options: [
    Options.text,
    Options.regex,
    Options.idle,
    Options.exit,
    Options.timeout,
    Options.terminal,
  ],
  examples: [
    "troupe wait server --text 'listening on' --timeout 1m",
    "troupe wait agent --idle 5s && troupe capture agent",
    "troupe wait build --exit --timeout 1h --json | jq .result.exit.code",
  ],
  run,
};
