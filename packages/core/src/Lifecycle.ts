/**
 * Lifecycle: the states, the moves between them, and what an observation means. Pure.
 *
 * `transitions` and `terminalTransitions` are the tables: the registry's triggers are checked
 * against them, documentation is made from them. `decide` is the reconcile table: given a record
 * and what was positively observed, it says what is to be done, and imports nothing that could do
 * it. `SessionActor`'s flows are the only interpreters.
 */

import type { Change } from "./Registry.js";
import type { SessionRecord, SessionState, TerminalRecord, TerminalState } from "./Session.js";
import type { SeenSession, SeenTerminal } from "./Tmux.js";

/** A move, and what must be shown before it. */
export interface Transition<State> {
  readonly from: State;
  readonly to: State;
  readonly guard: string;
  /** The cause that a row must have to be moved so; of any other `null`. */
  readonly only: string | null;
}

const move = <State>(
  from: State,
  to: State,
  guard: string,
  only: string | null = null,
): Transition<State> => ({ from, to, guard, only });

/** The cause of a row that is `creating` because a restore makes its session anew. */
export const RESTORING = "restoring";

/** Every move that exists. What is not here is refused by the registry itself. */
export const transitions: ReadonlyArray<Transition<SessionState>> = [
  move("creating", "running", "its program lived through the start window"),
  move("creating", "exited", "its program ended with 0 inside the start window"),
  move("creating", "failed", "the session is positively absent, or its kill was confirmed"),
  move("creating", "lost", "a restoration of which the same is shown", RESTORING),
  move("running", "exited", "every program of it ended and the session is present"),
  move("running", "lost", "the session is positively absent and nobody asked for that"),
  move("running", "deleting", "a delete was asked for; its processes are recorded with the move"),
  move("exited", "running", "a program of it is seen to live"),
  move("exited", "lost", "the session is positively absent"),
  move("exited", "deleting", "a delete was asked for; its processes are recorded with the move"),
  move("lost", "running", "the session is present with our mark and a program lives"),
  move("lost", "exited", "the session is present with our mark and no program lives"),
  move("lost", "deleting", "a delete was asked for and something of it may still live"),
  move("lost", "deleted", "a restore ends this generation"),
  move("deleting", "deleted", "the session is positively absent and its processes are gone"),
];

/** Every move of a terminal; all but those from an intent are also made when they are only seen. */
export const terminalTransitions: ReadonlyArray<Transition<TerminalState>> = [
  move("creating", "running", "its program lived through the start window"),
  move("creating", "exited", "its program ended with 0 inside the start window"),
  move("creating", "gone", "its pane is positively absent, or its kill was confirmed"),
  move("running", "exited", "its pane is present and its program has ended"),
  move("running", "deleting", "a delete was asked for; its processes are recorded with the move"),
  move("running", "gone", "its pane is positively absent"),
  move("exited", "running", "its program is seen to live"),
  move("exited", "deleting", "a delete was asked for; its processes are recorded with the move"),
  move("exited", "gone", "its pane is positively absent"),
  move("deleting", "gone", "its pane is positively absent and its processes are gone"),
  move("gone", "running", "its session was lost and is present with our mark again"),
  move("gone", "exited", "its session was lost and is present with our mark again"),
];

/** Whether the move exists, of a row with this cause. */
export const canMove = (
  from: SessionState,
  to: SessionState,
  cause: string | null = null,
): boolean =>
  transitions.some((t) => t.from === from && t.to === to && (t.only === null || t.only === cause));

/** Whether the move of a terminal exists; writing the state that it has is none. */
export const terminalCanMove = (from: TerminalState, to: TerminalState): boolean =>
  from === to || terminalTransitions.some((t) => t.from === from && t.to === to);

/** Whether something was begun with the terminal and has not ended. */
export const isUnfinished = ({ state }: TerminalRecord): boolean =>
  state === "creating" || state === "deleting";

/** Whether the state is final: nothing leaves it. */
export const isFinal = (state: SessionState): boolean => !transitions.some((t) => t.from === state);

/**
 * Whether a restore is making the session anew. Undone, it is `lost` as it was before, not
 * `failed`: the name is still that of a session that somebody wants.
 */
export const isRestoration = ({ cause, state }: Pick<SessionRecord, "cause" | "state">): boolean =>
  state === "creating" && cause === RESTORING;

/** The state that an undone creation ends in. */
export const undoneState = (record: SessionRecord): "failed" | "lost" =>
  isRestoration(record) ? "lost" : "failed";

/** Why a creation that nobody goes on with is undone. */
export const cutOff = (record: SessionRecord): string =>
  `its ${isRestoration(record) ? "restore" : "creation"} was cut off`;

/** What was positively observed of one incarnation. */
export type Observation =
  | { readonly _tag: "Present"; readonly session: SeenSession }
  | {
      readonly _tag: "Absent";
      readonly why: "vanished" | "replaced" | "server gone" | "reboot";
    };

/** What reconcile does about a record, and why. */
export type Decision =
  | { readonly _tag: "Nothing"; readonly why: string }
  | { readonly _tag: "Refresh"; readonly changes: ReadonlyArray<Change>; readonly why: string }
  | { readonly _tag: "Undo"; readonly why: string }
  | { readonly _tag: "Fail"; readonly why: string }
  | { readonly _tag: "FinishDelete"; readonly why: string }
  | { readonly _tag: "FinishTerminal"; readonly terminal: TerminalRecord; readonly why: string }
  | { readonly _tag: "KillLate"; readonly why: string };

/** Whether a program of ours still runs in the session. */
export const programLives = (session: SeenSession): boolean =>
  session.terminals.some((t) => t.terminal !== null && t.exit === null);

/** The terminal as it is now, given the listing; `gone` when its window is not there. */
const refreshed = (record: TerminalRecord, session: SeenSession): TerminalRecord => {
  const seen = session.terminals.find((t) => t.terminal === record.terminal);
  if (seen === undefined) return { ...record, state: "gone" };
  return { ...record, state: seen.exit === null ? "running" : "exited", exit: seen.exit };
};

/** A pane of ours as it is recorded; nothing for one that a user made. */
export const terminalOf = (
  seen: SeenTerminal,
  command: ReadonlyArray<string> | null,
): ReadonlyArray<TerminalRecord> => {
  if (seen.terminal === null) return [];
  const state = seen.exit === null ? "running" : "exited";
  const { exit, paneId, panePid, terminal, windowId } = seen;
  return [{ terminal, command, windowId, paneId, panePid, state, exit }];
};

/**
 * Changes that bring the terminals of the record up to what was seen; none when nothing did. What
 * was begun is left to whoever finishes it; a pane with our mark that no row knows gets one.
 */
export const terminalChanges = (
  record: SessionRecord,
  session: SeenSession,
): ReadonlyArray<Change> => {
  const changed = record.terminals
    .filter((t) => (t.state !== "gone" || record.state === "lost") && !isUnfinished(t))
    .map((before) => ({ before, after: refreshed(before, session) }))
    .filter(
      ({ after, before }) =>
        after.state !== before.state ||
        after.exit?.code !== before.exit?.code ||
        after.exit?.signal !== before.exit?.signal,
    )
    .map(({ after }) => after);
  const known = new Set(record.terminals.map((t) => t.terminal));
  const unknown = session.terminals
    .flatMap((seen) => terminalOf(seen, null))
    .filter(({ terminal }) => !known.has(terminal));
  return [...changed, ...unknown].map((after) => ({ _tag: "Terminal", record: after }));
};

/** Changes that end the incarnation: its terminals first, then the session. */
export const endChanges = (
  record: SessionRecord,
  to: "failed" | "deleted" | "lost",
  cause: string | null,
): ReadonlyArray<Change> => [
  ...record.terminals
    .filter((t) => t.state !== "gone")
    .map((t): Change => ({ _tag: "Terminal", record: { ...t, state: "gone" } })),
  { _tag: "Move", to, cause },
];

const refresh = (record: SessionRecord, session: SeenSession): Decision => {
  const unfinished = record.terminals.find(isUnfinished);
  if (unfinished !== undefined) {
    const { state, terminal } = unfinished;
    const what = state === "creating" ? "the creation" : "the delete";
    const why = `${what} of terminal ${terminal} was cut off`;
    return { _tag: "FinishTerminal", terminal: unfinished, why };
  }
  const to = programLives(session) ? "running" : "exited";
  const terminals = terminalChanges(record, session);
  const moves: ReadonlyArray<Change> =
    record.state === to ? [] : [{ _tag: "Move", to, cause: null, sessionId: session.sessionId }];
  const why = to === "running" ? "a program of it lives" : "its programs have ended";
  const changes = [...terminals, ...moves];
  return changes.length === 0 ? { _tag: "Nothing", why } : { _tag: "Refresh", changes, why };
};

const gone = (record: SessionRecord, why: string): Decision =>
  record.state === "lost"
    ? { _tag: "Nothing", why: record.cause ?? why }
    : { _tag: "Refresh", changes: endChanges(record, "lost", why), why };

/**
 * What reconcile does about this record; the claim is ours. `unknown` never comes here: a look
 * that failed ends in `LookupFailed` before anything is decided.
 */
export const decide = (record: SessionRecord, seen: Observation): Decision => {
  switch (record.state) {
    case "creating":
      return seen._tag === "Present"
        ? { _tag: "Undo", why: cutOff(record) }
        : { _tag: "Fail", why: `${cutOff(record)} before tmux had it` };
    case "deleting":
      return { _tag: "FinishDelete", why: "its delete was cut off" };
    case "failed":
    case "deleted":
      return seen._tag === "Present"
        ? { _tag: "KillLate", why: `it appeared after it was ${record.state}` }
        : { _tag: "Nothing", why: `it is ${record.state}` };
    case "running":
    case "exited":
    case "lost":
      return seen._tag === "Present" ? refresh(record, seen.session) : gone(record, seen.why);
  }
};
