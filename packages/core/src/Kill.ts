/**
 * Kill: ending a session or a terminal with its processes, and showing that they are gone.
 *
 * The kill and the look are one guarded command list, repeated to a bound; then what is left of
 * the processes is killed and looked at to another. It ends only in proof: gone in tmux, gone
 * from the machine. Every doubt on the way is `KillUnconfirmed`, every survivor is named, and both
 * can be run again. It writes no row.
 */
import { Effect } from "effect";
import { endProcesses } from "./EndProcesses.js";
import { type Asking, unlessOvertaken } from "./HigherFence.js";
import type { Holding } from "./Holding.js";
import type { ServerId } from "./Identity.js";
import type { Observation } from "./Lifecycle.js";
import { lookUntil } from "./LookUntil.js";
import type { ProcessTable } from "./ProcessTable.js";
import type { Registry } from "./Registry.js";
import type { SessionRecord, TerminalRecord } from "./Session.js";
import { Busy, KillUnconfirmed, type LookupFailed, type RegistryFailure } from "./SessionError.js";
import { Settings } from "./Settings.js";
import { observe } from "./Sight.js";
import { Telemetry, timed } from "./Telemetry.js";
import { type Listing, type SeenSession, Tmux } from "./Tmux.js";
import { type Lives, sessionLives } from "./Victims.js";

/** What is to be ended, as it was seen. */
export interface Doomed {
  readonly record: SessionRecord;
  readonly listing: Listing;
  readonly seen: Observation;
  readonly attempted: string;
  /** The terminal of it, when that alone is to be ended. */
  readonly terminal?: TerminalRecord;
}

/** The server that the listing is of. */
export const serverOf = (listing: Listing): ServerId | null =>
  listing._tag === "Server" ? listing.server : null;

/** One kill with its look: whether it is positively gone, and how things were seen then. */
export type KillOnce = (
  holding: Holding,
  doomed: Doomed,
) => Effect.Effect<
  { readonly gone: boolean; readonly doomed: Doomed },
  LookupFailed | Busy | RegistryFailure,
  Tmux | Registry | ProcessTable
>;

const unconfirmed = (doomed: Doomed, detail: string): KillUnconfirmed =>
  new KillUnconfirmed({
    session: doomed.record.session,
    attempted: doomed.attempted,
    terminal: doomed.terminal?.terminal ?? null,
    detail,
    after: null,
  });

/** The same things as they are seen now. */
export const lookAgain = Effect.fnUntraced(function* (holding: Holding, doomed: Doomed) {
  const listing = yield* holding.look(doomed.attempted);
  const seen = yield* observe(doomed.record, listing, doomed.attempted);
  return { ...doomed, listing, seen };
});

/** What could not be found out after a kill was begun leaves the next look behind the fence. */
export const inDoubt = (holding: Holding, doomed: Doomed) => (failure: LookupFailed) =>
  Effect.zipRight(holding.leaveUnknown, Effect.fail(unconfirmed(doomed, failure.message)));

/**
 * Windows of ours that are in another session, too or instead, do not end with their session. Each
 * is killed in a list of its own: tmux 3.2a to 3.7c crashes when one list changes the current
 * window of a session and then ends that, while a client in control mode looks on.
 */
const killAway = Effect.fnUntraced(function* (
  holding: Holding,
  asking: Asking,
  doomed: Doomed,
  seen: SeenSession,
) {
  const tmux = yield* Tmux;
  // Those that are not in the session itself first: it may end with the last of the others.
  for (const { away, paneId, terminal, windowId } of [...seen.terminals].reverse()) {
    if (terminal === null || !away) continue;
    const made = doomed.record.terminals.find((t) => t.terminal === terminal);
    const pane = { terminal, paneId, windowId: made?.windowId ?? windowId };
    const target = () => holding.target(doomed.record, seen, asking.server);
    yield* unlessOvertaken(holding, asking, () => tmux.killTerminal({ ...target(), ...pane }));
  }
});

/**
 * A pane that a user moved here from another session of ours would end with this one, so nothing
 * is done while its program runs and it is in no other place.
 */
export const refuseGuests = Effect.fnUntraced(function* ({ attempted, record, seen }: Doomed) {
  const panes = seen._tag === "Present" ? seen.session.terminals : [];
  const guests = panes.filter((pane) => pane.stranger && !pane.away && pane.exit === null);
  if (guests.length === 0) return;
  const holder = [...new Set(guests.map(({ windowId }) => windowId))].join(", ");
  const { session } = record;
  return yield* new Busy({ session, attempted, holder, reason: "windows" });
});

const killSession: KillOnce = Effect.fnUntraced(function* (holding, doomed) {
  const { attempted, listing, record, seen } = doomed;
  const server = serverOf(listing);
  if (seen._tag === "Absent" || server === null) return { gone: true, doomed };
  yield* refuseGuests(doomed);
  const tmux = yield* Tmux;
  const asking = { server, attempted };
  yield* killAway(holding, asking, doomed, seen.session);
  const reply = yield* unlessOvertaken(holding, asking, () =>
    tmux.kill(holding.target(record, seen.session, server)),
  );
  switch (reply._tag) {
    case "Gone":
      return { gone: true, doomed };
    case "StillThere":
      return { gone: false, doomed };
    case "Elsewhere": {
      const now = yield* lookAgain(holding, doomed);
      return { gone: now.seen._tag === "Absent", doomed: now };
    }
  }
});

/**
 * Kills until it is positively gone, or the bound has passed; how things were seen then. A kill
 * with an unknown outcome is not repeated blindly: the fence is raised, and what the next look
 * sees decides.
 */
export const killInTmux = Effect.fnUntraced(function* (
  holding: Holding,
  first: Doomed,
  killOnce: KillOnce,
) {
  const { killBoundMs, lookSpacingMs } = yield* Settings;
  let doomed = first;
  let doubt: LookupFailed | null = null;
  const attempt = Effect.gen(function* () {
    if (doubt !== null) {
      doomed = yield* lookAgain(holding, doomed);
      doubt = null;
    }
    const result = yield* killOnce(holding, doomed);
    doomed = result.doomed;
    return result.gone;
  });
  const look = Effect.catchTag(attempt, "LookupFailed", (failure) => {
    doubt = failure;
    return Effect.as(holding.outcomeUnknown, false);
  });
  const gone = yield* lookUntil({ boundMs: killBoundMs, spacingMs: lookSpacingMs }, look);
  if (gone) return doomed;
  const left: LookupFailed | null = doubt;
  const detail = left === null ? "tmux still lists it after the kill" : messageOf(left);
  return yield* unconfirmed(first, detail);
});

/** Records how long it took to show that it is gone, or to give up. */
export const timedKill = <A, E, R>(kill: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  timed(Telemetry.kill, kill);

const messageOf = (failure: LookupFailed): string => failure.message;

/**
 * Ends the session in tmux and its recorded, marked and descended processes, or those of `lives`.
 * The processes must be in the record already, so that a crash in between loses none.
 */
export const endSession = (
  holding: Holding,
  doomed: Doomed,
  lives: Lives = sessionLives(doomed.record, null),
) =>
  killInTmux(holding, doomed, killSession).pipe(
    Effect.zipRight(endProcesses(lives, doomed.attempted)),
    timedKill,
    Effect.catchTag("LookupFailed", inDoubt(holding, doomed)),
  );
