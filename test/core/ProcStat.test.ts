/**
 * ProcStat: lines of the kernel, with names made to confuse a reader that splits at spaces.
 */
import { describe, expect, it } from "@effect/vitest";
import { catchesTerm, isHeadless, parseStat, runs } from "@troupe/node";

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
        processSession: 3,
        threads: 1,
        startTime: 157595,
      });
    });
  }

  for (const text of ["", "42", "42 (sleep", "42 (sleep) S 1", "x (sleep) S 1 2"]) {
    it(`is not ${JSON.stringify(text)}`, () => expect(parseStat(text)).toBe(null));
  }
});

describe("a process", () => {
  const of = (state: string, threads: number) => {
    const stat = {
      pid: 42,
      program: "x",
      state,
      parent: 1,
      processSession: 1,
      threads,
      startTime: 1,
    };
    return [runs(stat), isHeadless(stat)];
  };

  it("runs unless it is a zombie, and also when only its first thread is one", () => {
    expect(of("S", 1)).toEqual([true, false]);
    expect(of("t", 1)).toEqual([true, false]);
    expect(of("Z", 1)).toEqual([false, false]);
    expect(of("Z", 2)).toEqual([true, true]);
    expect(of("X", 0)).toEqual([false, false]);
  });
});

describe("/proc/PID/status", () => {
  it("tells whether SIGTERM has a handler", () => {
    expect(catchesTerm("Name:\tx\nSigCgt:\t0000000000004000\n")).toBe(true);
    expect(catchesTerm("Name:\tx\nSigCgt:\t0000000000003fff\n")).toBe(false);
    expect(catchesTerm("SigCgt:\t00000001ffffffff\n")).toBe(true);
  });
});
