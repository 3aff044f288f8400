/**
 * FenceList: only a whole answer of the server that was meant tells a fence.
 */
import { describe, expect, it } from "@effect/vitest";
import { SessionName } from "@troupe/core";
import { Either } from "effect";
import { fenceList, readFence } from "../../packages/tmux/src/FenceList.js";

const session = SessionName.make("a");
const asked = { session, attempted: "gc" };
const server = { pid: 7, startTime: 9 };

const read = (stdout: string, stderr = "", exitCode = 0) =>
  readFence(asked, server, { stdout, stderr, exitCode });

describe("the fence of a name", () => {
  it("is asked for by the option of that name", () => {
    expect(fenceList(session).at(-1)).toContain("#{@troupe-fence-a}");
  });

  it.each([
    ["F 7 9 f=12\n", 12],
    ["F 7 9 f=\n", 0],
    ["F 8 9 f=12\n", null],
    ["F 7 1 f=12\n", null],
  ])("in %j is %j", (stdout, fence) => {
    expect(read(stdout)).toEqual(Either.right(fence));
  });

  it("is that of no server where positively none is", () => {
    const stderr = "error connecting to /s (No such file or directory)\n";
    expect(read("", stderr, 1)).toEqual(Either.right(null));
  });

  it.each([
    ["", "", 0],
    ["F 7 9\n", "", 0],
    ["F 7 9 f=x\n", "", 0],
    ["F 7 9 f=12\n", "odd\n", 1],
    ["", "error connecting to /s (Permission denied)\n", 1],
  ])("is not to be known from %j and %j with code %i", (stdout, stderr, code) => {
    expect(Either.isLeft(read(stdout, stderr, code))).toBe(true);
  });
});
