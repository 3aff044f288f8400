/**
 * Processes: what the live `ProcessTable` tells of this machine, held against /proc itself.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@effect/vitest";
import { ProcessTable } from "@troupe/core";
import { LinuxProcessTable, parseStat } from "@troupe/node";
import { Effect } from "effect";
import { makeDirectory, removePlace, socketIn } from "../support/Place.js";

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

/** Forks one that stays as it is and one with a command line of its own, and tells their pids. */
const forking = `
  pipe my $named, my $naming;
  sub forked {
    my ($name) = @_;
    my $pid = fork;
    return $pid if $pid;
    $0 = $name;
    close $naming;
    select undef, undef, undef, 600;
  }
  $0 = "tmux: server (/one)";
  $| = 1;
  my @pids = (forked($0), forked("tmux: server (/two)"));
  close $naming;
  <$named>;
  print "@pids";
  select undef, undef, undef, 600;
`;

/** A program that is a server by its name and its executable, and what it forked. */
const servers = Effect.acquireRelease(
  Effect.promise(async () => {
    const directory = makeDirectory();
    const tmux = join(directory, "tmux");
    copyFileSync("/usr/bin/perl", tmux);
    const parent = spawn(tmux, ["-e", forking], { stdio: ["ignore", "pipe", "inherit"] });
    const [told] = await once(parent.stdout, "data");
    const [fork = 0, other = 0] = String(told).split(" ").map(Number);
    return { directory, pids: { parent: parent.pid ?? 0, fork, other } };
  }),
  ({ directory, pids }) =>
    Effect.sync(() => {
      for (const pid of Object.values(pids)) process.kill(pid, "SIGKILL");
      removePlace(directory, socketIn(directory));
    }),
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

  it.scopedLive("are servers of tmux, but for what one forked and is not yet its program", () =>
    Effect.gen(function* () {
      const { pids } = yield* servers;
      const table = yield* Effect.provide(ProcessTable, LinuxProcessTable.layer);
      const told = yield* Effect.forEach(Object.values(pids), table.look);
      expect(told.map((entry) => entry?.program)).toEqual(told.map(() => "tmux: server (/"));
      expect(told.map((entry) => entry?.tmuxServer)).toEqual([true, false, true]);
    }),
  );
});
