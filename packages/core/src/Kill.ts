/**
 * Kill: ending a session and its processes, and showing that they are gone.
 *
 * The kill and the look are one guarded command list, repeated to a bound; then what is left of
 * the processes is killed and looked at to another. It ends only in proof: gone in tmux, gone
 * from the machine. Every doubt on the way is `KillUnconfirmed`, every survivor is named, and both
 * can be run again. It writes no row.
 */
import { Effect } from "effect";
import type { Holding } from "./Holding.js";
import { type ServerId, sameProcess } from "./Identity.js";
import type { Observation } from "./Lifecycle.js";
import { lookUntil } from "./LookUntil.js";
import { type ProcessEntry, ProcessTable } from "./ProcessTable.js";
import type { SessionRecord } from "./Session.js";
import { Busy, KillUnconfirmed, type LookupFailed, ProcessesSurvived } from "./SessionError.js";
import { Settings } from "./Settings.js";
import { observe } from "./Sight.js";
import { type Listing, Tmux } from "./Tmux.js";
import { panePids, victims } from "./Victims.js";

/** What is to be ended, as it was seen. */
export interface Doomed {
  readonly record: SessionRecord;
  readonly listing: Listing;
  readonly seen: Observation;
  readonly attempted: string;
}

const serverOf = (listing: Listing): ServerId | null =>
  listing._tag === "Server" ? listing.server : null;

const unconfirmed = (doomed: Doomed, detail: string): KillUnconfirmed =>
  new KillUnconfirmed({
    session: doomed.record.session,
    attempted: doomed.attempted,
    detail,
    after: null,
  });

/** What could not be found out after a kill was begun leaves the next look behind the fence. */
const inDoubt = (holding: Holding, doomed: Doomed) => (failure: LookupFailed) =>
  Effect.zipRight(holding.leaveUnknown, Effect.fail(unconfirmed(doomed, failure.message)));

/** One kill with its look; true when the session is positively gone. */
const killOnce = Effect.fnUntraced(function* (holding: Holding, doomed: Doomed) {
  const { attempted, listing, record, seen } = doomed;
  const server = serverOf(listing);
  if (seen._tag === "Absent" || server === null) return { gone: true, doomed };
  const tmux = yield* Tmux;
  const reply = yield* tmux.kill(holding.target(record, seen.session, server));
  switch (reply._tag) {
    case "Gone":
      return { gone: true, doomed };
    case "StillThere":
      return { gone: false, doomed };
    case "Stale":
      return yield* new Busy({
        session: record.session,
        attempted,
        holder: null,
        reason: "overtaken",
      });
    case "Elsewhere": {
      const now = yield* holding.look(attempted);
      const again = yield* observe(record, now, attempted);
      return { gone: again._tag === "Absent", doomed: { ...doomed, listing: now, seen: again } };
    }
  }
});

/**
 * Kills until the session is positively gone, or the bound has passed. A kill with an unknown
 * outcome is not repeated blindly: the fence is raised, and what the next look sees decides.
 */
const killInTmux = Effect.fnUntraced(function* (holding: Holding, first: Doomed) {
  const { killBoundMs, lookSpacingMs } = yield* Settings;
  let doomed = first;
  let doubt: LookupFailed | null = null;
  const attempt = Effect.gen(function* () {
    if (doubt !== null) {
      const listing = yield* holding.look(first.attempted);
      const seen = yield* observe(first.record, listing, first.attempted);
      doomed = { ...doomed, listing, seen };
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
  if (gone) return;
  const left: LookupFailed | null = doubt;
  const detail = left === null ? "tmux still lists it after the kill" : messageOf(left);
  return yield* unconfirmed(first, detail);
});

const messageOf = (failure: LookupFailed): string => failure.message;

/** Sends TERM to the programs of the panes, and waits for those that handle it, up to the grace. */
export const askToEnd = Effect.fnUntraced(function* (
  doomed: Doomed,
  found: ReadonlyArray<ProcessEntry>,
  graceMs: number,
) {
  if (doomed.seen._tag === "Absent") return;
  const processes = yield* ProcessTable;
  const { lookSpacingMs } = yield* Settings;
  const panes = new Set(panePids(doomed.seen.session));
  const programs = found.filter((entry) => panes.has(entry.id.pid));
  // One that the kernel refuses to signal is met again behind the kill, and named there.
  yield* Effect.forEach(programs, (entry) => Effect.either(processes.signal(entry.id, "TERM")));
  const polite = programs.filter((entry) => entry.catchesTerm);
  const ended = Effect.map(
    Effect.forEach(polite, (entry) => processes.look(entry.id.pid)),
    (now) => now.every((entry, i) => !isSame(entry, polite[i])),
  );
  yield* lookUntil({ boundMs: graceMs, spacingMs: lookSpacingMs }, ended);
});

const isSame = (now: ProcessEntry | null, before: ProcessEntry | undefined): boolean =>
  now !== null && before !== undefined && sameProcess(now.id, before.id);

/** KILL to what is left, looked at until nothing is; the pids that it was sent to. */
const endProcesses = Effect.fnUntraced(function* (doomed: Doomed) {
  const processes = yield* ProcessTable;
  const { lookSpacingMs, processBoundMs } = yield* Settings;
  const killed = new Set<number>();
  let living: ReadonlyArray<ProcessEntry> = [];
  const look = Effect.gen(function* () {
    living = yield* victims(doomed.record, null);
    for (const { id } of living) {
      killed.add(id.pid);
      // One that the kernel refuses to signal shows as a survivor at the bound.
      yield* Effect.either(processes.signal(id, "KILL"));
    }
    return living.length === 0;
  });
  const gone = yield* lookUntil({ boundMs: processBoundMs, spacingMs: lookSpacingMs }, look);
  if (gone) return [...killed].sort((a, b) => a - b);
  return yield* new ProcessesSurvived({
    session: doomed.record.session,
    attempted: doomed.attempted,
    pids: living.map((entry) => entry.id.pid),
    after: null,
  });
});

/**
 * Ends the session in tmux and its recorded, marked and descended processes. The processes must
 * be in the record already, so that a crash in between loses none.
 */
export const endSession = (holding: Holding, doomed: Doomed) =>
  Effect.zipRight(killInTmux(holding, doomed), endProcesses(doomed)).pipe(
    Effect.catchTag("LookupFailed", inDoubt(holding, doomed)),
  );
