/**
 * LogsText: characters are whole and sequences are those of their bytes, however output is cut.
 */
import { describe, expect, it } from "vitest";
import { LogsText } from "../../examples/cli/src/LogsText.js";
import type { LogsResult } from "../../examples/cli/src/Results.js";

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
      const results = parts.flatMap((data) => logs.linesOf({ type: "data", sequence: 0, data }));
      expect(textOf([...results, ...logs.pause()], 7)).toBe(text);
    }
  });

  it("has them whole also when it comes byte by byte", () => {
    const logs = new LogsText(0);
    const results = [...bytes].flatMap((byte, sequence) =>
      logs.linesOf({ type: "data", sequence, data: Uint8Array.of(byte) }),
    );
    expect(textOf(results, 0)).toBe(text);
  });

  it("tells what cannot be completed, before a gap and before the end", () => {
    const logs = new LogsText(0);
    const half = { type: "data", sequence: 0, data: Uint8Array.of(0x61, 0xc3) } as const;
    expect(logs.linesOf(half)).toEqual([{ type: "data", sequence: 0, next: 1, text: "a" }]);
    expect(logs.linesOf({ type: "gap", sequence: 2, to: 9 })).toEqual([
      { type: "data", sequence: 1, next: 2, text: "\ufffd" },
      { type: "gap", sequence: 2, next: 9 },
    ]);
    logs.linesOf({ type: "data", sequence: 9, data: Uint8Array.of(0xe2, 0x82) });
    const end = { type: "end", sequence: 11, reason: "exited", exit: null } as const;
    expect(logs.linesOf(end)).toEqual([
      { type: "data", sequence: 9, next: 11, text: "\ufffd" },
      end,
    ]);
  });

  it("pauses before a character that is cut, and is not held up by what is none", () => {
    const logs = new LogsText(0);
    logs.linesOf({ type: "data", sequence: 0, data: Uint8Array.of(0x61, 0xf0, 0x9f) });
    expect(logs.pause()).toEqual([{ type: "pause", sequence: 1 }]);
    const none = logs.linesOf({ type: "data", sequence: 3, data: Uint8Array.of(0x80, 0x80, 0x80) });
    expect(none.map(({ type }) => type)).toEqual(["data"]);
  });
});
