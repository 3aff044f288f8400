/**
 * Lifecycle: every state with every observation, and every pair of states.
 *
 * The table below is written from the design, not from the code: a row of the code that differs
 * shows as a row here.
 */
import { describe, expect, it } from "@effect/vitest";
import {
  canMove,
  type Decision,
  decide,
  endChanges,
  IncarnationId,
  isFinal,
  type Observation,
  RESTORING,
  type SeenSession,
  SessionName,
  type SessionRecord,
  SessionState,
  TerminalId,
  undoneState,
} from "@troupe/core";

const states = SessionState.literals;

const moves: Readonly<Record<SessionState, ReadonlyArray<SessionState>>> = {
  creating: ["running", "exited", "failed"],
  running: ["exited", "lost", "deleting"],
  exited: ["running", "lost", "deleting"],
  lost: ["running", "exited", "deleting", "deleted"],
  deleting: ["deleted"],
  failed: [],
  deleted: [],
};

const terminal = TerminalId.make("main");

const record = (state: SessionState): SessionRecord => ({
  session: SessionName.make("a"),
  generation: 1,
  incarnation: IncarnationId.make("incarnation-1"),
  state,
  cause: null,
  spec: {
    command: ["sleep", "1"],
    cwd: "/",
    envNames: [],
    inheritEnv: false,
    log: true,
    columns: 80,
    rows: 24,
  },
  server: { pid: 10, startTime: 1 },
  sessionId: "$0",
  createdAt: 0,
  updatedAt: 0,
  terminals: [
    {
      terminal,
      command: ["sleep", "1"],
      windowId: "@0",
      paneId: "%0",
      panePid: 11,
      state: state === "exited" ? "exited" : "running",
      exit: state === "exited" ? { code: 0, signal: null } : null,
    },
  ],
  processes: [],
  claim: { owner: null, epoch: 1, holder: "none", fenceDue: false },
});

const seen = (exit: SeenSession["terminals"][number]["exit"]): Observation => ({
  _tag: "Present",
  session: {
    sessionId: "$0",
    name: "a",
    mark: { incarnation: IncarnationId.make("incarnation-1"), home: "h", generation: 1 },
    terminals: [
      { windowId: "@0", paneId: "%0", panePid: 11, terminal, stranger: false, away: false, exit },
    ],
  },
});

const living = seen(null);
const ended = seen({ code: 0, signal: null });
const absent: Observation = { _tag: "Absent", why: "vanished" };

const expected: Readonly<Record<SessionState, readonly [string, string, string]>> = {
  // present and a program lives | present and all ended | absent
  creating: ["Undo", "Undo", "Fail"],
  running: ["Nothing", "Refresh exited", "Refresh lost"],
  exited: ["Refresh running", "Nothing", "Refresh lost"],
  lost: ["Refresh running", "Refresh exited", "Nothing"],
  deleting: ["FinishDelete", "FinishDelete", "FinishDelete"],
  failed: ["KillLate", "KillLate", "Nothing"],
  deleted: ["KillLate", "KillLate", "Nothing"],
};

const told = (decision: Decision): string => {
  if (decision._tag !== "Refresh") return decision._tag;
  const move = decision.changes.find((change) => change._tag === "Move");
  return move?._tag === "Move" ? `Refresh ${move.to}` : "Refresh";
};

describe("the moves between states", () => {
  it("lead from creating to lost, too, of what a restore makes and of nothing else", () => {
    const others = states.flatMap((from) => states.map((to) => [from, to] as const));
    const only = others.filter(([from, to]) => canMove(from, to, RESTORING) && !canMove(from, to));
    expect(only).toEqual([["creating", "lost"]]);
    expect(canMove("creating", "lost", "something else")).toBe(false);
  });

  for (const from of states) {
    it(`from ${from} lead to ${moves[from].join(", ") || "nothing"} and nowhere else`, () => {
      expect(states.filter((to) => canMove(from, to))).toEqual(
        states.filter((to) => moves[from].includes(to)),
      );
      expect(isFinal(from)).toBe(moves[from].length === 0);
    });
  }
});

describe("reconcile decides", () => {
  for (const state of states) {
    it(`what the design says about a record that is ${state}`, () => {
      const decisions = [living, ended, absent].map((o) => told(decide(record(state), o)));
      expect(decisions).toEqual(expected[state]);
    });
  }

  it("only moves that the table has", () => {
    for (const state of states) {
      for (const observation of [living, ended, absent]) {
        const decision = decide(record(state), observation);
        if (decision._tag !== "Refresh") continue;
        for (const change of decision.changes) {
          if (change._tag === "Move") expect(canMove(state, change.to)).toBe(true);
        }
      }
    }
  });

  it("the exit code of a program that ended, before the session's own state", () => {
    const decision = decide(record("running"), seen({ code: 7, signal: null }));
    expect(decision._tag === "Refresh" && decision.changes).toMatchObject([
      { _tag: "Terminal", record: { state: "exited", exit: { code: 7 } } },
      { _tag: "Move", to: "exited" },
    ]);
  });

  it("that a terminal whose window is not listed is gone", () => {
    const none: Observation =
      living._tag === "Present"
        ? { ...living, session: { ...living.session, terminals: [] } }
        : living;
    const decision = decide(record("running"), none);
    expect(decision._tag === "Refresh" && decision.changes[0]).toMatchObject({
      record: { state: "gone" },
    });
  });
});

describe("what is undone", () => {
  const restoring = { ...record("creating"), cause: RESTORING };

  it("has failed, and of what a restore makes it is lost", () => {
    expect([undoneState(record("creating")), undoneState(restoring)]).toEqual(["failed", "lost"]);
  });

  it("is told as what was cut off, whatever is seen of it", () => {
    for (const [row, what] of [
      [record("creating"), "its creation was cut off"],
      [restoring, "its restore was cut off"],
    ] as const) {
      const decisions = [living, ended, absent].map((seen) => decide(row, seen));
      expect(decisions.map(({ _tag }) => _tag)).toEqual(expected.creating);
      for (const { why } of decisions) expect(why).toContain(what);
    }
  });
});

describe("the end of an incarnation", () => {
  it("ends its terminals before itself, and none twice", () => {
    const changes = endChanges(record("deleting"), "deleted", null);
    expect(changes.map((change) => change._tag)).toEqual(["Terminal", "Move"]);
    const [gone] = changes;
    const again = {
      ...record("deleting"),
      terminals: gone?._tag === "Terminal" ? [gone.record] : [],
    };
    expect(endChanges(again, "deleted", null).map((change) => change._tag)).toEqual(["Move"]);
  });
});
