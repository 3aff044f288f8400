/**
 * SendList and LoadList: only the line that was asked for says that something was written, and only
 * a whole answer that it was not.
 */
import { IncarnationId, type PaneTarget, SessionName, TerminalId } from "@troupe/core";
import type { TmuxReply } from "@troupe/tmux";
import {
  leftLine,
  loadList,
  readLoaded,
  readReceipt,
  readRemoved,
  readSent,
  sendList,
  splitLeft,
} from "@troupe/tmux";
import { Either } from "effect";
import { describe, expect, it } from "vitest";

const asked = { session: "a", attempted: "send" };
const target: PaneTarget = {
  session: SessionName.make("a"),
  epoch: 7,
  server: { pid: 7, startTime: 9 },
  sessionId: "$3",
  incarnation: IncarnationId.make("incarnation-1"),
  terminal: TerminalId.make("main"),
  paneId: "%4",
  version: "3.3a",
};
const reply = (stdout: string, stderr = "", exitCode = 0): TmuxReply => ({
  exitCode,
  stdout,
  stderr,
});
const hello = "T1 7 9 3.3a\n";

const tagOf = (answer: TmuxReply): string =>
  Either.match(readSent(asked, target, answer), {
    onLeft: ({ reason }) => reason,
    onRight: ({ _tag }) => _tag,
  });

describe("what a list that writes answers", () => {
  it.each([
    ["Sent", reply(`${hello}SENT\nEND\n`)],
    ["Sent", reply(`${hello}SENT\n`, "unknown buffer: troupe-input/a/7\n", 1)],
    ["Stale", reply(`${hello}REFUSED 0\nEND\n`)],
    ["Elsewhere", reply(`${hello}REFUSED 1\nEND\n`)],
    ["Elsewhere", reply("T1 8 9 3.3a\nSENT\nEND\n")],
    ["Elsewhere", reply("", "no server running on /s\n", 1)],
    ["Gone", reply(`${hello}GONE\nEND\n`)],
    ["Unsent", reply(`${hello}CLOSED 1\nEND\n`)],
    ["Unsent", reply(`${hello}END\n`, "no buffer troupe-input/a/7\n", 1)],
    ["Unsent", reply(`${hello}END\n`, "target pane has exited\n", 1)],
    ["garbled", reply(`${hello}END\n`, "not enough memory\n", 1)],
    ["garbled", reply(`${hello}REFUSED 0\n`)],
    ["garbled", reply(hello)],
    ["unclear", reply("")],
    ["server-exited", reply("", "server exited unexpectedly\n", 1)],
  ])("%s is what %j means", (tag, answer) => expect(tagOf(answer)).toBe(tag));
});

describe("a paste", () => {
  it.each([
    ["3.2a", false],
    ["3.6b", false],
    ["3.7", true],
    ["3.10", true],
    ["4.0", true],
    ["next-3.8", true],
    ["master", true],
  ])("of tmux %s is told not to clean the bytes: %s", (version, told) => {
    const list = sendList({ ...target, version }, { _tag: "Loaded" });
    expect(list.includes("paste-buffer -p -r -S ")).toBe(told);
  });

  it("is of a buffer of the epoch, whose list has no text", () => {
    expect(loadList(target).join(" ")).toContain("load-buffer -b troupe-input/a/7 -");
    expect(leftLine(target)).toContain("#{m:troupe-input/a/*,#{buffer_name}}");
  });

  it.each([
    [reply("LOADED 3\n\nEND\n"), "Loaded"],
    [reply("STALE\n\nEND\n"), "Stale"],
    [reply("\nEND\n"), "unclear"],
    [reply("LOADED 2\nEND\n"), "garbled"],
    [reply("LOADED 3\n"), "unclear"],
    [reply(""), "unclear"],
    [reply("LOADED 3\nEND\n", "odd\n", 1), "unclear"],
    [reply("", "no server running on /s\n", 1), "server-exited"],
  ])("is loaded only with its size: %j is %s", (answer, tag) => {
    const read = readLoaded(asked, 3, answer);
    expect(Either.match(read, { onLeft: (e) => e.reason, onRight: (it) => it._tag })).toBe(tag);
  });
});

describe("what older epochs left", () => {
  it("is told in front of a listing, which stays as it is", () => {
    const lines = "\nLEFT troupe-input/a/5\n\nLEFT troupe-input/a/7\nLEFT troupe-input/a/8\n";
    const { left, rest } = splitLeft(target, reply(`${lines}${hello}END\n`));
    expect([left, rest.stdout]).toEqual([["troupe-input/a/5"], `${hello}END\n`]);
    expect(splitLeft(target, reply("")).rest.stdout).toBe("");
    expect(splitLeft(target, reply(`${hello}S x\n\nLEFT y\n`)).rest.stdout).toContain("LEFT y");
  });

  it.each([
    [reply("END\n"), true],
    [reply("END\n", "unknown buffer: troupe-input/a/5\n", 1), true],
    [reply("", "no server running on /s\n", 1), true],
    [reply(""), false],
    [reply("END\n", "odd\n", 1), false],
  ])("is removed: %j is %s", (answer, removed) => {
    expect(Either.isRight(readRemoved(asked, answer))).toBe(removed);
  });
});

describe("a receipt", () => {
  const part = { _tag: "Loaded" } as const;
  it.each([
    [reply("R 7 9 %4 r=7-Loaded\n"), true],
    [reply("R 7 9 %4 r=7-Keys\n"), false],
    [reply("R 7 9 %4 r=\n"), false],
    [reply("R 7 9 %5 r=7-Loaded\n"), null],
    [reply("R 7 9  r=\n"), null],
    [reply("R 8 9 %4 r=7-Loaded\n"), null],
    [reply("", "can't find pane: %4\n", 1), null],
    [reply(""), "unclear"],
    [reply("R 7 9 %4 r=what ever\n"), "unclear"],
  ])("of %j says %s", (answer, said) => {
    const read = readReceipt(asked, target, part, answer);
    expect(Either.match(read, { onLeft: (e) => e.reason, onRight: (it) => it })).toBe(said);
  });
});
