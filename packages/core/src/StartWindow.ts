/**
 * StartWindow: from a program that tmux started to what may be said of it.
 *
 * tmux reports success for a program that ends at once, so the program must be seen to live when
 * the window has passed: tmux is asked then, and before only when the program's process is gone. An
 * end that tmux tells ends the window. The exit status of one that ended is asked for again while
 * the server has not reaped it, which SIGCHLD to the server mends (measured on 3.3a: 5 of 45 runs).
 */
import { Clock, Effect, Either } from "effect";
import { masked, type SuppliedEnvironment } from "./Environment.js";
import { untilReaped } from "./ExitStatus.js";
import type { Holding } from "./Holding.js";
import type { ServerId, TerminalId } from "./Identity.js";
import { ProcessTable } from "./ProcessTable.js";
import type { SessionRecord } from "./Session.js";
import { StartFailed } from "./SessionError.js";
import { observe } from "./Sight.js";
import { type SeenSession, type SeenTerminal, Tmux } from "./Tmux.js";

const OUTPUT_LINES = 20;

/** How often the process is looked at, and the pause behind the first look that it hurried. */
const WATCH_MS = 100;
const FIRST_PAUSE_MS = 20;

/** A program that was started in a terminal of the session. */
export interface Start {
  readonly attempted: string;
  readonly record: SessionRecord;
  readonly server: ServerId;
  readonly terminal: TerminalId;
  readonly command: ReadonlyArray<string>;
  readonly environment: SuppliedEnvironment;
  readonly startWindowMs: number;
}

const failed = ({ attempted, command, record }: Start, fields: Partial<StartFailed>): StartFailed =>
  new StartFailed({
    session: record.session,
    attempted,
    program: command[0] ?? "",
    path: null,
    code: fields.code ?? null,
    signal: fields.signal ?? null,
    output: fields.output ?? null,
    reason: fields.reason ?? "ended",
  });

const lookAgain = Effect.fnUntraced(function* (holding: Holding, start: Start) {
  const { attempted, record } = start;
  const seen = yield* observe(record, yield* holding.look(attempted), attempted);
  return seen._tag === "Present" ? seen.session : yield* failed(start, { reason: "vanished" });
});

/** Looks until the server has reaped what ended, up to the bound of a kill. */
const settled = Effect.fnUntraced(function* (holding: Holding, start: Start) {
  const look = lookAgain(holding, start);
  return yield* untilReaped(start.server, yield* look, look);
});

/** Whether the process is gone; one that could not be looked at is left to the look at tmux. */
const isGone = Effect.fnUntraced(function* (pid: number) {
  const processes = yield* ProcessTable;
  const entry = yield* Effect.either(processes.look(pid));
  return Either.isRight(entry) && entry.right === null;
});

const paneOf = (session: SeenSession, { terminal }: Start) =>
  session.terminals.find((t) => t.terminal === terminal);

/** The session at the end of the window, or when it tells that the program ended before. */
const seenThrough = Effect.fnUntraced(function* (
  holding: Holding,
  made: SeenSession,
  start: Start,
) {
  const end = (yield* Clock.currentTimeMillis) + start.startWindowMs;
  const pid = paneOf(made, start)?.panePid ?? null;
  const hurried = Effect.as(holding.hurried, true);
  let pauseMs = WATCH_MS;
  let gone = false;
  for (;;) {
    const left = end - (yield* Clock.currentTimeMillis);
    const isLast = pauseMs >= left;
    const timer = Effect.as(Effect.sleep(Math.max(0, Math.min(pauseMs, left))), isLast);
    if (yield* Effect.interruptible(Effect.raceFirst(timer, hurried))) break;
    if (!gone) {
      gone = pid !== null && (yield* isGone(pid));
      if (!gone) continue;
      pauseMs = FIRST_PAUSE_MS;
    }
    // tmux may not have heard of the end yet, or waits for a child that has the terminal open.
    const session = yield* settled(holding, start);
    if (paneOf(session, start)?.exit !== null) return session;
    pauseMs *= 2;
  }
  return yield* settled(holding, start);
});

/** The pane in the window that was made for it, wherever a user has moved it since. */
export const inItsWindow = (pane: SeenTerminal, made: SeenSession): SeenTerminal => {
  const first = made.terminals.find((t) => t.terminal === pane.terminal);
  return { ...pane, windowId: first?.windowId ?? pane.windowId };
};

/**
 * Waits for the window and looks; the session as it is then, its program alive or ended with 0.
 * `StartFailed` with the code and the last output when the program ended badly. A delete that is
 * sent meanwhile ends the window. The wait alone can be interrupted. A window of 0 takes `made`
 * as it is.
 */
export const startWindow = Effect.fnUntraced(function* (
  holding: Holding,
  made: SeenSession,
  start: Start,
) {
  if (start.startWindowMs === 0) return made;
  const session = yield* seenThrough(holding, made, start);
  const pane = paneOf(session, start);
  if (pane === undefined) return yield* failed(start, { reason: "vanished" });
  if (pane.exit === null || pane.exit.code === 0) return session;
  const tmux = yield* Tmux;
  const { record, server } = start;
  const shown = { server, paneId: pane.paneId, session: record.session };
  const how = { lines: OUTPUT_LINES, join: true, ansi: false };
  const output = yield* tmux.capture(shown, how);
  return yield* failed(start, {
    ...pane.exit,
    output: output === null ? null : masked(output.text, start.environment),
  });
});
