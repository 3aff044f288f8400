/**
 * ControlLine: which lists have a line, and that the line is the same list.
 */
import { describe, expect, it } from "@effect/vitest";
import { controlLine, onlyLooks, type TmuxRequest } from "@troupe/tmux";

const request = (of: Partial<TmuxRequest>): TmuxRequest => ({
  argv: ["source-file", "-"],
  stdin: null,
  framed: true,
  startsServer: false,
  path: null,
  deadlineMs: 1_000,
  session: null,
  attempted: "test",
  ...of,
});

describe("the line of a list", () => {
  it("has every word of an argv literally, and its commands apart", () => {
    const argv = ["display-message", "-p", '#{x} $HOME "~" \\ \n', ";", "list-sessions"];
    const line = '"display-message" "-p" "#{x} \\$HOME \\"\\~\\" \\\\ \\012" ; "list-sessions"';
    expect(controlLine(request({ argv }))).toBe(line);
  });

  it("keeps lines on stdin apart, so that one that fails does not end the next", () => {
    expect(controlLine(request({ stdin: "a b\n" }))).toBe("a b");
    expect(controlLine(request({ stdin: "a ; b\n\nc\n" }))).toBe(
      "if-shell -F 1 { a ; b } ; if-shell -F 1 { c }",
    );
  });

  for (const [what, of] of [
    ["is not known to be framed", { stdin: "a\n", framed: false }],
    ["may start the server", { argv: ["start-server"], startsServer: true }],
    ["brings bytes", { argv: ["load-buffer", "-"], stdin: new Uint8Array(2) }],
    ["reads what it is given in another way", { argv: ["load-buffer", "-"], stdin: "a" }],
    ["has a word that ends in a semicolon", { argv: ["display-message", "-p", "a;"] }],
    ["has a NUL", { argv: ["display-message", "-p", "a\0"] }],
    ["is empty", { argv: [] }],
    ["is empty on stdin", { stdin: "\n" }],
    ["is very long", { stdin: "x".repeat(2 * 1024 * 1024) }],
  ] as const) {
    it(`is none for one that ${what}`, () => expect(controlLine(request(of))).toBe(null));
  }
});

describe("a list that only looks", () => {
  it("has no other command in it", () => {
    const looks = ["display-message", "-p", "x", ";", "list-panes", "-a"];
    expect(onlyLooks(request({ argv: looks }))).toBe(true);
    expect(onlyLooks(request({ argv: [...looks, ";", "kill-server"] }))).toBe(false);
    expect(onlyLooks(request({ stdin: "list-sessions\n" }))).toBe(false);
  });
});
