/**
 * LogsText: characters are whole and sequences are those of their bytes, however output is cut.
 */
import { IncarnationId } from "@troupe/core";
import { describe, expect, it } from "vitest";
import { LogsText } from "../../examples/cli/src/LogsText.js";
import type { LogsResult } from "../../examples/cli/src/Results.js";

const incarnation = IncarnationId.make("incarnation-0001");
const place = (sequence: number) => ({ incarnation, sequence });

const text = "a é € 😀 z";
const bytes = new TextEncoder().encode(text);

/** The text of the lines; each must go on where the one before ended. */
const textOf = (results: ReadonlyArray<LogsResult>, from: number): string => {
  let at = from;
  let all = "";
  for (const result of results) {
    expect(result.sequence).toBe(at);
    if (result.type !== "data") continue;
    expect(new TextEncoder().encode(result.text).length).toBe(result.next - result.sequence);
    at = result.next;
    all += result.text;
  }
  return all;
};

describe("recorded output as text", () => {
  it("has every character whole, wherever it is cut", () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      const logs = new LogsText(7);
      const parts = [bytes.slice(0, cut), bytes.slice(cut)];
      const results = parts.flatMap((data) => logs.linesOf({ type: "data", ...place(0), data }));
      expect(textOf([...results, ...logs.pause()], 7)).toBe(text);
    }
  });

  it("has them whole also when it comes byte by byte", () => {
    const logs = new LogsText(0);
    const results = [...bytes].flatMap((byte, sequence) =>
      logs.linesOf({ type: "data", ...place(sequence), data: Uint8Array.of(byte) }),
    );
    expect(textOf(results, 0)).toBe(text);
  });

  it("tells what cannot be completed, before a gap and before the end", () => {
    const logs = new LogsText(0);
    const half = { type: "data", ...place(0), data: Uint8Array.of(0x61, 0xc3) } as const;
    expect(logs.linesOf(half)).toEqual([
      { type: "data", ...place(0), next: 1, line: 1, text: "a", base64: null },
    ]);
    expect(logs.linesOf({ type: "gap", ...place(2), to: 9 })).toEqual([
      { type: "data", ...place(1), next: 2, line: 1, text: "\ufffd", base64: "ww==" },
      { type: "gap", ...place(2), next: 9 },
    ]);
    logs.linesOf({ type: "data", ...place(9), data: Uint8Array.of(0xe2, 0x82) });
    const end = { type: "end", ...place(11), reason: "exited", exit: null } as const;
    expect(logs.linesOf(end)).toEqual([
      { type: "data", ...place(9), next: 11, line: null, text: "\ufffd", base64: "4oI=" },
      end,
    ]);
  });

  it("pauses before a character that is cut, and is not held up by what is none", () => {
    const logs = new LogsText(0);
    logs.linesOf({ type: "data", ...place(0), data: Uint8Array.of(0x61, 0xf0, 0x9f) });
    expect(logs.pause()).toEqual([{ type: "pause", sequence: 1 }]);
    const none = logs.linesOf({ type: "data", ...place(3), data: Uint8Array.of(0x80, 0x80, 0x80) });
    expect(none.map(({ type }) => type)).toEqual(["data"]);
  });

  it("keeps a mark of byte order, which is text like any other", () => {
    const data = new TextEncoder().encode("\ufeffa");
    expect(new LogsText(0).linesOf({ type: "data", ...place(0), data })).toEqual([
      { type: "data", ...place(0), next: 4, line: 1, text: "\ufeffa", base64: null },
    ]);
  });

  it("tells which line each part begins in, as long as every byte before it was there", () => {
    const data = (text: string, sequence: number) => ({
      ...{ type: "data" as const, ...place(sequence) },
      data: new TextEncoder().encode(text),
    });
    const linesOf = (logs: LogsText, ...parts: ReadonlyArray<Parameters<LogsText["linesOf"]>[0]>) =>
      parts.flatMap((part) => logs.linesOf(part)).map((told) => ("line" in told ? told.line : "-"));
    expect(linesOf(new LogsText(0), data("one\ntwo", 0), data("\nthree", 7))).toEqual([1, 2]);
    const gap = { type: "gap", ...place(4), to: 7 } as const;
    expect(linesOf(new LogsText(0), data("one\n", 0), gap, data("\n", 7))).toEqual([1, "-", null]);
    expect(linesOf(new LogsText(4), data("two\n", 4))).toEqual([null]);
  });
});
