/**
 * The count of a comparison: what is added up, and which commands are told to be too rare.
 */
import { describe, expect, it } from "@effect/vitest";
import {
  addTallies,
  belowFloor,
  lateCommands,
  showTally,
  type Tally,
  tallySince,
} from "./fake-tmux-tally.js";

const tally = (succeeded: number, failed: number, name = "has-session"): Tally =>
  new Map([[name, { succeeded, failed }]]);

describe("a tally", () => {
  it("is added up, and taken apart again", () => {
    const both = addTallies(tally(2, 1), tally(3, 0));
    expect(both).toEqual(tally(5, 1));
    expect(addTallies(tally(2, 1), tally(3, 0, "kill-pane")).size).toBe(2);
    expect(tallySince(tally(2, 1), both)).toEqual(tally(3, 0));
    expect(showTally(tally(5, 1))).toEqual(["has-session               5 ok      1 failed"]);
  });

  it("tells what was met too rarely, also what was never met", () => {
    const about = (each: Tally, name: string) =>
      belowFloor(each).filter((line) => line.startsWith(`${name} `));
    expect(about(tally(200, 50), "has-session")).toEqual([]);
    expect(about(tally(199, 49), "has-session")).toEqual([
      "has-session succeeded 199 < 200",
      "has-session failed 49 < 50",
    ]);
    expect(about(tally(200, 50), "detach-client")).toHaveLength(2);
  });

  it("knows which commands are late, so that they can come more often", () => {
    const late = (each: Tally, done: number) => lateCommands(each, done).includes("has-session");
    expect(lateCommands(new Map(), 0)).toEqual([]);
    expect(late(tally(124, 40), 10_000)).toBe(true);
    expect(late(tally(125, 31), 10_000)).toBe(true);
    expect(late(tally(125, 32), 10_000)).toBe(false);
  });

  it("does not ask for failures of what cannot fail", () => {
    expect(belowFloor(new Map()).filter((line) => line.startsWith("kill-server "))).toEqual([
      "kill-server succeeded 0 < 200",
    ]);
  });
});
