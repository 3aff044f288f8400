/**
 * EventSubscription: following the log, each subscriber by a cursor of its own.
 *
 * A subscriber pulls: it reads a page behind its cursor, and at the end waits until the log has
 * moved on from there, so nothing falls between what is replayed and what is followed, whoever
 * wrote it. Nothing is kept for it meanwhile but the log itself: one that is slow or dies costs
 * nobody anything, and one that is slower than the log is bounded gets a gap. No actor is part of
 * this.
 */
import { Chunk, Deferred, Effect, Option, type Scope, Stream } from "effect";
import { type LogEntry, toldAfter } from "./EventLog.js";
import { count } from "./Quantity.js";
import { Registry } from "./Registry.js";
import { Closing, type InvalidName, type RegistryFailure } from "./SessionError.js";
import { parseSessionName } from "./SessionName.js";

/** What of the log is wanted. */
export interface EventsOptions {
  /** The number of the last event that is known already; 0, before the first, unless given. */
  readonly since?: number | undefined;
  /** Only events of this name, also before it was ever used; gaps are told all the same. */
  readonly session?: string | undefined;
  /** Whether to go on behind the newest event; true unless given. */
  readonly follow?: boolean | undefined;
}

/** What a subscription can end with. A registry that cannot be read is told once. */
export type EventsFailure = InvalidName | RegistryFailure | Closing;

/** The subscriptions of one program. */
export type Subscribe = (options?: EventsOptions) => Stream.Stream<LogEntry, EventsFailure>;

/** Lines in one read: what a subscriber that stopped holds in memory. */
const PAGE = 100;

const attempted = "follow the events";

const wanted =
  (session: string | null) =>
  (entry: LogEntry): boolean =>
    session === null || entry.type === "gap" || entry.session === session;

/** Where a subscription is; `end` is the number that one that does not follow ends at. */
interface Place {
  readonly cursor: number;
  readonly end: number | null;
}

/** How long a subscription goes on. */
interface Bounds {
  readonly follow: boolean;
  /** Fails when the program closes. */
  readonly open: Effect.Effect<void, Closing>;
  readonly closed: Effect.Effect<never, Closing>;
}

const read = (registry: Registry["Type"], { closed, follow, open }: Bounds) =>
  Effect.fnUntraced(function* ({ cursor, end }: Place) {
    yield* open;
    if (end !== null && cursor >= end) return Option.none();
    const page = yield* registry.events(cursor, PAGE);
    const told = toldAfter(cursor, page);
    const next: Place = { cursor: told.cursor, end: follow ? null : (end ?? page.last) };
    if (told.cursor === cursor && !follow) return Option.none();
    if (told.cursor === cursor) yield* Effect.raceFirst(registry.awaitEvents(page.last), closed);
    // Stores may answer without a turn of the event loop; a long replay gives it one.
    else if (told.entries.length >= PAGE) yield* Effect.sleep(0);
    return Option.some([Chunk.fromIterable(told.entries), next] as const);
  });

/** Makes the subscriptions; closing the scope ends them with `Closing`. */
export const makeSubscribe: Effect.Effect<Subscribe, never, Registry | Scope.Scope> = Effect.gen(
  function* () {
    const registry = yield* Registry;
    const ended = yield* Deferred.make<never, Closing>();
    let isOpen = true;
    yield* Effect.addFinalizer(() => {
      isOpen = false;
      return Deferred.failSync(ended, () => new Closing({ session: null, attempted }));
    });
    const closed = Deferred.await(ended);
    const open = Effect.suspend(() => (isOpen ? Effect.void : closed));
    const subscription = Effect.fnUntraced(function* (options: EventsOptions) {
      const { follow = true, session = null, since } = options;
      const only = session === null ? null : yield* parseSessionName(session, attempted);
      const start: Place = { cursor: count("since", since) ?? 0, end: null };
      const log = Stream.unfoldChunkEffect(start, read(registry, { follow, open, closed }));
      return Stream.filter(log, wanted(only));
    });
    return (options = {}) => Stream.unwrap(subscription(options));
  },
);
