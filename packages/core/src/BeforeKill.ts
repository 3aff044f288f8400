/**
 * BeforeKill: keeping what terminals show, before anything of them is changed.
 *
 * One read-only list to tmux for all of them, unless the look showed them along with the session,
 * then one file each, within a bound. Whatever fails is told in the result and in the log, and the
 * delete goes on. Nothing is kept of a session that is not there, nor where that was not wanted.
 */
import { Cause, Clock, Effect } from "effect";
import { type Doomed, serverOf } from "./Kill.js";
import { isFinal } from "./Lifecycle.js";
import type { SessionRecord, TerminalRecord } from "./Session.js";
import type { SnapshotOutcome } from "./SessionView.js";
import { Settings } from "./Settings.js";
import { Snapshots } from "./Snapshots.js";
import { type CapturedPane, type Listing, type ShowRequest, Tmux } from "./Tmux.js";

const shot = (
  { record }: Doomed,
  terminal: TerminalRecord,
  { exit, text, truncated }: CapturedPane,
  at: number,
) => ({
  session: record.session,
  generation: record.generation,
  incarnation: record.incarnation,
  terminal: terminal.terminal,
  command: terminal.command,
  cwd: record.spec.cwd,
  exit,
  at,
  truncated,
  text,
});

/** So many lines are shown along with a look at most, so that none is long in coming. */
const SHOWN_LINES = 10_000;

/** The panes that a look is to show for this; `null` where a list of its own reads them. */
export const toShow = (
  { session, state, terminals }: SessionRecord,
  lines: number,
): ShowRequest | null => {
  const panes = terminals.flatMap(({ paneId }) => paneId ?? []);
  const isLittle = panes.length > 0 && panes.length * lines <= SHOWN_LINES;
  return isLittle && !isFinal(state) ? { session, panes, lines } : null;
};

/** What the look showed along with them, where that was every one of these. */
const alreadyShown = (listing: Listing, panes: ReadonlyArray<string>) => {
  const shown = listing._tag === "Server" ? listing.shown : undefined;
  return panes.every((pane) => shown?.some(({ paneId }) => paneId === pane)) ? shown : undefined;
};

const keepAll = Effect.fnUntraced(function* (
  doomed: Doomed,
  terminals: ReadonlyArray<TerminalRecord>,
) {
  const server = serverOf(doomed.listing);
  if (doomed.seen._tag === "Absent" || server === null) return "none" as const;
  const { session } = doomed.record;
  const panes = doomed.seen.session.terminals.flatMap((seen) => {
    const terminal = terminals.find((t) => t.terminal === seen.terminal);
    return terminal === undefined ? [] : [{ terminal, paneId: seen.paneId }];
  });
  if (panes.length === 0) return "none" as const;
  const snapshots = yield* Snapshots;
  const { snapshotLines } = yield* Settings;
  const ids = panes.map(({ paneId }) => paneId);
  const request = { server, session, panes: ids, lines: snapshotLines };
  const captured = alreadyShown(doomed.listing, ids) ?? (yield* (yield* Tmux).snapshot(request));
  const at = yield* Clock.currentTimeMillis;
  for (const { paneId, terminal } of panes) {
    const pane = captured.find((one) => one.paneId === paneId);
    if (pane !== undefined) yield* snapshots.keep(shot(doomed, terminal, pane, at));
  }
  return captured.length === 0 ? ("none" as const) : ("kept" as const);
});

/** The cause in a line, without a stack. */
const wordsOf = (cause: Cause.Cause<{ readonly message: string }>): string => {
  const failure = Cause.failureOption(cause);
  const words = failure._tag === "Some" ? failure.value.message : String(Cause.squash(cause));
  return words.trim().replaceAll(/\s+/g, " ");
};

/** Keeps what these terminals show; never fails, and lasts no longer than its bound. */
export const beforeKill = (
  doomed: Doomed,
  terminals: ReadonlyArray<TerminalRecord>,
): Effect.Effect<SnapshotOutcome, never, Tmux | Snapshots> =>
  Effect.gen(function* () {
    const { snapshotBoundMs } = yield* Settings;
    // In a fiber of its own: it ends at the bound, and not because a caller left.
    return yield* Effect.timeoutFail(Effect.interruptible(keepAll(doomed, terminals)), {
      duration: snapshotBoundMs,
      onTimeout: () => new Cause.TimeoutException("the bound of a snapshot has passed"),
    });
  }).pipe(
    Effect.catchAllCause((cause) =>
      Effect.as(
        Effect.logWarning(`no snapshot of session ${doomed.record.session}: ${wordsOf(cause)}`),
        "failed" as const,
      ),
    ),
  );
