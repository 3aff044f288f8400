/**
 * reconcile: brings the registry and tmux together, and says what it changed and why.
 *
 * Each name is a piece of work of its own; one that fails does not stop the others. What a living
 * program is working on is left alone. Running it again changes nothing more.
 */
import { type NameFailure, type ReconcileResult as Reconciled, Sessions } from "@troupe/core";
import { Effect, Either } from "effect";
import { Caller } from "../Caller.js";
import type { CommandFailure } from "../CommandFailure.js";
import { type Call, type CommandSpec, type Outcome, outcome } from "../CommandSpec.js";
import { withSessions } from "../Connection.js";
import { errorResult } from "../Envelope.js";
import { withProgress } from "../Progress.js";
import { type ReconcileItem, ReconcileResult } from "../Results.js";
import { type Cell, table } from "../Table.js";

const atOnce = 8;

/** One name and what came of it. */
interface Part {
  readonly session: string;
  readonly outcome: Either.Either<Reconciled, NameFailure>;
}

const itemOf = ({ outcome, session }: Part): ReconcileItem =>
  Either.match(outcome, {
    onLeft: (failure) => {
      const unknown = { generation: null, before: null, after: null, changed: null, why: null };
      return { session, ...unknown, error: errorResult(failure) };
    },
    onRight: (done) => ({ ...done, error: null }),
  });

/** The parts of the named sessions, or of all of the home. */
const partsOf = (names: ReadonlyArray<string>) =>
  Effect.flatMap(Sessions, (sessions): Effect.Effect<ReadonlyArray<Part>, CommandFailure> => {
    if (names.length === 0) return sessions.reconcileAll;
    const one = (session: string) =>
      Effect.map(Effect.either(sessions.reconcile(session)), (outcome) => ({ session, outcome }));
    return Effect.forEach(new Set(names), one, { concurrency: atOnce });
  });

/** One line for each change; a single failure is told on standard error and not twice. */
const textOf = (items: ReadonlyArray<ReconcileItem>, colours: boolean): string => {
  const told = items.filter(({ changed }) => changed !== false);
  const line = ({ after, before, error, session, why }: ReconcileItem): ReadonlyArray<Cell> => [
    { text: session },
    error === null
      ? { text: `${before} → ${after}: ${why}`, colour: "green" }
      : { text: error.message, colour: "red" },
  ];
  if (told.length === 0) return "nothing to do\n";
  return items.length === 1 && items[0]?.error != null ? "" : table(told.map(line), colours);
};

const run = (call: Call): Effect.Effect<Outcome, CommandFailure, Caller> =>
  Effect.gen(function* () {
    const { colour } = yield* Caller;
    const parts = yield* partsOf(call.args).pipe(withProgress("reconciling"), (work) =>
      withSessions(call, work),
    );
    const items = parts.map(itemOf);
    const failures = parts.flatMap(({ outcome }) => (Either.isLeft(outcome) ? [outcome.left] : []));
    const text = textOf(items, colour);
    return yield* outcome(ReconcileResult, { items }, text, failures[0] ?? null);
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
    "nothing was changed. What a living program works on is left alone.",
  args: { usage: "[NAME]...", least: 0, most: Number.POSITIVE_INFINITY, tail: false },
  options: [],
  examples: ["troupe reconcile", "troupe reconcile build --json"],
  run,
};
