/**
 * AttachStream: what an attached client is told, as a stream: the log of the name, and the output
 * of a terminal, until the writer is over.
 *
 * It is pulled: what is kept for a client is its two places, in the log and in the recording, and
 * at most one element of each ahead. One that is slow is told of a gap when what it wants is not
 * kept any more, and slows nobody. Behind the end of the writer it is told what is still to be
 * told, then why.
 */
import { Deferred, Effect, Stream } from "effect";
import type { AttachElement } from "./AttachElement.js";
import type { EndReason } from "./EndReason.js";
import type { LogEntry } from "./EventLog.js";
import type { EventsFailure } from "./EventSubscription.js";
import type { IncarnationId } from "./Identity.js";
import type { Registry } from "./Registry.js";
import { Closing, type RegistryFailure } from "./SessionError.js";
import type { OutputFailure } from "./SessionFailures.js";
import type { SessionName } from "./SessionName.js";
import type { OutputElement } from "./SessionOutput.js";
import type { Sessions } from "./Sessions.js";

/** From where on a client is told. */
export interface ElementsOptions {
  /**
   * The number of the last event that is known already. Unless given, what happens behind the
   * attach is told; to who is not attached and only pulls, what happens behind his first pull.
   */
  readonly since?: number | undefined;
  /** The terminal whose output is told; the first one, unless given. */
  readonly terminal?: string | undefined;
  /** The sequence that its output begins at; the first byte that is kept, unless given. */
  readonly from?: number | undefined;
  /** Whether output is told at all; true unless given, where it is recorded. */
  readonly output?: boolean | undefined;
}

/** What the stream can end with, beside the end of the writer. */
export type ElementsFailure = EventsFailure | OutputFailure;

/** Of whom is told, and by what. */
export interface Told {
  readonly session: SessionName;
  readonly incarnation: IncarnationId;
  readonly registry: Pick<Registry["Type"], "events">;
  readonly sessions: Pick<Sessions["Type"], "events" | "output">;
  readonly over: Deferred.Deferred<EndReason>;
}

/** The place behind a line of the log. */
const behindEntry = (entry: LogEntry): number =>
  entry.type === "gap" ? entry.first - 1 : entry.sequence;

/** The place behind an element of the output; `at` where that is not known. */
const behindOutput = (element: OutputElement, at: number): number => {
  if (element.type === "data") return element.sequence + element.data.length;
  return element.type === "gap" ? (element.to ?? at) : at;
};

/** A program that shuts down reads nothing any more, and says that it does as the last element. */
const unlessShutDown = <E>(over: Told["over"], failure: E) =>
  Effect.map(Deferred.await(over), (reason) =>
    failure instanceof Closing && reason === "runtime_shutdown"
      ? Stream.empty
      : Stream.fail(failure),
  );

/** Follows from a place until the writer is over, and then tells what was not told yet. */
const untilOver = <A, E>(
  over: Told["over"],
  start: number,
  from: (place: number, follow: boolean) => Stream.Stream<A, E>,
  behind: (element: A, place: number) => number,
): Stream.Stream<A, E> =>
  Stream.suspend(() => {
    let place = start;
    let isWhole = false;
    // Run when whoever reads asks for what is behind the last element.
    const whole = Effect.sync(() => {
      isWhole = true;
    });
    const followed = Stream.interruptWhen(
      Stream.concat(from(place, true), Stream.drain(Stream.fromEffect(whole))),
      Deferred.await(over),
    );
    // Where it is counts what was given on: an element that was cut off is read again.
    const rest = Stream.suspend(() => (isWhole ? Stream.empty : from(place, false))).pipe(
      Stream.catchAll((failure) => Stream.unwrap(unlessShutDown(over, failure))),
    );
    return Stream.concat(followed, rest).pipe(
      Stream.tap((element) =>
        Effect.sync(() => {
          place = behind(element, place);
        }),
      ),
    );
  });

/** The same with a place in the log that is fixed now: what happens behind this is told. */
export const placed = <A extends ElementsOptions>(
  registry: Told["registry"],
  options: A,
): Effect.Effect<A & { readonly since: number }, RegistryFailure> =>
  Effect.gen(function* () {
    const newest = registry.events(Number.MAX_SAFE_INTEGER, 0);
    return { ...options, since: options.since ?? (yield* newest).last };
  });

const logOf = ({ over, registry, session, sessions }: Told, options: ElementsOptions) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { since: start } = yield* placed(registry, options);
      const from = (place: number, follow: boolean) =>
        sessions.events({ session, since: place, follow });
      const log = untilOver(over, start, from, behindEntry);
      return Stream.map(log, (entry): AttachElement => ({ type: "log", entry }));
    }),
  );

const outputOf = (told: Told, options: ElementsOptions) => {
  const { incarnation, over, session, sessions } = told;
  if (options.output === false) return Stream.empty;
  const { terminal } = options;
  const from = (place: number, follow: boolean) =>
    sessions.output(session, { incarnation, terminal, from: place, follow });
  return untilOver(over, options.from ?? 0, from, behindOutput).pipe(
    Stream.map((output): AttachElement => ({ type: "output", output })),
    Stream.catchTag("NotFound", (failure) =>
      failure.what === "output" ? Stream.empty : Stream.fail(failure),
    ),
  );
};

/** What is told, from here on. */
export const elementsOf = (
  told: Told,
  options: ElementsOptions = {},
): Stream.Stream<AttachElement, ElementsFailure> => {
  const ended = Effect.map(
    Deferred.await(told.over),
    (reason): AttachElement => ({ type: "ended", reason }),
  );
  return Stream.merge(logOf(told, options), outputOf(told, options)).pipe(
    Stream.concat(Stream.fromEffect(ended)),
  );
};
