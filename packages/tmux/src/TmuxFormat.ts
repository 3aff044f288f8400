/**
 * TmuxFormat: rows that we ask tmux to print, and the one reader of each.
 *
 * Every row begins with a letter and has named fields in a fixed order; the free text, the
 * session's name, stands last. A row that does not match whole makes the listing unreadable:
 * nothing is guessed and nothing is left out. Window names, paths and commands, which may hold
 * newlines, are never asked for.
 */
import {
  IncarnationId,
  type Mark,
  type ProgramExit,
  type SeenSession,
  type SeenTerminal,
  type ServerId,
  TerminalId,
} from "@troupe/core";

/** The fields of a session, for `list-sessions -F`. */
export const SESSION_ROW =
  "S #{session_id} i=#{@troupe-inc} h=#{@troupe-home} g=#{@troupe-gen} n=#{session_name}";

/** The fields of a pane, for `list-panes -F` and `new-session -P -F`. */
export const PANE_ROW =
  "P #{session_id} #{window_id} #{pane_id} #{pane_pid} t=#{@troupe-pane} d=#{pane_dead} c=#{pane_dead_status} s=#{pane_dead_signal}";

const HELLO = /^T1 ([0-9]+) ([0-9]+) (\S+)$/;
const SESSION = /^S (\$[0-9]+) i=([A-Za-z0-9-]*) h=([A-Za-z0-9-]*) g=([0-9]*) n=(.*)$/;
const PANE =
  /^P (\$[0-9]+) (@[0-9]+) (%[0-9]+) ([0-9]+) t=([A-Za-z0-9-]*) d=([01]?) c=([0-9]*) s=([0-9]*)$/;

/** Who answers, from the line that every list begins with. */
export const parseHello = (
  line: string | undefined,
): { readonly server: ServerId; readonly version: string } | null => {
  const match = HELLO.exec(line ?? "");
  if (match === null) return null;
  const [, pid = "", startTime = "", version = ""] = match;
  return { server: { pid: Number(pid), startTime: Number(startTime) }, version };
};

const markOf = (incarnation: string, home: string, generation: string): Mark | null =>
  incarnation.length < 8 || home === "" || generation === ""
    ? null
    : { incarnation: IncarnationId.make(incarnation), home, generation: Number(generation) };

const exitOf = (dead: string, code: string, signal: string): ProgramExit | null =>
  dead !== "1"
    ? null
    : { code: code === "" ? null : Number(code), signal: signal === "" ? null : Number(signal) };

/** A pane with the session that it is listed in; `null` when the row is not whole. */
export const parsePane = (
  line: string,
): { readonly sessionId: string; readonly terminal: SeenTerminal } | null => {
  const match = PANE.exec(line);
  if (match === null) return null;
  const [, sessionId = "", windowId = "", paneId = "", pid = "", mark = ""] = match;
  const terminal = {
    windowId,
    paneId,
    panePid: Number(pid),
    terminal: mark === "" ? null : TerminalId.make(mark),
    exit: exitOf(match[6] ?? "", match[7] ?? "", match[8] ?? ""),
  };
  return { sessionId, terminal };
};

/** The rows between greeting and end, as sessions; `null` when any row is not whole. */
export const parseListing = (lines: ReadonlyArray<string>): ReadonlyArray<SeenSession> | null => {
  const sessions = new Map<string, SeenSession & { terminals: Array<SeenTerminal> }>();
  for (const line of lines) {
    const session = SESSION.exec(line);
    if (session !== null) {
      const [, sessionId = "", incarnation = "", home = "", generation = "", name = ""] = session;
      const mark = markOf(incarnation, home, generation);
      sessions.set(sessionId, { sessionId, name, mark, terminals: [] });
      continue;
    }
    const pane = parsePane(line);
    const owner = pane === null ? undefined : sessions.get(pane.sessionId);
    if (pane === null || owner === undefined) return null;
    owner.terminals.push(pane.terminal);
  }
  return [...sessions.values()];
};
