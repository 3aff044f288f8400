/**
 * restore: makes sessions anew that were lost or whose programs ended.
 *
 * Names are independent: several at once, one that fails does not stop the others, and each is
 * reported in the order of the call. With --all a value is given only to sessions that were made
 * with one of its name, so that none gets what is meant for another.
 */
import {
  isLeft,
  isRestoration,
  RegistryCorrupt,
  Sessions,
  type SessionView,
  StartFailed,
} from "@troupe/core";
import { Effect, Either, type Redacted } from "effect";
import { Caller } from "../Caller.js";
import { type CommandFailure, Usage } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { durationOf } from "../Duration.js";
import { errorResult } from "../Envelope.js";
import { environmentOf } from "../Environment.js";
import { placesOf } from "../Location.js";
import { withNearNames } from "../Near.js";
import * as Options from "../Options.js";
import { withCount } from "../Progress.js";
import { type RestoreItem, RestoreResult } from "../Results.js";
import { sessionRow } from "../SessionText.js";
import { type Cell, type Paper, table } from "../Table.js";

const command = "restore";

type Values = Readonly<Record<string, Redacted.Redacted<string>>>;

/** One name that is to be restored, and the values that it is given. */
interface Wanted {
  readonly session: string;
  readonly env: Values;
}

/** One name and what came of it. */
interface Part {
  readonly item: RestoreItem;
  readonly failure: CommandFailure | null;
}

const failed = (call: Call, session: string, failure: CommandFailure): Part => {
  const unknown = { generation: null, state: null, pid: null, command: null, cwd: null };
  return { item: { session, ...unknown, error: errorResult(failure, placesOf(call)) }, failure };
};

/** The start is that of a creation; what was attempted is a restore. */
const asRestore = <E>(failure: E): E | StartFailed =>
  failure instanceof StartFailed
    ? new StartFailed({ ...(failure satisfies StartFailed), attempted: command })
    : failure;

const restored = (view: SessionView): Part => {
  const { command, cwd, generation, pid, session, state } = sessionRow(view);
  return { item: { session, generation, state, pid, command, cwd, error: null }, failure: null };
};

/** Whether nothing of the session runs any more, although its row may not know it yet. */
const hasEnded = ({ seen }: SessionView): boolean =>
  seen.state === "absent" ||
  (seen.state === "present" && seen.terminals.every(({ exit }) => exit !== null));

/** Whether a restore of every session means this one: also one whose restore was cut off. */
const isMeant = (view: SessionView): boolean =>
  view.state === "lost" ||
  view.state === "exited" ||
  (view.state === "running" && hasEnded(view)) ||
  (isRestoration(view) && isLeft(view));

const pick = (env: Values, names: ReadonlyArray<string>): Values =>
  Object.fromEntries(Object.entries(env).filter(([name]) => names.includes(name)));

/** The names of the call; with `--all` those of the home, and the rows that nobody can read. */
const wantedOf = (call: Call, env: Values) =>
  Effect.gen(function* () {
    if (!call.has(Options.everyRestorable)) {
      return [...new Set(call.args)].map((session) => Either.right<Wanted>({ session, env }));
    }
    const { sessions, unasked, unreadable } = yield* Effect.flatMap(Sessions, (s) => s.list());
    // Which of them have ended is not known then, so that none is restored means nothing.
    if (unasked !== null) return yield* unasked;
    return [
      ...sessions
        .filter(isMeant)
        .map(({ session, spec }) =>
          Either.right<Wanted>({ session, env: pick(env, spec.envNames) }),
        ),
      ...unreadable.map((row) => Either.left(new RegistryCorrupt({ ...row, attempted: command }))),
    ];
  });

const checkArgs = (call: Call): Effect.Effect<void, Usage> => {
  const every = call.has(Options.everyRestorable);
  if (every !== call.args.length > 0) return Effect.void;
  const reason = every ? "--all and NAME exclude each other" : "NAME or --all is missing";
  return Effect.fail(new Usage({ command, reason }));
};

/** One line for each; a single failure is told on standard error and not twice. */
const textOf = (items: ReadonlyArray<RestoreItem>, paper: Paper): string => {
  const line = ({ error, generation, session, state }: RestoreItem): ReadonlyArray<Cell> => [
    { text: session },
    error === null
      ? { text: `${state}, generation ${generation}`, colour: "green" }
      : { text: error.message, colour: "red", whole: true },
  ];
  if (items.length === 0) return "nothing to restore\n";
  return items.length === 1 && items[0]?.error != null ? "" : table(items.map(line), paper);
};

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    yield* checkArgs(call);
    const { paper } = yield* Caller;
    const startWindowMs = yield* durationOf(call, Options.startWindow, command);
    const withoutEnv = call.has(Options.withoutEnv);
    const env = yield* environmentOf(call, { session: call.args[0] ?? "", attempted: command });
    const one = Either.match({
      onLeft: (corrupt: RegistryCorrupt) =>
        Effect.succeed(failed(call, corrupt.session ?? "", corrupt)),
      onRight: (wanted: Wanted) =>
        Effect.flatMap(Sessions, (sessions) =>
          sessions.restore(wanted.session, { env: wanted.env, withoutEnv, startWindowMs }),
        ).pipe(
          Effect.mapError(asRestore),
          withNearNames,
          Effect.match({
            onFailure: (failure): Part => failed(call, wanted.session, failure),
            onSuccess: restored,
          }),
        ),
    });
    const tell = (parts: ReadonlyArray<Part>) => {
      const items = parts.map(({ item }) => item);
      const failure = parts.find((part) => part.failure !== null)?.failure ?? null;
      return outcome(RestoreResult, { items }, textOf(items, paper), failure);
    };
    // One that had begun was undone: it is lost, and is restored by the same call.
    const partOf = (wanted: Either.Either<Wanted, RegistryCorrupt>, failure: CommandFailure) =>
      Either.isLeft(wanted)
        ? one(wanted)
        : Effect.succeed(failed(call, wanted.right.session, failure));
    const work = withCount("restoring", wantedOf(call, env), one, { partOf, tell });
    return yield* tell(yield* withSessions(call, work));
  });

/** `troupe restore` */
export const restore: CommandSpec = {
  name: command,
  alias: null,
  summary: "makes lost and exited sessions anew",
  about:
    "Starts the session again with the same name, directory, command and size, as a new " +
    "generation, when its server died, the machine was started anew, somebody removed it, or its " +
    "programs ended. What lived in the old one is ended first. One that fails or is cut off " +
    "leaves the session lost, listed with the cause, to be restored again. Values that it was " +
    "made with are not kept anywhere, so they are given again; else the exit code is 2 and " +
    "error.details.variables names them. --without-env starts without them. With --all a value " +
    "goes only to sessions that were made with one of its name.",
  args: { usage: "NAME... | --all", least: 0, most: Number.POSITIVE_INFINITY, tail: false },
  options: [
    Options.everyRestorable,
    Options.env,
    Options.envFile,
    Options.withoutEnv,
    Options.startWindow,
  ],
  examples: ["troupe restore build", "TOKEN=… troupe restore --all --env TOKEN --json"],
  run,
};
