/**
 * gc: forgets what ended long ago, and says of everything else why it stays.
 *
 * It goes on past what fails; the failure of the call is the first of these. What is not of this
 * home is not touched, and neither is what could not be looked up.
 */
import { type GcItem, type GcReport, Sessions } from "@troupe/core";
import { Effect } from "effect";
import { Caller } from "../Caller.js";
import { asFailure, type CommandFailure } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { ageOf } from "../Duration.js";
import { errorResult } from "../Envelope.js";
import { GcResult } from "../GcResult.js";
import { placesOf } from "../Location.js";
import * as Options from "../Options.js";
import { withTold } from "../Progress.js";
import { type Cell, type Paper, table } from "../Table.js";

const command = "gc";

const lines = (word: Cell, items: ReadonlyArray<GcItem>): ReadonlyArray<ReadonlyArray<Cell>> =>
  items.map(({ what, why }) => [word, { text: what }, { text: why }]);

/** One line for each thing, those that changed first. */
const textOf = (report: GcReport, paper: Paper): string => {
  const { deleted, dryRun, forgotten, kept, repaired, server } = report;
  const would = dryRun ? "would be " : "";
  const done = (word: string): Cell => ({ text: `${would}${word}`, colour: "green" });
  const all = [
    ...repaired.map((one) => [
      done("repaired"),
      { text: `session ${one.session}, generation ${one.generation}` },
      { text: `${one.before} → ${one.after}: ${one.why}` },
    ]),
    ...lines(done("deleted"), deleted),
    ...lines(done("forgotten"), forgotten),
    ...lines({ text: "kept", colour: "dim" }, kept),
    ...(server === "stopped"
      ? [[done("stopped"), { text: "tmux server" }, { text: "it has no session" }]]
      : []),
  ];
  return all.length === 0 ? "nothing to do\n" : table(all, paper);
};

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const { paper } = yield* Caller;
    const olderThanMs = yield* ageOf(call, Options.olderThan, command);
    const exitedMs = yield* ageOf(call, Options.exited, command);
    const options = { olderThanMs, exitedMs, dryRun: call.has(Options.dryRun) };
    const collecting = withTold("collecting", (onProgress) =>
      Effect.flatMap(Sessions, (sessions) => sessions.gc({ ...options, onProgress })),
    );
    const report = yield* withSessions(call, collecting);
    const { failed, ...told } = report;
    const failures = failed.map(({ failure, session, what }) => ({
      what,
      session,
      error: errorResult(asFailure(failure), placesOf(call)),
    }));
    const result = { ...told, failed: failures };
    const [first] = failed;
    const failure = first === undefined ? null : asFailure(first.failure);
    return yield* outcome(GcResult, result, textOf(report, paper), failure);
  });

/** `troupe gc` */
export const gc: CommandSpec = {
  name: command,
  alias: null,
  summary: "forgets sessions that ended long ago",
  about:
    "Forgets sessions that ended (deleted, failed) longer ago than --older-than, with their " +
    "snapshots, output and events, and what dead programs left in the home; an age of 0 is " +
    "everything that ended. --exited also deletes, as troupe delete does, sessions of which it " +
    "is recorded for that long that their programs ended. What was cut off is brought up to date " +
    "first. A tmux server without sessions is ended. result.kept says of everything else why it " +
    "stays: it runs, it is lost, it is too new, somebody holds it, tmux shows it still. Nothing " +
    "else that tmux has is touched, and nothing is when tmux could not be asked: then the exit " +
    "code is 5. --dry-run tells the same of what would be done, and writes nothing.",
  args: { usage: "", least: 0, most: 0, tail: false },
  options: [Options.olderThan, Options.exited, Options.dryRun],
  examples: ["troupe gc --dry-run", "troupe gc --older-than 30d", "troupe gc --exited 12h --json"],
  run,
};
