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
import { isKeeper } from "./Keeper.js";

/** Whether these options hold what we never write, which a user may. */
const odd = (...options: ReadonlyArray<string>): string =>
  `#{m:*[!A-Za-z0-9-]*,${options.map((option) => `#{${option}}`).join("")}}`;

/** An option of ours; nothing when it is odd. */
const mark = (option: string): string => `#{?${odd(option)},,#{${option}}}`;

/** The marks of a session, which count together: with one that is odd there are none. */
const MARKS = [
  `#{?${odd("@troupe-inc", "@troupe-home", "@troupe-gen")},i= h= g=,`,
  "i=#{@troupe-inc} h=#{@troupe-home} g=#{@troupe-gen}}",
].join("");

/** The fields of a session, for `list-sessions -F`. */
export const SESSION_ROW = [
  "S #{session_id} w=#{session_windows}",
  MARKS,
  "n=#{session_name}",
].join(" ");

/** The fields of a pane, for `list-panes -F` and `new-session -P -F`. */
export const PANE_ROW = [
  "P #{session_id} #{window_id} #{pane_id} #{pane_pid} p=#{window_panes} l=#{window_linked}",
  `o=${mark("@troupe-owner")} t=${mark("@troupe-pane")} d=#{pane_dead} c=#{pane_dead_status} s=#{pane_dead_signal}`,
].join(" ");

const HELLO = /^T1 ([0-9]+) ([0-9]+) (\S+)$/;
const SESSION =
  /^S (\$[0-9]+) w=([0-9]+) i=([A-Za-z0-9-]*) h=([A-Za-z0-9-]*) g=([A-Za-z0-9-]*) n=(.*)$/;
const PANE =
  /^P (\$[0-9]+) (@[0-9]+) (%[0-9]+) ([0-9]+) p=([0-9]+) l=([01]?) o=([A-Za-z0-9-]*) t=([A-Za-z0-9-]*) d=([01]?) c=([0-9]*) s=([0-9]*)$/;

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
  incarnation.length < 8 || home === "" || !/^[0-9]+$/.test(generation)
    ? null
    : { incarnation: IncarnationId.make(incarnation), home, generation: Number(generation) };

/** How a pane's program ended, from three fields; `null` while it runs. */
export const exitOf = (dead: string, code: string, signal: string): ProgramExit | null =>
  dead !== "1"
    ? null
    : { code: code === "" ? null : Number(code), signal: signal === "" ? null : Number(signal) };

/** A pane as a row tells it, with how many panes its window has, and which incarnation made it. */
interface PaneRow {
  readonly sessionId: string;
  readonly panes: number;
  readonly owner: string;
  readonly terminal: SeenTerminal;
}

/** A pane with the session that it is listed in; `null` when the row is not whole. */
export const parsePane = (line: string): PaneRow | null => {
  const match = PANE.exec(line);
  if (match === null) return null;
  const [, sessionId = "", windowId = "", paneId = "", pid = "", panes = ""] = match;
  const [linked, owner = "", mark = "", ...exit] = match.slice(6);
  const terminal = {
    windowId,
    paneId,
    panePid: Number(pid),
    terminal: mark === "" ? null : TerminalId.make(mark),
    stranger: false,
    away: linked === "1",
    exit: exitOf(exit[0] ?? "", exit[1] ?? "", exit[2] ?? ""),
  };
  return { sessionId, panes: Number(panes), owner, terminal };
};

/** A session as its row tells it, with how many windows it has, before its panes are read. */
interface SessionRow {
  readonly keeper: boolean;
  readonly windows: number;
  readonly session: SeenSession;
  readonly panes: Array<PaneRow>;
}

const parseSession = (line: string): SessionRow | null => {
  const match = SESSION.exec(line);
  if (match === null) return null;
  const [, sessionId = "", windows = "", incarnation = "", home = "", generation = ""] = match;
  const mark = markOf(incarnation, home, generation);
  const name = match[6] ?? "";
  const session = { sessionId, name, mark, terminals: [] };
  const keeper = isKeeper(name, incarnation, generation);
  return { keeper, windows: Number(windows), session, panes: [] };
};

/** Whether every window and every pane that the rows speak of has its row. */
const isWhole = ({ panes, windows }: SessionRow): boolean => {
  const inWindow = (id: string): number => panes.filter((p) => p.terminal.windowId === id).length;
  const listed = new Set(panes.map(({ terminal }) => terminal.windowId));
  const full = panes.every((pane) => pane.panes === inWindow(pane.terminal.windowId));
  return full && listed.size === windows;
};

/** The panes that a session has, each known for whose it is. */
const panesOf = ({ panes, session }: SessionRow): ReadonlyArray<SeenTerminal> => {
  const own = session.mark?.incarnation ?? "";
  const isOurs = ({ owner, terminal }: PaneRow): boolean =>
    terminal.terminal !== null && (owner === "" ? own !== "" : owner === own);
  const ourWindows = new Set(panes.filter(isOurs).map(({ terminal }) => terminal.windowId));
  return panes.map((pane) => {
    if (isOurs(pane)) return pane.terminal;
    const { away, windowId } = pane.terminal;
    const stranger = pane.owner !== "" || (away && !ourWindows.has(windowId));
    return { ...pane.terminal, terminal: null, stranger };
  });
};

/** The panes of all sessions, by the incarnation that made them. */
const byOwner = (all: ReadonlyArray<SessionRow>): ReadonlyMap<string, ReadonlyArray<PaneRow>> => {
  const panes = new Map<string, Array<PaneRow>>();
  for (const pane of all.flatMap((row) => row.panes)) {
    const known = panes.get(pane.owner);
    if (known === undefined) panes.set(pane.owner, [pane]);
    else known.push(pane);
  }
  return panes;
};

/** The panes of this session that a user moved into another one. */
const movedFrom = (
  { panes, session }: SessionRow,
  owned: ReturnType<typeof byOwner>,
): ReadonlyArray<SeenTerminal> => {
  const own = session.mark?.incarnation;
  if (own === undefined) return [];
  const here = new Set(panes.map(({ terminal }) => terminal.paneId));
  const moved = (owned.get(own) ?? [])
    .filter(({ terminal }) => !here.has(terminal.paneId))
    .map(({ terminal }) => ({ ...terminal, away: true }));
  return moved.filter((pane, i) => moved.findIndex((p) => p.paneId === pane.paneId) === i);
};

/** What the rows between greeting and end say: the sessions, and how many rows there were. */
interface ListedSessions {
  readonly sessions: ReadonlyArray<SeenSession>;
  /** Keepers are counted, and are none of the sessions. */
  readonly rows: number;
}

/** The rows between greeting and end; `null` when any is missing or not whole. */
export const parseListing = (lines: ReadonlyArray<string>): ListedSessions | null => {
  const rows = new Map<string, SessionRow>();
  for (const line of lines) {
    const row = parseSession(line);
    if (row !== null) {
      rows.set(row.session.sessionId, row);
      continue;
    }
    const pane = parsePane(line);
    const owner = pane === null ? undefined : rows.get(pane.sessionId);
    if (pane === null || owner === undefined) return null;
    owner.panes.push(pane);
  }
  const all = [...rows.values()];
  if (!all.every(isWhole)) return null;
  const owned = byOwner(all);
  const sessions = all
    .filter(({ keeper }) => !keeper)
    .map((row) => ({ ...row.session, terminals: [...panesOf(row), ...movedFrom(row, owned)] }));
  return { sessions, rows: all.length };
};
