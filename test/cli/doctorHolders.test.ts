/**
 * What doctor finds of other programs that keep the registry, or a name, and how they let go.
 *
 * The others are processes of their own that are stopped; the command that a finding names is run
 * in a shell, and ends it.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseOwner } from "@troupe/sqlite";
import { Effect } from "effect";
import { describe, expect, it } from "vitest";
import { diagnose } from "../../examples/cli/src/doctor/Doctor.js";
import { writeLocks } from "../../examples/cli/src/doctor/FileLocks.js";
import type { Location } from "../../examples/cli/src/Location.js";
import { onStage, type Stage, toldBy } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

/** What is found that is not about the machine of the test, with the command that mends it. */
const examine = async ({ home, socket }: Stage) => {
  const location: Location = { home, socket, reconcileOnStart: false };
  const { findings } = await Effect.runPromise(diagnose(location, []));
  return findings.filter(({ code }) => /^(registry|claim|rows)-/.test(code));
};

const isStopped = (pid: number | undefined): boolean =>
  / [Tt] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));

/** Begins to write, and stops; when it goes on it has done. */
const writer = (require: string, file: string) => `
  const db = new (require(${JSON.stringify(require)}))(${JSON.stringify(file)});
  db.exec("BEGIN IMMEDIATE");
  process.kill(process.pid, "SIGSTOP");
  db.close();`;

const driver = join(import.meta.dirname, "../../node_modules/better-sqlite3");

describe("doctor", () => {
  it("names a program that keeps the registry locked, and how it goes on", () =>
    onStage(async (stage) => {
      await stage.json("create", "a", "--", "sleep", "600");
      const file = join(stage.home, "registry.db");
      const child = spawn(process.execPath, ["-e", writer(driver, file)], { stdio: "ignore" });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      try {
        await waitFor("the writer", () => isStopped(child.pid));
        const [found, ...others] = await examine(stage);
        expect(others).toEqual([]);
        expect(found).toMatchObject({
          code: "registry-locked",
          cause: expect.stringContaining(`process ${child.pid} (node), which is stopped`),
          mend: `kill -CONT ${child.pid}`,
        });
        execFileSync("sh", ["-c", found?.mend ?? "false"]);
        await ended;
      } finally {
        child.kill("SIGKILL");
      }
      expect(await examine(stage)).toEqual([]);
    })());

  it("names a stopped program that holds a name, and it goes on", () =>
    onStage(async (stage) => {
      const create = stage.start(["create", "a", "--start-window", "1h", "--", "sleep", "600"]);
      await waitFor("the session", () => stage.sessionsInTmux.includes("a"));
      const told = toldBy(await stage.start(["--json", "inspect", "a"]).ended);
      const { owner } = told.result.claim as { owner: string };
      const pid = parseOwner(owner)?.process.pid ?? 0;
      expect(await examine(stage)).toEqual([]);
      process.kill(pid, "SIGSTOP");
      await waitFor("the stop", () => isStopped(pid));
      const [found, ...others] = await examine(stage);
      expect([found?.code, found?.mend, others]).toEqual([
        "claim-stopped",
        `kill -CONT ${pid}`,
        [],
      ]);
      expect(found?.cause).toContain("holds a:");
      execFileSync("sh", ["-c", found?.mend ?? "false"]);
      expect(await examine(stage)).toEqual([]);
      create.signal("SIGKILL");
      await create.ended;
    })());

  it("moves a directory out of the registry's place", () =>
    onStage(async (stage) => {
      mkdirSync(join(stage.home, "registry.db"), { recursive: true, mode: 0o700 });
      const [found] = await examine(stage);
      expect(found?.code).toBe("registry-obstructed");
      execFileSync("sh", ["-c", found?.mend ?? "false"]);
      expect(await examine(stage)).toEqual([]);
      expect((await stage.json("create", "a", "--", "sleep", "600")).code).toBe(0);
    })());
});

describe("the kernel's table of locks", () => {
  it("tells who keeps others out, and not who reads or waits", () => {
    const text = `1: POSIX  ADVISORY  WRITE 4711 fd:01:133 120 120
1: -> POSIX  ADVISORY  WRITE 4712 fd:01:133 120 120
2: POSIX  ADVISORY  READ 4713 fd:01:133 128 128
3: OFDLCK ADVISORY  WRITE -1 00:2a:7 0 EOF
4: FLOCK  ADVISORY  WRITE 12 00:1a:99 0 EOF
`;
    expect(writeLocks(text)).toEqual([
      { pid: 4711, inode: "133" },
      { pid: 12, inode: "99" },
    ]);
    expect(writeLocks("")).toEqual([]);
  });
});
