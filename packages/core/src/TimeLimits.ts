/**
 * TimeLimits: how long a session may live, or go without output, where its user said so.
 *
 * A limit is the only reason besides a delete for which troupe ends a session, so doubt never ends
 * one: output counts as none only where all of it is recorded and the records can be read, and the
 * session is deleted only behind a look that shows it. The clock is that of the day. What is pure
 * here decides; `reconcile` does it.
 */
import { Clock, Duration, Effect, Either, Layer, Option } from "effect";
import type { Decision, Observation } from "./Lifecycle.js";
import { OutputFiles, type RecorderState } from "./OutputFiles.js";
import { Registry } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import type { RegistryFailure } from "./SessionError.js";
import type { SessionEvent } from "./SessionEvents.js";
import { Sessions } from "./Sessions.js";
import { Settings } from "./Settings.js";

/** When a session is over, and why. */
export interface TimeLimit {
  readonly at: number;
  readonly why: string;
}

const textOf = (ms: number): string => Duration.format(Duration.millis(ms));

/**
 * The limits of a session that is there; `lastOutputAt` is when it last printed something, `null`
 * where that is not known.
 */
export const limitsOf = (
  { createdAt, spec, state }: Pick<SessionRecord, "createdAt" | "spec" | "state">,
  lastOutputAt: number | null,
): ReadonlyArray<TimeLimit> => {
  if (state !== "running" && state !== "exited") return [];
  const { idleTtlMs, ttlMs } = spec;
  const limits: Array<TimeLimit> = [];
  if (ttlMs !== undefined) {
    limits.push({ at: createdAt + ttlMs, why: `time limit of ${textOf(ttlMs)} passed` });
  }
  if (idleTtlMs !== undefined && lastOutputAt !== null) {
    const at = Math.max(createdAt, lastOutputAt) + idleTtlMs;
    limits.push({ at, why: `time limit of ${textOf(idleTtlMs)} without output passed` });
  }
  return limits;
};

/** What a recorder that misses nothing does. */
const whole: ReadonlyArray<RecorderState> = ["idle", "recording", "ended"];

/** When the session last printed something; `null` where it may have since, or nobody knows. */
const lastOutputOf = ({ incarnation, spec, terminals }: SessionRecord) =>
  Effect.gen(function* () {
    if (spec.idleTtlMs === undefined || !spec.log) return null;
    const files = yield* OutputFiles;
    for (const { state, terminal } of terminals) {
      if (state === "gone") continue;
      const { recorder } = yield* files.read({ incarnation, terminal }, 0, 0);
      if (!whole.includes(recorder)) return null;
    }
    const left = yield* files.left;
    return left.find((output) => output.incarnation === incarnation)?.at ?? null;
  }).pipe(Effect.catchTag("LookupFailed", () => Effect.succeed(null)));

/** The limit of the session that passes first; `null` where it has none. */
export const nextLimit = (
  record: SessionRecord,
): Effect.Effect<TimeLimit | null, never, OutputFiles> =>
  Effect.map(lastOutputOf(record), (lastOutputAt) =>
    limitsOf(record, lastOutputAt).reduce<TimeLimit | null>(
      (first, limit) => (first === null || limit.at < first.at ? limit : first),
      null,
    ),
  );

/** Why the session is over by now; `null` while it is not. */
const passedLimit = (record: SessionRecord): Effect.Effect<string | null, never, OutputFiles> =>
  Effect.gen(function* () {
    if (record.spec.ttlMs === undefined && record.spec.idleTtlMs === undefined) return null;
    const limit = yield* nextLimit(record);
    const now = yield* Clock.currentTimeMillis;
    return limit !== null && limit.at <= now ? limit.why : null;
  });

/**
 * Why a session is to be deleted that was just seen, and of which nothing else is due; `null` where
 * it is not, also where it was not seen.
 */
export const limitDue = (
  record: SessionRecord,
  seen: Observation,
  due: Decision["_tag"],
): Effect.Effect<string | null, never, OutputFiles> =>
  seen._tag === "Present" && (due === "Nothing" || due === "Refresh")
    ? passedLimit(record)
    : Effect.succeed(null);

/** Why a session was to be ended that is not known to have ended, by its name. */
type Owed = ReadonlyMap<string, string>;

/**
 * Reconciles what is over, and what was over at the look before and could not be ended: it may be
 * begun. How long nothing can be, as far as is known now, and what is owed then.
 */
const enforced = (sessions: Pick<Sessions["Type"], "reconcile">, before: Owed) =>
  Effect.gen(function* () {
    const registry = yield* Registry;
    const { limitLookMs } = yield* Settings;
    const { records } = yield* registry.list({ ended: false });
    const limited = yield* Effect.forEach(records, (record) =>
      Effect.map(nextLimit(record), (limit) => ({ session: record.session, limit })),
    );
    const now = yield* Clock.currentTimeMillis;
    const owed = new Map<string, string>();
    let pause = limitLookMs;
    for (const { limit, session } of limited) {
      if (limit !== null && limit.at > now) pause = Math.min(pause, limit.at - now);
      const why = limit !== null && limit.at <= now ? limit.why : before.get(session);
      if (why === undefined) continue;
      const done = yield* Effect.either(sessions.reconcile(session));
      // What is begun still may be held by somebody who has it for a moment alone.
      if (Either.isRight(done) && done.right.after !== "deleting") continue;
      owed.set(session, why);
      if (Either.isLeft(done)) yield* Effect.logWarning(`${session} is over`, why, done.left);
    }
    return { owed, pause };
  });

/** How many lines of the log are read at once. */
const LOG_PAGE = 100;

/** Whether a session may have got a limit by it: it is there, since then or still. */
const begins = ({ body }: SessionEvent): boolean =>
  body.type === "session" && (body.state === "running" || body.state === "exited");

/** Done when a session began behind this number of the log; not before, whatever fails. */
const begun = (last: number): Effect.Effect<void, never, Registry> =>
  Effect.gen(function* () {
    const registry = yield* Registry;
    yield* registry.awaitEvents(last);
    const page = yield* registry.events(last, LOG_PAGE);
    // What is not kept any more, or cannot be understood, may have been one.
    const isDoubtful = page.first > last + 1 || page.unreadable.length > 0;
    if (isDoubtful || page.events.some(begins)) return;
    yield* begun(page.events.at(-1)?.sequence ?? page.last);
  }).pipe(Effect.catchAll(() => Effect.never));

/**
 * Ends what is over, for as long as it runs: it sleeps until the next limit that it knows, and
 * looks for others when a session begins, and now and then. What it could not do is said, and tried
 * again at the next look.
 */
export const enforceLimits = (
  sessions: Pick<Sessions["Type"], "reconcile">,
): Effect.Effect<never, never, Registry | OutputFiles> =>
  Effect.iterate(new Map() as Owed, {
    while: () => true,
    body: (before) =>
      Effect.gen(function* () {
        const { limitLookMs } = yield* Settings;
        const unread = (failure: RegistryFailure) =>
          Effect.as(Effect.logWarning("time limits were not looked at", failure), {
            owed: before,
            pause: limitLookMs,
          });
        const registry = yield* Registry;
        // Before the look: what begins behind it has a greater number.
        const log = yield* Effect.option(registry.events(Number.MAX_SAFE_INTEGER, 0));
        const { owed, pause } = yield* Effect.catchAll(enforced(sessions, before), unread);
        const other = Option.match(log, {
          onNone: () => Effect.never,
          onSome: ({ last }) => begun(last),
        });
        yield* Effect.raceFirst(Effect.sleep(pause), other);
        return owed;
      }),
  }).pipe(
    Effect.zipRight(Effect.never),
    Effect.tapDefect((bug) => Effect.logError("time limits are not looked at any more", bug)),
  );

/** Ends what is over while the layer is there: for a program that hosts sessions. */
export const timeLimits: Layer.Layer<never, never, Sessions | Registry | OutputFiles> =
  Layer.scopedDiscard(
    Effect.suspend(() =>
      Effect.flatMap(Sessions, (sessions) => Effect.forkScoped(enforceLimits(sessions))),
    ),
  );
