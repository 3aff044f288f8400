/**
 * EndProcesses: asking programs to end, and ending what is left of them.
 *
 * TERM goes to what handles it, and is waited for only while one of these lives. KILL goes to every
 * victim that is still there, looked at until nothing is, or a bound has passed: then the survivors
 * are named. It writes no row and asks tmux nothing.
 */
import { Effect } from "effect";
import { sameProcess } from "./Identity.js";
import { lookUntil } from "./LookUntil.js";
import { type ProcessEntry, ProcessTable } from "./ProcessTable.js";
import { ProcessesSurvived } from "./SessionError.js";
import { Settings } from "./Settings.js";
import { type Lives, victims } from "./Victims.js";

/** A process that was killed is gone in a moment, mostly. */
const firstMs = 2;

const isSame = (now: ProcessEntry | null, before: ProcessEntry | undefined): boolean =>
  now !== null && before !== undefined && sameProcess(now.id, before.id);

/**
 * Sends TERM to every process that handles it, and waits for those, up to the grace. Not to the
 * pane's alone: an agent mostly runs below a shell or a package manager. One that has no handler
 * is left to the kill: if a shell that leads its pane ended first, the kernel would hang up on what
 * it runs.
 */
export const askToEnd = Effect.fnUntraced(function* (
  { panes }: Lives,
  found: ReadonlyArray<ProcessEntry>,
  graceMs: number,
) {
  // Nothing of it is in tmux any more: what is left was told by its terminal's end.
  if (panes.length === 0) return;
  const processes = yield* ProcessTable;
  const { lookSpacingMs } = yield* Settings;
  const polite = found.filter((entry) => entry.catchesTerm);
  // One that the kernel refuses to signal is met again behind the kill, and named there.
  yield* Effect.forEach(polite, (entry) => Effect.either(processes.signal(entry.id, "TERM")));
  const ended = Effect.map(
    Effect.forEach(polite, (entry) => processes.look(entry.id.pid)),
    (now) => now.every((entry, i) => !isSame(entry, polite[i])),
  );
  yield* lookUntil({ boundMs: graceMs, spacingMs: lookSpacingMs }, ended);
});

/** So long what tmux hung up on is given to be gone, before all processes are looked at. */
const hangUp = { boundMs: 6, firstMs: 1, spacingMs: 2 };

/** Whether what is recorded is gone; it mostly is, a moment after its terminal. */
const recordedGone = ({ record, terminal }: Lives) =>
  Effect.gen(function* () {
    const processes = yield* ProcessTable;
    for (const id of record.processes) {
      if (terminal !== null && id.terminal !== terminal) continue;
      const now = yield* processes.look(id.pid);
      if (now !== null && sameProcess(now.id, id)) return false;
    }
    return true;
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
  yield* lookUntil(hangUp, recordedGone(lives));
  const bound = { boundMs: processBoundMs, spacingMs: lookSpacingMs, firstMs };
  const gone = yield* lookUntil(bound, look);
  if (gone) return [...killed].sort((a, b) => a - b);
  return yield* new ProcessesSurvived({
    session: lives.record.session,
    attempted,
    terminal: lives.terminal,
    pids: living.map((entry) => entry.id.pid),
    after: null,
  });
});
