/**
 * GcPlan: for each state, age, holder and sight of a row what is to become of it; and how an age
 * is told.
 */
import { describe, expect, it } from "@effect/vitest";
import {
  type ClaimRecord,
  IncarnationId,
  SessionName,
  type SessionRecord,
  SessionState,
} from "@troupe/core";
import { ageText, type GcBounds, judgeRecord } from "../../packages/core/src/GcPlan.js";

const day = 86_400_000;
const bounds: GcBounds = { now: 100 * day, olderThanMs: 7 * day, exitedMs: 3 * day };

const row = (
  state: SessionState,
  age: number,
  holder: ClaimRecord["holder"] = "none",
): SessionRecord => ({
  session: SessionName.make("a"),
  generation: 2,
  incarnation: IncarnationId.make("incarnation-1"),
  state,
  cause: null,
  spec: {
    command: ["true"],
    cwd: "/",
    envNames: [],
    inheritEnv: false,
    log: true,
    columns: 80,
    rows: 24,
  },
  server: null,
  sessionId: null,
  createdAt: 0,
  updatedAt: bounds.now - age,
  terminals: [],
  processes: [],
  claim: { owner: holder === "none" ? null : "other", epoch: 1, holder, fenceDue: false },
});

const verdict = (record: SessionRecord, how = bounds, shown: ReadonlyArray<string> = []) =>
  judgeRecord(record, how, new Set(shown)).verdict;

describe("a row", () => {
  it.each(SessionState.literals)("that is %s goes only by its age, and only so", (state) => {
    const old = verdict(row(state, 90 * day));
    const expected = { failed: "forget", deleted: "forget", exited: "delete" };
    expect(old).toBe(expected[state as keyof typeof expected] ?? "keep");
    expect(verdict(row(state, 2 * day))).toBe("keep");
  });

  it.each(["failed", "deleted"] as const)("that is %s goes exactly at its bound", (state) => {
    expect(verdict(row(state, 7 * day))).toBe("forget");
    expect(verdict(row(state, 7 * day - 1))).toBe("keep");
  });

  it("that exited goes exactly at its own bound, and stays without one", () => {
    expect(verdict(row("exited", 3 * day))).toBe("delete");
    expect(verdict(row("exited", 3 * day - 1))).toBe("keep");
    expect(verdict(row("exited", 99 * day), { ...bounds, exitedMs: null })).toBe("keep");
  });

  it("stays while somebody holds its name who lives or may live, and says who", () => {
    for (const holder of ["alive", "unknown"] as const) {
      const { item, verdict } = judgeRecord(row("deleted", 90 * day, holder), bounds, new Set());
      expect([verdict, item.why]).toEqual(["keep", "held by other"]);
    }
    for (const holder of ["none", "dead", "self"] as const) {
      expect(verdict(row("deleted", 90 * day, holder))).toBe("forget");
    }
  });

  it("stays while tmux shows something of it", () => {
    expect(verdict(row("deleted", 90 * day), bounds, ["incarnation-1"])).toBe("keep");
    expect(verdict(row("deleted", 90 * day), bounds, ["incarnation-2"])).toBe("forget");
  });

  it("from a clock that was ahead is new", () => {
    expect(verdict(row("deleted", -5 * day))).toBe("keep");
    expect(verdict(row("deleted", -5 * day), { ...bounds, olderThanMs: 0 })).toBe("forget");
  });
});

describe("an age", () => {
  it.each([
    [0, "0 ms"],
    [999, "999 ms"],
    [1_000, "1 s"],
    [119_999, "1 min"],
    [2 * 3_600_000, "2 h"],
    [day - 1, "23 h"],
    [9.5 * day, "9 d"],
  ])("of %i ms is %s", (ms, text) => {
    expect(ageText(ms)).toBe(text);
  });
});
