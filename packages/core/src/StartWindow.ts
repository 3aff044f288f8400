/**
 * StartWindow: from a session that tmux made to what the row may say of it.
 *
 * tmux reports success for a program that ends at once, so the program must be seen to live when
 * the window has passed. The exit status of one that ended is asked for again while the server has
 * not reaped it, which SIGCHLD to the server mends (measured on 3.3a: 5 of 45 runs).
 */
import { Effect } from "effect";
import type { Creation } from "./Creation.js";
import { masked } from "./Environment.js";
import type { Holding } from "./Holding.js";
import type { ServerId } from "./Identity.js";
import { lookUntil } from "./LookUntil.js";
import { ProcessTable } from "./ProcessTable.js";
import type { Change } from "./Registry.js";
import type { ProgramExit, SessionRecord, TerminalRecord } from "./Session.js";
import { StartFailed } from "./SessionError.js";
import { Settings } from "./Settings.js";
import { observe } from "./Sight.js";
import { type SeenSession, type SeenTerminal, Tmux } from "./Tmux.js";
import { victims } from "./Victims.js";

const OUTPUT_LINES = 20;

const failed = (record: SessionRecord, fields: Partial<StartFailed>): StartFailed =>
  new StartFailed({
    session: record.session,
    attempted: "create",
    program: record.spec.command[0] ?? "",
    path: null,
    code: fields.code ?? null,
    signal: fields.signal ?? null,
    output: fields.output ?? null,
    reason: fields.reason ?? "ended",
  });

const lookAgain = Effect.fnUntraced(function* (holding: Holding, record: SessionRecord) {
  const seen = yield* observe(record, yield* holding.look("create"), "create");
  return seen._tag === "Present" ? seen.session : yield* failed(record, { reason: "vanished" });
});

const isKnown = (exit: ProgramExit | null): boolean =>
  exit === null || exit.code !== null || exit.signal !== null;

/** Looks until the server has reaped what ended, up to the bound of a kill. */
const settled = Effect.fnUntraced(function* (
  holding: Holding,
  record: SessionRecord,
  server: ServerId,
) {
  const processes = yield* ProcessTable;
  const { killBoundMs, lookSpacingMs } = yield* Settings;
  let session = yield* lookAgain(holding, record);
  const look = Effect.gen(function* () {
    if (session.terminals.every((t) => isKnown(t.exit))) return true;
    const entry = yield* processes.look(server.pid);
    if (entry !== null) yield* processes.signal(entry.id, "CHLD");
    session = yield* lookAgain(holding, record);
    return false;
  });
  yield* lookUntil({ boundMs: killBoundMs, spacingMs: lookSpacingMs }, look);
  return session;
});

/** A pane of ours as it is recorded; nothing for one that a user made. */
export const terminalOf = (seen: SeenTerminal): ReadonlyArray<TerminalRecord> => {
  if (seen.terminal === null) return [];
  const state = seen.exit === null ? "running" : "exited";
  const { exit, paneId, panePid, terminal, windowId } = seen;
  return [{ terminal, windowId, paneId, panePid, state, exit }];
};

/** What is written when the program lived, or ended well. */
const startedChanges = Effect.fnUntraced(function* (record: SessionRecord, session: SeenSession) {
  const terminals = session.terminals.flatMap(terminalOf);
  const found = yield* victims(record, session);
  const to = terminals.some((t) => t.state === "running") ? "running" : "exited";
  const changes: ReadonlyArray<Change> = [
    ...terminals.map((t): Change => ({ _tag: "Terminal", record: t })),
    { _tag: "Processes", processes: found.map((entry) => entry.id) },
    { _tag: "Move", to, cause: null, sessionId: session.sessionId },
  ];
  return changes;
});

/**
 * Waits for the window and looks; the changes that say `running` or `exited`. `StartFailed` with
 * the code and the last output when the program ended badly. The wait alone can be interrupted.
 */
export const startWindow = Effect.fnUntraced(function* (
  holding: Holding,
  record: SessionRecord,
  made: SeenSession,
  server: ServerId,
  creation: Creation,
) {
  if (creation.startWindowMs === 0) return yield* startedChanges(record, made);
  yield* Effect.interruptible(Effect.sleep(creation.startWindowMs));
  const session = yield* settled(holding, record, server);
  const main = session.terminals.find((t) => t.terminal === made.terminals[0]?.terminal);
  if (main === undefined) return yield* failed(record, { reason: "vanished" });
  if (main.exit === null || main.exit.code === 0) return yield* startedChanges(record, session);
  const tmux = yield* Tmux;
  const pane = { server, paneId: main.paneId, session: record.session };
  const output = yield* tmux.capture(pane, OUTPUT_LINES);
  return yield* failed(record, {
    ...main.exit,
    output: output === null ? null : masked(output, creation.environment),
  });
});
