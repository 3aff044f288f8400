/**
 * Telemetry: what an operator sees: the names of the metrics, the labels and the annotations.
 *
 * A span for each operation is named for it, `Sessions.create`, and has the attribute `session`;
 * what is logged inside is annotated with `operation` and `session`. The metrics are Effect's own
 * and count for the whole process. Their labels are operations and outcomes: never a name of a
 * session, and nothing that a caller, a program or an environment said.
 */
import {
  Cause,
  Effect,
  Exit,
  Metric,
  MetricBoundaries,
  MetricLabel,
  Option,
  Predicate,
  Stream,
} from "effect";
import { isSessionName } from "./SessionName.js";

/** From what a call takes on a connection to the longest bound that there is, in milliseconds. */
const durations = MetricBoundaries.fromIterable([
  0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 8_192, 16_384,
]);

/** Every metric of troupe. */
export const Telemetry = {
  /** Names whose actor has a message, running or waiting: a gauge. */
  actors: Metric.gauge("troupe.actors", { description: "names whose actor has a message" }),
  /** Messages that wait in all mailboxes, without those that run: a gauge. */
  mailboxDepth: Metric.gauge("troupe.mailbox.depth", {
    description: "messages that wait in all mailboxes",
  }),
  /** Operations that ended, by `operation` (the span's name) and `outcome`: a counter. */
  operations: Metric.counter("troupe.operations", {
    description: "operations that ended",
    incremental: true,
  }),
  /**
   * Milliseconds that a call to tmux took, by `outcome`: `ok` is any answer, else it is the reason
   * of a `LookupFailed`. A histogram.
   */
  tmuxCall: Metric.histogram(
    "troupe.tmux.call.duration",
    durations,
    "milliseconds that a call to tmux took",
  ),
  /** Milliseconds from the first kill to the proof, or to giving up, by `outcome`: a histogram. */
  kill: Metric.histogram(
    "troupe.kill.duration",
    durations,
    "milliseconds from the first kill to the proof that it is gone",
  ),
  /** Further attempts of a registry that found its file busy: a counter. */
  registryRetries: Metric.counter("troupe.registry.retries", {
    description: "further attempts of a registry that found its file busy",
    incremental: true,
  }),
} as const;

type Labels = ReadonlyArray<MetricLabel.MetricLabel>;

const unlabelled: Labels = [];

/** The same array for the same labels: by it Effect finds a metric again. There are few of them. */
const labels = new Map<string, Labels>();

const labelled = (name: "operation" | "unit", value: string, outcome: string): Labels => {
  const key = `${value} ${outcome}`;
  const known = labels.get(key);
  if (known !== undefined) return known;
  const made = [MetricLabel.make(name, value), MetricLabel.make("outcome", outcome)];
  labels.set(key, made);
  return made;
};

/** One more name with messages, or one less. In the step in which that is so. */
export const countActors = (by: 1 | -1): void => Telemetry.actors.unsafeModify(by, unlabelled);

/** So many more messages that wait. In the step in which that is so. */
export const countWaiting = (by: number): void =>
  Telemetry.mailboxDepth.unsafeModify(by, unlabelled);

/** One more attempt of the registry. */
export const countRetry: Effect.Effect<void> = Metric.increment(Telemetry.registryRetries);

const tagOf = (error: unknown): string =>
  Predicate.hasProperty(error, "_tag") && typeof error._tag === "string" ? error._tag : "failure";

/** `ok`, the tag of the error, `interrupted` or `defect`. */
export const outcomeOf = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit)) return "ok";
  const failure = Cause.failureOption(exit.cause);
  if (Option.isSome(failure)) return tagOf(failure.value);
  return Cause.isInterrupted(exit.cause) ? "interrupted" : "defect";
};

/**
 * Records how long the effect takes and how it ends, also when it is interrupted. The `unit` is a
 * label, from which an exporter takes it.
 */
export const timed = <A, E, R>(
  metric: Metric.Metric.Histogram<number>,
  effect: Effect.Effect<A, E, R>,
  outcome: (exit: Exit.Exit<A, E>) => string = outcomeOf,
): Effect.Effect<A, E, R> =>
  Effect.clockWith((clock) => {
    const startedAt = clock.unsafeCurrentTimeNanos();
    return Effect.onExit(effect, (exit) =>
      Effect.sync(() => {
        const tookMs = Number(clock.unsafeCurrentTimeNanos() - startedAt) / 1e6;
        metric.unsafeUpdate(tookMs, labelled("unit", "ms", outcome(exit)));
      }),
    );
  });

const counted =
  (operation: string) =>
  (exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> =>
    Effect.sync(() =>
      Telemetry.operations.unsafeUpdate(1, labelled("operation", operation, outcomeOf(exit))),
    );

/**
 * An operation under its span, which is the current one: the span gets the session, what is logged
 * the session and the operation, and the end is counted. A name that is none is told to nobody.
 */
export const observed = <A, E, R>(
  operation: string,
  session: unknown,
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> => {
  const ending = Effect.onExit(effect, counted(operation));
  if (!isSessionName(session)) return Effect.annotateLogs(ending, { operation });
  return Effect.zipRight(
    Effect.annotateCurrentSpan("session", session),
    Effect.annotateLogs(ending, { operation, session }),
  );
};

/** The same of a stream, with a span of its own, until it ends or its reader leaves. */
export const observedStream =
  (operation: string, session: unknown) =>
  <A, E, R>(stream: Stream.Stream<A, E, R>): Stream.Stream<A, E, R> =>
    Stream.ensuringWith(stream, (exit: Exit.Exit<unknown, E>) => counted(operation)(exit)).pipe(
      Stream.withSpan(operation, { attributes: isSessionName(session) ? { session } : {} }),
    );
