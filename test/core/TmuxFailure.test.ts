/**
 * TmuxFailure: every text of tmux that was measured, and its verdict. What is not here is unclear.
 */
import { describe, expect, it } from "@effect/vitest";
import { failureOf, verdict } from "@troupe/tmux";

const table: ReadonlyArray<readonly [string, string]> = [
  ["no server running on /run/x\n", "no-server"],
  ["error connecting to /run/x (No such file or directory)\n", "no-server"],
  ["error connecting to /run/x (Connection refused)\n", "no-server"],
  ["error connecting to /run/x (Permission denied)\n", "permission"],
  ["access not allowed\n", "permission"],
  ["error creating /run/x (Permission denied)\n", "permission"],
  ["error creating /run/x (No such file or directory)\n", "bad-socket"],
  ["error connecting to /run/x (File name too long)\n", "bad-socket"],
  ["error connecting to /run/x (Not a directory)\n", "bad-socket"],
  ["error connecting to /run/x (Too many levels of symbolic links)\n", "bad-socket"],
  ["error connecting to /run/x (Is a directory)\n", "bad-socket"],
  ["error connecting to /run/x (Protocol wrong type for socket)\n", "bad-socket"],
  ["error connecting to /run/x (Socket operation on non-socket)\n", "bad-socket"],
  ["error connecting to /run/x (Datei oder Verzeichnis nicht gefunden)\n", "bad-socket"],
  ["server exited unexpectedly\n", "server-exited"],
  ["lost server\n", "server-exited"],
  ["protocol version mismatch (client 8, server 7)\n", "version-skew"],
  ["protocol version mismatch (client 8, server 7)\nserver exited unexpectedly\n", "server-exited"],
  ["", "unclear"],
  ["failed to send command\n", "unclear"],
  ["kein Server\n", "unclear"],
  ["no server running on /run/x\nand more\n", "unclear"],
  ["xno server running on /run/x\n", "unclear"],
];

describe("a text of tmux", () => {
  for (const [text, expected] of table) {
    it(`${JSON.stringify(text)} means ${expected}`, () => expect(verdict(text)).toBe(expected));
  }
});

describe("an answer without the line that was asked for", () => {
  const asked = { session: "a", attempted: "list" };

  it("is unclear when tmux ended with 0 and said nothing", () => {
    const failure = failureOf(asked, { exitCode: 0, stdout: "", stderr: "" });
    expect(failure).toMatchObject({ _tag: "LookupFailed", reason: "unclear", session: "a" });
  });

  it("is garbled when tmux answered and also said that there is no server", () => {
    const reply = { exitCode: 1, stdout: "T1 1 2 3.3a\n", stderr: "no server running on /x\n" };
    expect(failureOf(asked, reply)).toMatchObject({ reason: "garbled" });
  });
});
