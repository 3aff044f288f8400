/**
 * ProcStat: lines of the kernel, with names made to confuse a reader that splits at spaces.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "@effect/vitest";
import { isHeadless, parseStat, runs } from "@troupe/node";

const upToSignals =
  "S 1 2 3 0 -1 4194560 132 0 0 0 0 0 0 0 20 0 1 0 157595 4349952 264 18446744073709551615 1 1 0 0 0";

/** The line behind the name, with these signals caught. */
const withCaught = (caught: number): string => `${upToSignals} 0 0 4096 ${caught} 1 0 0 17 2\n`;

const rest = withCaught(0);

describe("/proc/PID/stat", () => {
  for (const name of ["sleep", "tmux: server", "a) S 9 (b", "x y", ""]) {
    it(`of a program called ${JSON.stringify(name)} gives parent and start time`, () => {
      expect(parseStat(`42 (${name}) ${rest}`)).toEqual({
        pid: 42,
        program: name,
        state: "S",
        parent: 1,
        processSession: 3,
        threads: 1,
        startTime: 157595,
        catchesTerm: false,
        kernelThread: false,
      });
    });
  }

  for (const text of [
    "",
    "42",
    "42 (sleep",
    "42 (sleep) S 1",
    `x (sleep) ${rest}`,
    `42 (a) ${upToSignals}`,
  ]) {
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
      catchesTerm: false,
      kernelThread: false,
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

describe("the mask of caught signals", () => {
  const catchesTerm = (caught: number) =>
    parseStat(`42 (x) ${withCaught(caught)}`)?.catchesTerm ?? null;

  it("tells whether SIGTERM has a handler", () => {
    expect(catchesTerm(0x4000)).toBe(true);
    expect(catchesTerm(0x3fff)).toBe(false);
    expect(catchesTerm(0x7fffffff)).toBe(true);
    expect(catchesTerm(0)).toBe(false);
  });

  it("is that of the kernel: this program handles SIGTERM from when it says so", () => {
    const here = () => parseStat(readFileSync("/proc/self/stat", "utf8"))?.catchesTerm;
    const handle = () => {};
    process.on("SIGTERM", handle);
    expect(here()).toBe(true);
    process.off("SIGTERM", handle);
  });
});

describe("a thread of the kernel", () => {
  it("is known by its flags, and no program is one", () => {
    const kthreadd =
      "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 2 0 0 20 0 1 0 24 0 0 9 0 0 0 0 0 0 0";
    expect(parseStat(`${kthreadd} 2147483647 0 1 0\n`)?.kernelThread).toBe(true);
    expect(parseStat(`2 (kthreadd) ${rest}`)?.kernelThread).toBe(false);
  });
});
