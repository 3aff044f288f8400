/**
 * CaptureList and SnapshotList: how far up tmux is asked to read, which line is the first, and that
 * a text that a program chose is read in a time that grows with its length alone.
 */
import { SessionName } from "@troupe/core";
import { captureList, readCapture, readSnapshot, snapshotList } from "@troupe/tmux";
import { Either } from "effect";
import { describe, expect, it } from "vitest";

const asked = { session: "a", attempted: "capture" };
const server = { pid: 7, startTime: 9 };
const session = SessionName.make("a");

/** A text with so many blanks in the middle of it, and as many at its end. */
const blanks = (kind: string) => `begin${kind.repeat(400_000)}x${kind.repeat(400_000)}`;

const capture = (text: string, how: { join: boolean; lines: number | null }, size = 0) => {
  const stdout = `T1 7 9 %4 ${size} 50000\n${text}\n`;
  const read = readCapture(asked, { server, paneId: "%4" }, how, {
    stdout,
    stderr: "",
    exitCode: 0,
  });
  return Either.getOrThrow(read);
};

const snapshot = (text: string) => {
  const facts = "nonce %4 0 d=0 c= s=";
  const stdout = `T1 7 9 3.3a\n${facts}\n${text}\nnonce END\n`;
  const request = { server, session, panes: ["%4"], lines: 10 };
  const read = readSnapshot(asked, request, "nonce", { stdout, stderr: "", exitCode: 0 });
  return Either.getOrThrow(read)[0];
};

describe("the text of a pane", () => {
  // With an expression that looks for blanks before an end, each of these took minutes.
  it.each([" ", "\n", "\t \n"])("is read at once, however many %j are in it", (kind) => {
    const end = blanks(kind).trimEnd();
    expect(capture(blanks(kind), { join: true, lines: null })?.text).toBe(end);
    expect(snapshot(blanks(kind))?.text).toBe(end);
  });

  it.each([
    ["all of it", { join: false, lines: null }, 70, "1\n2\n3", 1],
    ["less than is there", { join: false, lines: 2 }, 70, "9\n1\n2", 70],
    ["more than is there", { join: true, lines: 90 }, 70, "1\n2", 1],
    ["joined lines under others", { join: true, lines: 2 }, 70, "1\n2", null],
    ["nothing", { join: false, lines: 0 }, 70, "1", null],
  ])("of which %s is asked for tells its first line", (_, how, size, text, first) => {
    expect(capture(text, how, size)?.first).toBe(first);
  });
});

describe("how far up tmux reads", () => {
  it("is never told as a number that tmux takes for no number", () => {
    const how = { join: false, ansi: false };
    const startOf = (lines: number | null) =>
      captureList("%4", { ...how, lines })
        .join(" ")
        .match(/-S (\S+)/)?.[1];
    expect([200, null, 2 ** 31, 1e15].map(startOf)).toEqual([
      "-200",
      "-",
      "-2147483647",
      "-2147483647",
    ]);
    const request = { server, session, panes: ["%4"], lines: 1e15 };
    expect(snapshotList(request, "nonce")).toContain("-S -2147483647 ");
  });
});
