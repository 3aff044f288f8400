/**
 * delete: ends sessions, and says so only when they have ended.
 *
 * Names are independent: several are deleted at once, one that fails does not stop the others,
 * and each is reported in the order of the call. The failure of the call is the first of these.
 */
import { type DeleteOptions, isFinal, RegistryCorrupt, Sessions } from "@troupe/core";
import { Effect, Either } from "effect";
import { Caller } from "../Caller.js";
import { type CommandFailure, Usage } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { durationOf } from "../Duration.js";
import { errorResult } from "../Envelope.js";
import { placesOf } from "../Location.js";
import { withNearNames } from "../Near.js";
import * as Options from "../Options.js";
import { withCount } from "../Progress.js";
import { type DeleteItem, DeleteOneResult, DeleteResult } from "../Results.js";
import { type Cell, type Paper, table } from "../Table.js";

const command = "delete";

/** One name and what came of it. */
interface Part {
  readonly item: DeleteItem;
  readonly failure: CommandFailure | null;
}

const failed = (call: Call, session: string, failure: CommandFailure): Part => {
  const unknown = { generation: null, alreadyGone: null, killed: null, snapshot: null };
  return { item: { session, ...unknown, error: errorResult(failure, placesOf(call)) }, failure };
};

const deleteOne = (call: Call, session: string, options: DeleteOptions) =>
  Effect.flatMap(Sessions, (sessions) => sessions.delete(session, options)).pipe(
    withNearNames,
    Effect.match({
      onFailure: (failure) => failed(call, session, failure),
      onSuccess: (done): Part => ({ item: { ...done, error: null }, failure: null }),
    }),
  );

/** What came of a delete that was interrupted: one that had begun may have been finished. */
const cutOff = (call: Call, session: string, failure: CommandFailure) =>
  Effect.flatMap(Sessions, (sessions) => sessions.get(session)).pipe(
    Effect.match({
      onFailure: () => failed(call, session, failure),
      onSuccess: ({ generation, state }): Part => {
        if (!isFinal(state)) return failed(call, session, failure);
        const unknown = { alreadyGone: null, killed: null, snapshot: null };
        return { item: { session, generation, ...unknown, error: null }, failure: null };
      },
    }),
  );

/** The names of the call; with `--all` those of the home, and the rows that nobody can read. */
const namesOf = (call: Call) =>
  Effect.gen(function* () {
    if (!call.has(Options.everySession)) return [...new Set(call.args)].map(Either.right);
    const { sessions, unreadable } = yield* Effect.flatMap(Sessions, (s) => s.list());
    return [
      ...sessions.map(({ session }) => Either.right(session)),
      ...unreadable.map((row) => Either.left(new RegistryCorrupt({ ...row, attempted: command }))),
    ];
  });

/** One line for each; a single failure is told on standard error and not twice. */
const textOf = (items: ReadonlyArray<DeleteItem>, paper: Paper): string => {
  const line = ({ alreadyGone, error, session }: DeleteItem): ReadonlyArray<Cell> => [
    { text: session },
    error === null
      ? { text: alreadyGone === true ? "was gone already" : "deleted", colour: "green" }
      : { text: error.message, colour: "red", whole: true },
  ];
  if (items.length === 0) return "no sessions\n";
  return items.length === 1 && items[0]?.error != null ? "" : table(items.map(line), paper);
};

const outcomeOf = (parts: ReadonlyArray<Part>, paper: Paper): Effect.Effect<Outcome> => {
  const items = parts.map(({ item }) => item);
  const failure = parts.find((part) => part.failure !== null)?.failure ?? null;
  const [first] = items;
  const text = textOf(items, paper);
  return items.length === 1 && first !== undefined && failure === null
    ? outcome(DeleteOneResult, { items, ...first }, text)
    : outcome(DeleteResult, { items }, text, failure);
};

const checkArgs = (call: Call): Effect.Effect<void, Usage> => {
  const every = call.has(Options.everySession);
  if (every !== call.args.length > 0) return Effect.void;
  const reason = every ? "--all and NAME exclude each other" : "NAME or --all is missing";
  return Effect.fail(new Usage({ command, reason }));
};

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    yield* checkArgs(call);
    const { paper } = yield* Caller;
    const graceMs = yield* durationOf(call, Options.grace, command);
    const options = {
      graceMs,
      force: call.has(Options.force),
      spareDetached: call.has(Options.spareDetached),
      snapshot: !call.has(Options.noSnapshot),
    };
    const one = Either.match({
      onLeft: (corrupt: RegistryCorrupt) =>
        Effect.succeed(failed(call, corrupt.session ?? "", corrupt)),
      onRight: (session: string) => deleteOne(call, session, options),
    });
    const tell = (parts: ReadonlyArray<Part>) => outcomeOf(parts, paper);
    const partOf = (name: Either.Either<string, RegistryCorrupt>, failure: CommandFailure) =>
      Either.isLeft(name) ? one(name) : cutOff(call, name.right, failure);
    const work = withCount("deleting", namesOf(call), one, { partOf, tell });
    return yield* tell(yield* withSessions(call, work));
  });

/** `troupe delete` */
export const remove: CommandSpec = {
  name: command,
  alias: "rm",
  summary: "ends sessions and their processes",
  about:
    "Done means: tmux confirmed that the session is gone, every process of it is gone, and the " +
    "registry says deleted. A session that was gone already is success with alreadyGone true; a " +
    "name that never was is exit code 3. When the end could not be shown, the exit code is 6 and " +
    "the same command finishes the job. What the terminals showed is kept for inspect, readable " +
    "by you alone; that this fails stops no delete, and is told in snapshot. With several names, result.items has one entry for each " +
    "and the exit code is that of the first failure.",
  args: { usage: "NAME... | --all", least: 0, most: Number.POSITIVE_INFINITY, tail: false },
  options: [
    Options.everySession,
    Options.grace,
    Options.noSnapshot,
    Options.spareDetached,
    Options.force,
  ],
  examples: ["troupe delete build", "troupe delete a b c --json", "troupe delete --all --grace 0"],
  run,
};
