/**
 * Agreement: what must hold when every program of a session world has ended or crashed.
 *
 * tmux, rows, processes, claims, the log and what callers heard are held against each other. Pure:
 * it is given the ending and says in words what does not agree. What a single world asks beside
 * that stands with the world.
 */
import { isFinal, type SessionEvent, type SessionRecord } from "@troupe/core";
import { logDisagreement } from "../support/LogCheck.js";

/** A session with our mark that tmux has, and where. */
export interface Place {
  readonly incarnation: string;
  /** The server that has it, as its row names it. */
  readonly server: string;
  readonly sessionId: string;
}

/** How everything was at the end. */
export interface Ending {
  readonly records: ReadonlyArray<SessionRecord>;
  readonly events: ReadonlyArray<SessionEvent>;
  /** Sessions of this home that tmux has. */
  readonly inTmux: ReadonlyArray<Place>;
  /** Panes with our mark that tmux has, as `INCARNATION TERMINAL`. */
  readonly panes: ReadonlyArray<string>;
  /** Whose processes live, as `INCARNATION TERMINAL`; of a user's window without the latter. */
  readonly alive: ReadonlyArray<string>;
  /** The names of all that runs. */
  readonly programs: ReadonlyArray<string>;
  /** How many tmux servers live. */
  readonly servers: number;
  readonly heldBy: ReadonlyArray<string>;
  readonly told: ReadonlyArray<string>;
  /** Whether a session was to be adopted; where none was, each row began with an intent. */
  readonly adopts: boolean;
}

/** The newest record of each name. */
export const newest = (records: ReadonlyArray<SessionRecord>): ReadonlyArray<SessionRecord> =>
  records.filter(
    (r) => !records.some((o) => o.session === r.session && o.generation > r.generation),
  );

/** A name that is free although nobody deleted the session, which nobody is told of then. */
export const hidden = ({ records }: Ending): string | null => {
  const ended = newest(records).find(({ state }) => isFinal(state));
  return ended === undefined ? null : `the newest row is ${ended.state}: ${ended.cause}`;
};

const isShown = ({ state }: SessionRecord): boolean => state === "running" || state === "exited";

/** What does not agree, in words. */
export const disagreement = (ending: Ending): string | null => {
  const unsettled = ending.records.find((r) => r.state === "creating" || r.state === "deleting");
  if (unsettled !== undefined) return `a row is left ${unsettled.state}`;
  const odd =
    sessionDisagreement(ending) ??
    terminalDisagreement(ending) ??
    processDisagreement(ending) ??
    logDisagreement(ending.records, ending.events) ??
    orphan(ending);
  if (odd !== null) return odd;
  if (ending.heldBy.length > 0) return `a claim is held by ${ending.heldBy.join(", ")}`;
  return lie(ending);
};

/** What does not agree about sessions, each of which stands where its row says. */
const sessionDisagreement = ({ inTmux, records }: Ending): string | null => {
  const shown = newest(records).filter(isShown);
  const unknown = inTmux.find((p) => !shown.some((r) => r.incarnation === p.incarnation));
  if (unknown !== undefined) return `tmux has ${unknown.incarnation}, and no row says so`;
  for (const { incarnation, server, sessionId } of shown) {
    const place = inTmux.find((p) => p.incarnation === incarnation);
    if (place === undefined) return `a row says that ${incarnation} is there`;
    const told = `${server?.pid}/${server?.startTime} ${sessionId}`;
    const is = `${place.server} ${place.sessionId}`;
    if (told !== is) return `a row says that ${incarnation} is at ${told}, and it is at ${is}`;
  }
  return null;
};

/** What does not agree about single terminals. */
const terminalDisagreement = ({ panes, records }: Ending): string | null => {
  const terminals = records.flatMap((r) =>
    r.terminals.map((t) => ({ ...t, pane: `${r.incarnation} ${t.terminal}` })),
  );
  const unsettled = terminals.find((t) => t.state === "creating" || t.state === "deleting");
  if (unsettled !== undefined) return `terminal ${unsettled.pane} is left ${unsettled.state}`;
  const shown = terminals.filter((t) => t.state !== "gone").map((t) => t.pane);
  const lost = shown.find((pane) => !panes.includes(pane));
  if (lost !== undefined) return `a row says that terminal ${lost} is there`;
  const unknown = panes.find((pane) => !shown.includes(pane));
  return unknown === undefined ? null : `tmux has terminal ${unknown}, and no row says so`;
};

/** A process that outlived what it lived in. */
const processDisagreement = ({ alive, records }: Ending): string | null => {
  const shown = newest(records)
    .filter(isShown)
    .flatMap((r) =>
      r.terminals.filter((t) => t.state !== "gone").map((t) => `${r.incarnation} ${t.terminal}`),
    );
  const left = alive.find(
    (whose) => !shown.some((pane) => `${pane} `.startsWith(`${whose.trim()} `)),
  );
  return left === undefined ? null : `a process of ${left} lives`;
};

/** What was taken up as a session that no row knew, where every row begins with an intent. */
const orphan = ({ adopts, events }: Ending): string | null => {
  const found = events.find(({ body }) => body.type === "session" && body.cause === "adopted");
  return adopts || found === undefined ? null : `${found.incarnation} was made before its row`;
};

/** What a final row says has ended, and has not; true at any moment, whoever comes behind. */
export const endedTooEarly = ({ alive, inTmux, panes, records }: Ending): string | null => {
  for (const { incarnation, state } of records.filter((r) => isFinal(r.state))) {
    const isOf = (whose: string): boolean => `${whose} `.startsWith(`${incarnation} `);
    const seen = [...inTmux.map((place) => place.incarnation), ...panes].some(isOf);
    if (seen) return `tmux has ${incarnation}, and its row is ${state}`;
    if (alive.some(isOf)) return `a process of ${incarnation} lives, and its row is ${state}`;
  }
  return null;
};

/** What is acknowledged is what was made, and not what somebody else has undone since. */
const unmade = (state: string): string | null =>
  state === "running" || state === "exited" ? null : `what was acknowledged as made is ${state}`;

/** What a caller was told of a terminal and is not so. */
const terminalLie = (records: ReadonlyArray<SessionRecord>, line: string): string | null => {
  const match = /^(add|delete a terminal)[^:]*(?:: the first)?: ok (.*)$/.exec(line);
  if (match === null) return null;
  const { generation, session, terminal } = JSON.parse(match[2] ?? "{}");
  const id = typeof terminal === "string" ? terminal : terminal.terminal;
  const row = records.find((r) => r.session === session && r.generation === generation);
  const known = row?.terminals.find((t) => t.terminal === id);
  if (known === undefined) return `a terminal ${id} was acknowledged, and no row has it`;
  if (match[1] === "add") return unmade(terminal.state);
  if (known.state === "gone") return null;
  return `a terminal's delete was acknowledged, and its row is ${known.state}`;
};

/** What a caller was told and is not so. */
export const lie = ({ records, told }: Pick<Ending, "records" | "told">): string | null => {
  for (const line of told) {
    const bug = line.includes(": died: ") && !line.includes("explored bug");
    if (bug || /^(readers disagree|untrue)/.test(line)) return line;
    const odd = terminalLie(records, line);
    if (odd !== null) return odd;
    const match = /^(create|restore|delete(?! a))[^:]*: ok (.*)$/.exec(line);
    if (match === null) continue;
    const { generation, session, state } = JSON.parse(match[2] ?? "{}");
    const row = records.find((r) => r.session === session && r.generation === generation);
    // The same request again is told what became of the first.
    const made =
      match[1] === "delete" || line.startsWith("create, requested") ? null : unmade(state);
    if (made !== null) return made;
    if (match[1] !== "delete" && (row === undefined || row.state === "failed")) {
      return `a create was acknowledged, and its row is ${row?.state ?? "missing"}`;
    }
    if (match[1] === "delete" && !(row !== undefined && isFinal(row.state))) {
      return `a delete was acknowledged, and its row is ${row?.state ?? "missing"}`;
    }
  }
  return null;
};
