/**
 * Processes: what the live `ProcessTable` tells of this machine, held against /proc itself.
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@effect/vitest";
import { ProcessTable } from "@troupe/core";
import { LinuxProcessTable, parseStat } from "@troupe/node";
import { Effect } from "effect";

const statOf = (pid: number) => {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return null;
  }
};

/** Pids of what runs, with whether it is the kernel's. */
const running = () =>
  readdirSync("/proc")
    .map(Number)
    .filter(Number.isInteger)
    .flatMap((pid) => statOf(pid) ?? [])
    .filter(({ state }) => state !== "Z" && state !== "X");

const child = Effect.acquireRelease(
  Effect.sync(() => spawn("sleep", ["600"], { stdio: "ignore" })),
  (sleeping) => Effect.sync(() => sleeping.kill("SIGKILL")),
);

describe("the processes of this machine", () => {
  it.scopedLive("are all there, but for the threads of the kernel, which are of nobody's", () =>
    Effect.gen(function* () {
      const { pid = 0 } = yield* child;
      const table = yield* Effect.provide(ProcessTable, LinuxProcessTable.layer);
      const before = running();
      const told = new Set((yield* table.snapshot).map(({ id }) => id.pid));
      const after = new Set(running().map((stat) => stat.pid));
      // What came or went meanwhile proves nothing.
      const lasting = before.filter((stat) => after.has(stat.pid));
      const programs = lasting.filter(({ kernelThread }) => !kernelThread);
      expect(programs.map((stat) => stat.pid)).toContain(pid);
      expect(programs.filter((stat) => !told.has(stat.pid))).toEqual([]);
      const threads = lasting.filter(({ kernelThread, parent }) => kernelThread && parent === 2);
      expect(threads.filter((stat) => told.has(stat.pid))).toEqual([]);
    }),
  );
});
