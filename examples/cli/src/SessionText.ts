/**
 * SessionText: a session as a result and as text, from what the library tells of it.
 *
 * Both show `state` and `seen` side by side and derive neither from the other; the program and how
 * it ended are what tmux shows where it shows the session. The text is for reading; scripts take
 * the result.
 */
import type { SessionState, SessionView } from "@troupe/core";
import { Duration } from "effect";
import { ageText } from "./Age.js";
import type { LeaseInfo } from "./LeaseResult.js";
import { leaseLine } from "./LeaseText.js";
import { commandLine, ending } from "./ProgramText.js";
import type { SessionDetails, SessionRow } from "./Results.js";
import { runningPid, shownTerminals } from "./ShownTerminals.js";
import { type Cell, type Colour, type Paper, table } from "./Table.js";
import { terminalTable } from "./TerminalText.js";

/** A session in a list. */
export const sessionRow = (view: SessionView): SessionRow => ({
  session: view.session,
  generation: view.generation,
  incarnation: view.incarnation,
  state: view.state,
  cause: view.cause,
  seen: view.seen,
  exit: shownTerminals(view)[0]?.exit ?? null,
  pid: runningPid(view),
  command: view.spec.command,
  cwd: view.spec.cwd,
  createdAt: view.createdAt,
  updatedAt: view.updatedAt,
  ttlMs: view.spec.ttlMs ?? null,
  idleTtlMs: view.spec.idleTtlMs ?? null,
  limitAt: view.limitAt,
});

/** Everything known of a session. */
export const sessionDetails = (view: SessionView): SessionDetails => ({
  ...sessionRow(view),
  envNames: view.spec.envNames,
  inheritEnv: view.spec.inheritEnv,
  log: view.spec.log,
  columns: view.spec.columns,
  rows: view.spec.rows,
  server:
    view.server === null ? null : { pid: view.server.pid, startedAt: view.server.startTime * 1000 },
  sessionId: view.sessionId,
  terminals: shownTerminals(view),
  recordedPids: view.processes.map(({ pid }) => pid),
  claim: view.claim,
});

const colours: Readonly<Record<SessionState, Colour | undefined>> = {
  creating: "yellow",
  running: "green",
  exited: undefined,
  lost: "red",
  deleting: "yellow",
  failed: "dim",
  deleted: "dim",
};

/** A program that lives, or how the first one ended. */
const program = ({ exit, pid }: SessionRow): string => {
  if (pid !== null) return `pid ${pid}`;
  return exit === null ? "-" : ending(exit);
};

const age = ({ createdAt, seen }: SessionRow): string => ageText(createdAt, seen.at);

const heads = ["SESSION", "STATE", "SEEN", "PROGRAM", "AGE", "COMMAND"];

/** Sessions, one a line, with a line of heads. */
export const sessionTable = (sessions: ReadonlyArray<SessionRow>, paper: Paper): string => {
  const line = (row: SessionRow): ReadonlyArray<Cell> => [
    { text: row.session },
    { text: row.state, colour: colours[row.state] },
    { text: row.seen.state },
    { text: program(row) },
    { text: age(row) },
    { text: commandLine(row.command) },
  ];
  return table([heads.map((text) => ({ text })), ...sessions.map(line)], paper);
};

const inTmux = ({ seen, server, sessionId }: SessionDetails): string | null => {
  if (sessionId === null || server === null) return null;
  return `${sessionId} of pid ${server.pid}, which started ${ageText(server.startedAt, seen.at)} ago`;
};

/** The time limits, and when the first of them passes. */
const limits = ({ idleTtlMs, limitAt, seen, ttlMs }: SessionDetails): string | null => {
  const length = (ms: number) => Duration.format(Duration.millis(ms));
  const told = [
    ...(ttlMs === null ? [] : [`${length(ttlMs)} old`]),
    ...(idleTtlMs === null ? [] : [`${length(idleTtlMs)} without output`]),
  ];
  if (told.length === 0) return null;
  const due = limitAt !== null && limitAt <= seen.at ? "over" : null;
  const left = limitAt === null ? "not known when" : (due ?? `in ${ageText(seen.at, limitAt)}`);
  return `${told.join(", or ")}: ${left}`;
};

/** One session and who leased it, one fact a line; below them its terminals. */
export const sessionText = (
  details: SessionDetails,
  lease: LeaseInfo | null,
  paper: Paper,
): string => {
  const { claim, seen } = details;
  const facts: ReadonlyArray<readonly [string, string | null]> = [
    ["session", details.session],
    ["state", details.cause === null ? details.state : `${details.state}: ${details.cause}`],
    ["seen", seen.detail === null ? seen.state : `${seen.state}: ${seen.detail}`],
    ["program", program(details)],
    ["command", commandLine(details.command)],
    ["directory", details.cwd],
    ["environment", details.envNames.length === 0 ? null : details.envNames.join(" ")],
    ["size", `${details.columns}x${details.rows}`],
    ["output", details.log ? "recorded" : "not recorded"],
    ["generation", `${details.generation} (${details.incarnation})`],
    ["in tmux", inTmux(details)],
    ["age", age(details)],
    ["time limit", limits(details)],
    ["changed", `${ageText(details.updatedAt, seen.at)} ago`],
    ["claim", claim.holder === "none" ? null : `${claim.owner}: ${claim.holder}`],
    ["lease", lease === null ? null : leaseLine(lease, seen.at)],
  ];
  const rows = facts.map(([name, text]) => [
    { text: name, colour: "dim" as const },
    { text: text ?? "-" },
  ]);
  const { terminals } = details;
  const below = terminals.length === 0 ? "" : `\n${terminalTable(terminals, paper)}`;
  // Facts are told whole: who asks for everything known reads on in the next line.
  return table(rows, { ...paper, width: null }) + below;
};
