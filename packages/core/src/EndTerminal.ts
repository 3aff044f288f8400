/**
 * EndTerminal: ending one terminal of a session and showing that it is gone, its peers unhurt.
 *
 * The same verified protocol as for a session: processes recorded, the kill and its look in one
 * list, KILL to what is left, proof. Then the row becomes `gone`, and what that look saw of the
 * session is written with it: a session that ended with the window is `lost`, one whose other
 * programs have all ended is `exited`.
 */
import { Effect } from "effect";
import { endProcesses } from "./EndProcesses.js";
import { unlessOvertaken } from "./HigherFence.js";
import type { Holding } from "./Holding.js";
import {
  type Doomed,
  inDoubt,
  type KillOnce,
  killInTmux,
  lookAgain,
  serverOf,
  timedKill,
} from "./Kill.js";
import { decide, type Observation } from "./Lifecycle.js";
import type { Change } from "./Registry.js";
import type { SessionRecord, TerminalRecord } from "./Session.js";
import { observe } from "./Sight.js";
import { type SeenTerminal, Tmux } from "./Tmux.js";
import { type Lives, recorded, victims } from "./Victims.js";

/** A terminal that is to be ended, as it and its session were seen. */
export interface DoomedTerminal extends Doomed {
  readonly terminal: TerminalRecord;
}

/** The pane of the terminal, if it was seen. */
export const paneOf = ({ terminal }: TerminalRecord, seen: Observation): SeenTerminal | null =>
  seen._tag === "Absent"
    ? null
    : (seen.session.terminals.find((pane) => pane.terminal === terminal) ?? null);

/** The window that was made for the terminal; of one that was cut off, the one it is seen in. */
const windowOf = (terminal: TerminalRecord, pane: SeenTerminal): string =>
  terminal.windowId ?? pane.windowId;

/** The panes that end with the terminal: all of its window, unless a peer's is among them. */
export const terminalLives = ({
  record,
  seen,
  terminal,
}: Pick<DoomedTerminal, "record" | "seen" | "terminal">): Lives => {
  const pane = paneOf(terminal, seen);
  const of = { record, terminal: terminal.terminal, attachedTo: null };
  if (pane === null || seen._tag === "Absent") return { ...of, panes: [] };
  const inWindow = seen.session.terminals.filter(({ windowId }) => windowId === pane.windowId);
  const alone = inWindow.every(
    (other) => other === pane || (other.terminal === null && !other.stranger),
  );
  const own = windowOf(terminal, pane) === pane.windowId;
  return { ...of, panes: alone && own ? inWindow : [pane] };
};

const killTerminal =
  (terminal: TerminalRecord): KillOnce =>
  (holding, doomed) =>
    Effect.gen(function* () {
      const { listing, record, seen } = doomed;
      const pane = paneOf(terminal, seen);
      const server = serverOf(listing);
      if (pane === null || seen._tag === "Absent" || server === null) return { gone: true, doomed };
      const tmux = yield* Tmux;
      const reply = yield* unlessOvertaken(holding, { server, attempted: doomed.attempted }, () =>
        tmux.killTerminal({
          ...holding.target(record, seen.session, server),
          terminal: terminal.terminal,
          paneId: pane.paneId,
          windowId: windowOf(terminal, pane),
        }),
      );
      switch (reply._tag) {
        case "Looked": {
          const now = yield* observe(record, reply.listing, doomed.attempted);
          const after = { ...doomed, listing: reply.listing, seen: now };
          return { gone: paneOf(terminal, now) === null, doomed: after };
        }
        case "Elsewhere": {
          const now = yield* lookAgain(holding, doomed);
          return { gone: paneOf(terminal, now.seen) === null, doomed: now };
        }
      }
    });

/** What is written when the terminal is as it says, given what was seen of the session then. */
export const settledChanges = (
  record: SessionRecord,
  terminal: TerminalRecord,
  seen: Observation,
): ReadonlyArray<Change> => {
  const others = record.terminals.filter((t) => t.terminal !== terminal.terminal);
  const decision = decide({ ...record, terminals: [...others, terminal] }, seen);
  const rest = decision._tag === "Refresh" ? decision.changes : [];
  return [{ _tag: "Terminal", record: terminal }, ...rest];
};

/** The living processes of the terminal, recorded; the terminal with the record as it is then. */
export const recordTerminal = Effect.fnUntraced(function* (
  holding: Holding,
  doomed: DoomedTerminal,
  changes: ReadonlyArray<Change>,
) {
  const lives = terminalLives(doomed);
  const found = yield* victims(lives);
  const written = found.length === 0 ? changes : [recorded(lives.terminal, found), ...changes];
  if (written.length === 0) return { found, lives, doomed };
  const record = yield* holding.commit(doomed.record.incarnation, written);
  return { found, lives, doomed: { ...doomed, record } };
});

/**
 * Ends the terminal, whose processes are recorded already, and says `gone`; the pids that KILL was
 * sent to, and the record as it is then. With `release` the claim ends with that write.
 */
export const endTerminal = (
  holding: Holding,
  doomed: DoomedTerminal,
  options: { readonly release: boolean },
) =>
  Effect.gen(function* () {
    const { attempted, record, terminal } = doomed;
    const lives = { ...terminalLives(doomed), panes: [] };
    const [after, killed] = yield* timedKill(
      Effect.all([
        killInTmux(holding, doomed, killTerminal(terminal)),
        endProcesses(lives, attempted),
      ]),
    );
    const gone: TerminalRecord = { ...terminal, state: "gone" };
    const changes = settledChanges(record, gone, after.seen);
    return { killed, record: yield* holding.commit(record.incarnation, changes, options) };
  }).pipe(Effect.catchTag("LookupFailed", inDoubt(holding, doomed)));

/** Takes back a terminal whose creation or delete was cut off, whoever finds it. */
export const finishTerminal = Effect.fnUntraced(function* (
  holding: Holding,
  doomed: DoomedTerminal,
  options: { readonly release: boolean },
) {
  const { doomed: known } = yield* recordTerminal(holding, doomed, []);
  return yield* endTerminal(holding, known, options);
});
