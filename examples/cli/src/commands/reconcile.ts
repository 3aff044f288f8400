/**
 * reconcile: brings the registry and tmux together, and says what it changed and why.
 *
 * Each name is a piece of work of its own; one that fails does not stop the others. What a living
 * program is working on is left alone. Running it again changes nothing more.
 */
import {
  type ReconcileItem as CoreItem,
  type NameFailure,
  type ReconcileResult as Reconciled,
  Sessions,
} from "@troupe/core";
import { Effect, Either } from "effect";
import { Caller } from "../Caller.js";
import { asFailure, type CommandFailure, Usage } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { errorResult } from "../Envelope.js";
import { placesOf } from "../Location.js";
import { withNearNames } from "../Near.js";
import * as Options from "../Options.js";
import { withCount, withProgress } from "../Progress.js";
import { type ReconcileItem, ReconcileResult } from "../Results.js";
import { type Cell, type Paper, table } from "../Table.js";

/** One name and what came of it. */
interface Part {
  readonly session: string;
  readonly outcome: Either.Either<Reconciled, CommandFailure>;
}

/** What came of a name, as the library tells it of several. */
const partOf = ({ outcome, session }: CoreItem): Part => ({
  session,
  outcome: Either.mapLeft(outcome, (failure) => asFailure(failure)),
});

/** What comes of one name alone. */
const alone = (
  session: string,
  work: Effect.Effect<Reconciled, NameFailure>,
): Effect.Effect<Part, never, Sessions> =>
  Effect.map(Effect.either(withNearNames(work)), (outcome) => ({ session, outcome }));

const itemOf = ({ outcome, session }: Part, places: ReadonlyArray<string>): ReconcileItem =>
  Either.match(outcome, {
    onLeft: (failure) => {
      const unknown = { generation: null, before: null, after: null, changed: null, why: null };
      return { session, ...unknown, error: errorResult(failure, places) };
    },
    onRight: (done) => ({ ...done, error: null }),
  });

/** What was done, or would be. */
interface Report {
  readonly kept: string | null;
  readonly parts: ReadonlyArray<Part>;
}

/** A name that the plan does not speak of has nothing to be done, or was never known. */
const unplanned = (sessions: Sessions["Type"], session: string) =>
  alone(
    session,
    Effect.map(sessions.get(session), ({ generation, session, state }) => ({
      ...{ session, generation, before: state, after: state, changed: false },
      why: `it is ${state}`,
    })),
  );

const planOf = (sessions: Sessions["Type"], names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const parts = (yield* sessions.reconcilePlan).map(partOf);
    if (names.length === 0) return parts;
    return yield* Effect.forEach(new Set(names), (name) => {
      const part = parts.find(({ session }) => session === name);
      return part === undefined ? unplanned(sessions, name) : Effect.succeed(part);
    });
  });

/** The parts of the named sessions, or of all of the home. */
const reportOf = (call: Call) =>
  Effect.flatMap(Sessions, (sessions): Effect.Effect<Report, CommandFailure, Caller | Sessions> => {
    const whole = (parts: ReadonlyArray<Part>): Report => ({ kept: null, parts });
    const slowly = withProgress("reconciling");
    if (call.has(Options.dryRun)) return slowly(Effect.map(planOf(sessions, call.args), whole));
    if (call.has(Options.rebuild)) {
      return slowly(
        Effect.map(sessions.rebuild, ({ items, kept }) => ({ kept, parts: items.map(partOf) })),
      );
    }
    if (call.args.length === 0) {
      return slowly(Effect.map(sessions.reconcileAll, (items) => whole(items.map(partOf))));
    }
    const one = (session: string) => alone(session, sessions.reconcile(session));
    const names = Effect.succeed([...new Set(call.args)]);
    return Effect.map(withCount("reconciling", names, one), whole);
  });

const checkArgs = (call: Call): Effect.Effect<void, Usage> => {
  if (!call.has(Options.rebuild)) return Effect.void;
  const beside = call.has(Options.dryRun) ? "--dry-run" : call.args.length > 0 ? "NAME" : null;
  if (beside === null) return Effect.void;
  const reason = `--rebuild and ${beside} exclude each other`;
  return Effect.fail(new Usage({ command: "reconcile", reason }));
};

/** One line for each change; a single failure is told on standard error and not twice. */
const textOf = (items: ReadonlyArray<ReconcileItem>, paper: Paper): string => {
  const told = items.filter(({ changed }) => changed !== false);
  const line = ({ after, before, error, session, why }: ReconcileItem): ReadonlyArray<Cell> => [
    { text: session },
    error === null
      ? { text: `${before === after ? "" : `${before} → `}${after}: ${why}`, colour: "green" }
      : { text: error.message, colour: "red", whole: true },
  ];
  if (told.length === 0) return "nothing to do\n";
  return items.length === 1 && items[0]?.error != null ? "" : table(told.map(line), paper);
};

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    yield* checkArgs(call);
    const { paper } = yield* Caller;
    const { kept, parts } = yield* withSessions(call, reportOf(call));
    const items = parts.map((part) => itemOf(part, placesOf(call)));
    const failures = parts.flatMap(({ outcome }) => (Either.isLeft(outcome) ? [outcome.left] : []));
    const aside = kept === null ? "" : `the damaged registry is kept in ${kept}\n`;
    const text = aside + textOf(items, paper);
    const result = { dryRun: call.has(Options.dryRun), kept, items };
    return yield* outcome(ReconcileResult, result, text, failures[0] ?? null);
  });

/** `troupe reconcile` */
export const reconcile: CommandSpec = {
  name: "reconcile",
  alias: null,
  summary: "brings the registry and tmux together",
  about:
    "Finishes what a crash cut off and records what happened meanwhile, for NAME or for every " +
    "name. result.items tells for each what it was, what it is now, whether that is a change, " +
    "and why. Nothing is decided from what could not be looked at: then the exit code is 5 and " +
    "nothing was changed. What a living program works on is left alone. --dry-run tells the same " +
    "of what would be done, writes nothing and takes no claim. --rebuild keeps a damaged " +
    "registry aside under another name, makes a new one, and adopts the sessions in tmux that " +
    "carry the mark of this home; sessions that were only in the registry are then unknown.",
  args: { usage: "[NAME]...", least: 0, most: Number.POSITIVE_INFINITY, tail: false },
  options: [Options.dryRun, Options.rebuild],
  examples: [
    "troupe reconcile",
    "troupe reconcile build --json",
    "troupe reconcile --dry-run",
    "troupe reconcile --rebuild",
  ],
  run,
};
