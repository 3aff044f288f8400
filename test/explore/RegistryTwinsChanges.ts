/**
 * RegistryTwinsChanges: what is drawn to be written of an incarnation: mostly what may be, in an
 * order that may be, and now and then what may not.
 *
 * Of a terminal only what is not there yet, or not any more, is drawn without its ids: no row of
 * SQLite holds another, and nobody asks for one.
 */
import {
  type Change,
  isFinal,
  type ServerRecord,
  type SessionRecord,
  type SessionState,
  TerminalId,
  type TerminalRecord,
  terminalTransitions,
  transitions,
} from "@troupe/core";
import type { Dice } from "./RegistryTwinsHand.js";

const states = [...new Set(transitions.flatMap(({ from, to }) => [from, to]))];
const terminalStates = [...new Set(terminalTransitions.flatMap(({ from, to }) => [from, to]))];

/** The requests that somebody may make. */
export const requests = ["request1", "request2", "request3"];

/** The servers that there may be; a pid comes back. */
export const servers = [
  { pid: 1, startTime: 5 },
  { pid: 1, startTime: 7 },
  { pid: 2, startTime: 7 },
];

const server = ({ below, one }: Dice): ServerRecord => ({
  server: one(servers),
  process: { pid: 1 + below(3), startTime: below(3), bootId: one(["boot", "other"]) },
  version: one(["3.3a", "3.5"]),
});

const begin = ({ below, is, one }: Dice): Change => ({
  _tag: "Begin",
  spec: {
    ...{ command: ["x"], cwd: "/", envNames: is(0.5) ? ["A"] : [], inheritEnv: is(0.5) },
    ...{ log: is(0.5), columns: 80 + below(9), rows: 24 },
    ...(is(0.3) ? { ttlMs: below(99) } : {}),
    ...(is(0.3) ? { idleTtlMs: below(99) } : {}),
  },
  server: one(servers),
  requestId: is(0.5) ? one(requests) : null,
  ...(is(0.3) ? { restores: true } : {}),
});

const cause = ({ is, one }: Dice): string | null => (is(0.5) ? null : one(["why", "and why"]));

const move = (dice: Dice, to: SessionState): Change => ({
  ...{ _tag: "Move", to, cause: cause(dice) },
  ...(dice.is(0.4) ? { sessionId: dice.one(["$1", "$2"]) } : {}),
});

const terminal = (dice: Dice, record: SessionRecord | null): Change => {
  const { below, is, one } = dice;
  const number = below(3);
  const id = TerminalId.make(`t${number}`);
  const known = record?.terminals.find((t) => t.terminal === id)?.state;
  const next = terminalTransitions.flatMap(({ from, to }) => (from === known ? [to] : []));
  const state: TerminalRecord["state"] =
    known !== undefined && is(0.85) ? one([...next, known]) : one(terminalStates);
  // Only what is not there yet, or not any more, may be without ids.
  const isTold = state === "running" || state === "exited" || is(0.5);
  return {
    _tag: "Terminal",
    record: {
      ...{ terminal: id, command: is(0.3) ? null : one([["x"], ["y", "z"]]), state },
      ...(isTold
        ? { windowId: `@${below(9)}`, paneId: `%${below(9)}`, panePid: 1 + below(9) }
        : { windowId: null, paneId: null, panePid: null }),
      exit: is(0.5) ? null : { code: is(0.5) ? below(3) : null, signal: is(0.5) ? 9 : null },
    },
  };
};

const processes = ({ below, is, one }: Dice): Change => {
  const some = Array.from({ length: 1 + below(2) }, () => ({
    ...{ pid: 1 + below(2), startTime: one([1, 1, 2]), bootId: one(["boot", "boot", "other"]) },
  }));
  const terminal = is(0.5) ? null : TerminalId.make(`t${below(3)}`);
  const isSpared = some.length === 2 && terminal === null;
  return isSpared
    ? { _tag: "Spared", processes: some }
    : { _tag: "Processes", terminal, processes: some };
};

/** What may be next, by the state that it is in. */
const movesFrom = (state: SessionState, before: string | null): ReadonlyArray<SessionState> =>
  transitions.flatMap(({ from, only, to }) =>
    from === state && (only === null || only === before) ? [to] : [],
  );

const change = (dice: Dice, record: SessionRecord | null): Change => {
  const draws: ReadonlyArray<() => Change> = [
    () => terminal(dice, record),
    () => terminal(dice, record),
    () => processes(dice),
    () => ({ _tag: "Server", record: server(dice) }),
    () => ({ _tag: "Late", cause: dice.one(["late", "later"]) }),
  ];
  // Of what is not being deleted it is a bug.
  const isCause = dice.is(record?.state === "deleting" ? 0.5 : 0.03);
  return isCause ? { _tag: "Cause", cause: cause(dice) } : dice.one(draws)();
};

/** Something is written of what is there. */
export const changesOf = (dice: Dice, record: SessionRecord): ReadonlyArray<Change> => {
  const also = Array.from({ length: dice.below(4) }, () => change(dice, record));
  const next = movesFrom(record.state, record.cause);
  const isMoved = dice.is(0.5);
  if (dice.is(0.06)) return [...also, move(dice, dice.one(states))];
  return isMoved && next.length > 0 ? [...also, move(dice, dice.one(next))] : also;
};

/** Whatever is written, also what may not be. */
export const anyChanges = (dice: Dice): ReadonlyArray<Change> =>
  Array.from({ length: dice.below(4) }, () => {
    if (dice.is(0.3)) return begin(dice);
    return dice.is(0.4) ? move(dice, dice.one(states)) : change(dice, null);
  });

/** It begins, and may get on at once. */
export const begun = (dice: Dice): ReadonlyArray<Change> => [
  ...(dice.is(0.4) ? [{ _tag: "Server", record: server(dice) } as const] : []),
  begin(dice),
  ...Array.from({ length: dice.below(3) }, () => change(dice, null)),
  ...(dice.is(0.5) ? [move(dice, dice.one(["running", "running", "exited", "failed"]))] : []),
];

/** All the moves to its end, the shortest way; or the first of them. */
export const endOf = (
  dice: Dice,
  record: SessionRecord,
  isWhole: boolean,
): ReadonlyArray<Change> => {
  const moves: Array<Change> = [];
  let { cause: before, state } = record;
  while (!isFinal(state)) {
    const next = movesFrom(state, before);
    state = next.find(isFinal) ?? next.find((to) => to === "deleting") ?? (next[0] as SessionState);
    before = null;
    moves.push(move(dice, state));
  }
  return isWhole ? moves : moves.slice(0, 1);
};
