/**
 * Readers: get and list: what is known, with what tmux says just now beside it.
 *
 * They need no actor and no claim, write nothing and make no home. When tmux cannot be asked the
 * rows are told all the same, with `seen` unknown and the reason. Tmux is asked only when a row
 * could be in it, or when a server lives that may have sessions without rows.
 */
import { Clock, Effect, Either, Option } from "effect";
import { onceReaped } from "./ExitStatus.js";
import type { TerminalId } from "./Identity.js";
import { isFinal } from "./Lifecycle.js";
import { surveyed } from "./OtherServer.js";
import type { OutputFiles } from "./OutputFiles.js";
import { Registry } from "./Registry.js";
import type { SessionRecord, TerminalRecord } from "./Session.js";
import { type LookupFailed, NotFound } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";
import type { SessionList } from "./Sessions.js";
import type { Seen, SessionView, TerminalNow } from "./SessionView.js";
import { observe } from "./Sight.js";
import { nextLimit } from "./TimeLimits.js";
import { type Listing, type SeenSession, Tmux } from "./Tmux.js";
import { noLostRows } from "./Unrecorded.js";

/** A terminal as it is listed, or as it was recorded this moment. */
interface ShownTerminal extends Omit<TerminalNow, "terminal" | "panePid"> {
  readonly terminal: TerminalId | null;
  readonly panePid: number | null;
}

type IsAsked = (session: SeenSession) => boolean;

const unknown = (at: number, failure: LookupFailed): Seen => ({
  state: "unknown",
  at,
  reason: failure.reason,
  detail: failure.detail,
  terminals: [],
});

const absent = (at: number, detail: string | null): Seen => ({
  state: "absent",
  at,
  reason: null,
  detail,
  terminals: [],
});

/** Terminals without a name are windows and panes that a user made. */
const present = (at: number, shown: ReadonlyArray<ShownTerminal>): Seen => ({
  state: "present",
  at,
  reason: null,
  detail: null,
  terminals: shown.flatMap(({ exit, panePid, terminal }) =>
    terminal === null || panePid === null ? [] : [{ terminal, panePid, exit }],
  ),
});

/** The record beside what was seen of it, and when its time is over. */
const withLimit = (record: SessionRecord, seen: Seen) =>
  Effect.map(
    nextLimit(record),
    (limit): SessionView => ({ ...record, seen, limitAt: limit?.at ?? null }),
  );

/** The record beside what a listing says of it. */
const viewOf = Effect.fnUntraced(function* (record: SessionRecord, listing: Listing) {
  const at = yield* Clock.currentTimeMillis;
  const sessions = listing._tag === "Server" ? listing.sessions : [];
  const shown = sessions.some((s) => s.mark?.incarnation === record.incarnation);
  // An ended incarnation is not looked for in other servers; a listed one is always told.
  const seen =
    isFinal(record.state) && !shown ? absent(at, null) : yield* seenOf(record, listing, at);
  return yield* withLimit(record, seen);
});

const seenOf = (record: SessionRecord, listing: Listing, at: number) =>
  observe(record, listing, "look").pipe(
    Effect.map(
      (observed): Seen =>
        observed._tag === "Present"
          ? present(at, observed.session.terminals)
          : absent(at, observed.why),
    ),
    Effect.catchTag("LookupFailed", (failure) => Effect.succeed(unknown(at, failure))),
  );

/** A record whose session the caller saw this moment, and wrote down what it saw. */
export const justSeen = (record: SessionRecord): Effect.Effect<SessionView, never, OutputFiles> =>
  Effect.flatMap(Clock.currentTimeMillis, (at) => {
    const shown = record.terminals.filter(({ state }) => state === "running" || state === "exited");
    return withLimit(record, present(at, shown));
  });

/** A record with what tmux says of it now. */
export const viewNow = Effect.fnUntraced(function* (record: SessionRecord) {
  const tmux = yield* Tmux;
  const ask = tmux.list("look");
  const isIts: IsAsked = ({ mark }) => mark?.incarnation === record.incarnation;
  const asked = Effect.flatMap(ask, (listing) => onceReaped(listing, isIts, ask));
  const listed = yield* Effect.either(asked);
  if (listed._tag === "Right") return yield* viewOf(record, listed.right);
  const at = yield* Clock.currentTimeMillis;
  return yield* withLimit(record, unknown(at, listed.left));
});

/** One session with what tmux says of it now. */
export const getSession = Effect.fnUntraced(function* (session: SessionName) {
  const registry = yield* Registry;
  const known = yield* registry.get(session);
  if (Option.isNone(known)) {
    yield* noLostRows(session, "get");
    return yield* new NotFound({ session, attempted: "get" });
  }
  return yield* viewNow(known.value);
});

/**
 * Whether the listing can be as new as the rows: it has of each session what its row has. A program
 * may have ended that its row does not know of, and not the other way around.
 */
const mayBeAsNew = (listing: Listing, records: ReadonlyArray<SessionRecord>): boolean =>
  listing._tag === "Server" &&
  records.every(({ incarnation, state, terminals }) => {
    const found = listing.sessions.find(({ mark }) => mark?.incarnation === incarnation);
    if (found === undefined) return isFinal(state);
    const shown = found.terminals.filter(({ terminal }) => terminal !== null);
    const known = terminals.filter((t) => t.state === "running" || t.state === "exited");
    const isShown = (one: TerminalRecord): boolean =>
      shown.some(
        (t) =>
          t.terminal === one.terminal &&
          t.panePid === one.panePid &&
          (one.state === "running" || t.exit !== null),
      );
    return shown.length === known.length && known.every(isShown);
  });

/**
 * What an early question is worth when the rows are known; nothing where it is to be asked again.
 * That a whole deadline brought no answer is one: nobody waits for a second.
 */
const stillTrue = (
  first: Option.Option<Either.Either<Listing, LookupFailed>>,
  records: ReadonlyArray<SessionRecord>,
) =>
  Option.filter(
    first,
    Either.match({
      onLeft: ({ reason }) => reason === "timeout",
      onRight: (listing) => mayBeAsNew(listing, records),
    }),
  );

/**
 * Every session, from one query and one listing. An `early` listing begins before the query, and
 * counts where it may be as new as the rows: it is taken again where something may have happened
 * between the two.
 */
export const listSessions = Effect.fnUntraced(function* (all: boolean, early: boolean) {
  const registry = yield* Registry;
  const tmux = yield* Tmux;
  const ask = tmux.list("list");
  const [first, { records, unreadable }] = yield* Effect.all(
    [early ? Effect.asSome(Effect.either(ask)) : Effect.succeedNone, registry.list({ ended: all })],
    { concurrency: 2 },
  );
  if (records.length === 0) {
    const unasked = yield* noLostRows(null, "list").pipe(
      Effect.as(null),
      Effect.catchTag("LookupFailed", (failure) => Effect.succeed(failure)),
    );
    const nothing: SessionList = { sessions: [], unreadable, unasked };
    return nothing;
  }
  const known = new Set<string>(records.map(({ incarnation }) => incarnation));
  const isOurs: IsAsked = ({ mark }) => mark !== null && known.has(mark.incarnation);
  const told = Option.getOrElse(stillTrue(first, records), () => ask).pipe(
    Effect.flatMap((listing) => onceReaped(listing, isOurs, ask)),
  );
  const listed = yield* surveyed(records, "list", told).pipe(
    Effect.map(Either.right),
    Effect.catchTag("LookupFailed", (failure) => Effect.succeed(Either.left(failure))),
  );
  const at = yield* Clock.currentTimeMillis;
  const sessions: ReadonlyArray<SessionView> = yield* Effect.forEach(records, (record) =>
    listed._tag === "Right"
      ? viewOf(record, listed.right.listing)
      : withLimit(record, unknown(at, listed.left)),
  );
  const list: SessionList = {
    sessions,
    unreadable,
    unasked: listed._tag === "Left" ? listed.left : listed.right.beside,
  };
  return list;
});
