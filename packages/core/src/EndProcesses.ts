/**
 * EndProcesses: asking programs to end, and ending what is left of them.
 *
 * TERM goes to the programs of panes, and is waited for only while one lives that handles it. KILL
 * goes to every victim that is still there, looked at until nothing is, or a bound has passed:
 * then the survivors are named. It writes no row and asks tmux nothing.
 */
import { Effect } from "effect";
import { sameProcess } from "./Identity.js";
import { lookUntil } from "./LookUntil.js";
import { type ProcessEntry, ProcessTable } from "./ProcessTable.js";
import { ProcessesSurvived } from "./SessionError.js";
import { Settings } from "./Settings.js";
import { type Lives, panePids, victims } from "./Victims.js";

const isSame = (now: ProcessEntry | null, before: ProcessEntry | undefined): boolean =>
  now !== null && before !== undefined && sameProcess(now.id, before.id);

/** Sends TERM to the programs of the panes, and waits for those that handle it, up to the grace. */
export const askToEnd = Effect.fnUntraced(function* (
  lives: Lives,
  found: ReadonlyArray<ProcessEntry>,
  graceMs: number,
) {
  const processes = yield* ProcessTable;
  const { lookSpacingMs } = yield* Settings;
  const panes = new Set(panePids(lives.panes));
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

/** KILL to what is left, looked at until nothing is; the pids that it was sent to. */
export const endProcesses = Effect.fnUntraced(function* (lives: Lives, attempted: string) {
  const processes = yield* ProcessTable;
  const { lookSpacingMs, processBoundMs } = yield* Settings;
  const killed = new Set<number>();
  let living: ReadonlyArray<ProcessEntry> = [];
  const look = Effect.gen(function* () {
    // Its panes are gone from tmux: what they ran is known by the record and by the mark.
    living = yield* victims({ ...lives, panes: [] });
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
    session: lives.record.session,
    attempted,
    terminal: lives.terminal,
    pids: living.map((entry) => entry.id.pid),
    after: null,
  });
});
