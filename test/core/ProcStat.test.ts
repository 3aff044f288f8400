/**
 * ProcStat: lines of the kernel, with names made to confuse a reader that splits at spaces.
 */
import { describe, expect, it } from "@effect/vitest";
import { catchesTerm, parseStat } from "@troupe/node";

const rest =
  "S 1 2 3 0 -1 4194560 132 0 0 0 0 0 0 0 20 0 1 0 157595 4349952 264 18446744073709551615";

describe("/proc/PID/stat", () => {
  for (const name of ["sleep", "tmux: server", "a) S 9 (b", "x y", ""]) {
    it(`of a program called ${JSON.stringify(name)} gives parent and start time`, () => {
      expect(parseStat(`42 (${name}) ${rest}\n`)).toEqual({
        pid: 42,
        program: name,
        state: "S",
        parent: 1,
        startTime: 157595,
      });
    });
  }

  for (const text of ["", "42", "42 (sleep", "42 (sleep) S 1", "x (sleep) S 1 2"]) {
    it(`is not ${JSON.stringify(text)}`, () => expect(parseStat(text)).toBe(null));
  }
});

describe("/proc/PID/status", () => {
  it("tells whether SIGTERM has a handler", () => {
    expect(catchesTerm("Name:\tx\nSigCgt:\t0000000000004000\n")).toBe(true);
    expect(catchesTerm("Name:\tx\nSigCgt:\t0000000000003fff\n")).toBe(false);
    expect(catchesTerm("SigCgt:\t00000001ffffffff\n")).toBe(true);
  });
});
