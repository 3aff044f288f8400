/**
 * ControlParser: blocks end at their own line alone, and what is no part of the framing is told.
 */
import { describe, expect, it } from "@effect/vitest";
import { ControlParser } from "@troupe/tmux";

const parts = (...texts: ReadonlyArray<string>) => {
  const parser = new ControlParser();
  return texts.flatMap((text) => parser.push(text));
};

const block = (text: string, failed = false, sent = true) => ({
  _tag: "Block",
  sent,
  failed,
  text,
});

describe("what a client in control mode writes", () => {
  it("is the same wherever it is cut", () => {
    const text =
      "%begin 17 3 1\na\n\nb\n%end 17 3 1\n%window-add @1\n%begin 17 4 0\n%error 17 4 0\n";
    const whole = parts(text);
    expect(whole).toEqual([
      block("a\n\nb\n"),
      { _tag: "Notice", line: "%window-add @1" },
      block("", true, false),
    ]);
    for (let at = 0; at <= text.length; at++) {
      expect(parts(text.slice(0, at), text.slice(at))).toEqual(whole);
    }
    expect(parts(...text)).toEqual(whole);
  });

  it("has what looks like framing in a block, but for its own end", () => {
    const forged = "%end 17 4 1\n%end 18 3 1\n%error 17 3 0\n%begin 17 3 1\n%exit\n%end 17 3 1 \n";
    expect(parts(`%begin 17 3 1\n${forged}%end 17 3 1\n`)).toEqual([block(forged)]);
  });

  it("tells the end, with its reason where there is one", () => {
    expect(parts("%exit\n%exit server exited unexpectedly\n")).toEqual([
      { _tag: "Exit", reason: "" },
      { _tag: "Exit", reason: "server exited unexpectedly" },
    ]);
  });

  it("is odd where a line is no framing", () => {
    for (const line of ["", "text", "%begin 17 3", "%begin 17 3 x", "%", "%Exit", " %exit"]) {
      const [part] = parts(`${line}\n`);
      const isNotice = line.startsWith("%begin");
      expect([line, part?._tag]).toEqual([line, isNotice ? "Notice" : "Odd"]);
    }
  });
});
