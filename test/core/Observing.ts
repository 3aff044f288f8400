/**
 * Observing: what an effect tells an operator, as a test reads it: spans, the log, and metrics.
 *
 * A span is kept when it begins, with all that it is given until it ends. `text` is all of it as an
 * exporter could write it: names, attributes, events, errors, lines with their annotations, labels.
 */
import { Cause, Effect, type Effect as Effects, Exit, Logger, Metric, Tracer } from "effect";

/** A span as it is exported. */
export interface SeenSpan {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, unknown>;
  readonly events: ReadonlyArray<string>;
  readonly parent: string | null;
  readonly exit: Exit.Exit<unknown, unknown> | null;
}

/** What was told so far. */
export class Observing {
  readonly spans: Array<SeenSpan> = [];
  readonly lines: Array<string> = [];

  private readonly tracer = Tracer.make({
    context: (f) => f(),
    span: (name, parent, context, links, startTime, kind, options) => {
      const attributes = new Map(Object.entries(options?.attributes ?? {}));
      const events: Array<string> = [];
      const above = parent._tag === "Some" ? parent.value : null;
      const seen = {
        ...{ name, attributes, events },
        parent: above?._tag === "Span" ? above.name : null,
        exit: null as SeenSpan["exit"],
      };
      this.spans.push(seen);
      return {
        ...{ _tag: "Span", name, parent, context, links, kind, attributes, sampled: true },
        ...{ spanId: String(this.spans.length), traceId: "trace" },
        status: { _tag: "Started", startTime },
        attribute: (key, value) => void attributes.set(key, value),
        event: (event, _, given) => void events.push(`${event} ${JSON.stringify(given)}`),
        addLinks: () => {},
        end: (_, exit) => {
          seen.exit = exit;
        },
      };
    },
  });

  private readonly logger = Logger.make(({ annotations, cause, logLevel, message }) => {
    const fields = JSON.stringify(Object.fromEntries(annotations));
    this.lines.push(`${logLevel.label} ${String(message)} ${fields} ${Cause.pretty(cause)}`);
  });

  /** Runs the effect under this. */
  readonly under = <A, E, R>(effect: Effects.Effect<A, E, R>): Effects.Effect<A, E, R> =>
    effect.pipe(
      Effect.withTracer(this.tracer),
      Effect.provide(Logger.replace(Logger.defaultLogger, this.logger)),
    );

  /** The spans of that name. */
  named(name: string): ReadonlyArray<SeenSpan> {
    return this.spans.filter((span) => span.name === name);
  }

  get text(): string {
    const spans = this.spans.map(({ attributes, events, exit, name }) => {
      const failed = exit !== null && Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "";
      return `${name} ${JSON.stringify([...attributes])} ${events.join(" ")} ${failed}`;
    });
    const labels = Metric.unsafeSnapshot().map(
      ({ metricKey }) => `${metricKey.name} ${JSON.stringify(metricKey.tags)}`,
    );
    return [...spans, ...this.lines, ...labels].join("\n");
  }
}
