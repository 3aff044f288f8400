/**
 * Output that nobody reads, a directory that is gone, a tour that is cut off: nothing is left
 * half-made, and the exit code says so.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Effect } from "effect";
import { describe, expect, it } from "vitest";
import { throwawayHome } from "../../examples/cli/src/demo/Throwaway.js";
import { onStage, type Stage, troupe } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

const shell = (stage: Stage, script: string): Promise<number | null> =>
  new Promise((resolve) => {
    const env = {
      PATH: process.env.PATH,
      TROUPE: troupe,
      TROUPE_HOME: stage.home,
      TROUPE_SOCKET: stage.socket,
      HOME: stage.directory,
      TMPDIR: stage.directory,
    };
    const child = spawn("bash", ["-c", script], { cwd: stage.directory, env, stdio: "ignore" });
    child.once("close", resolve);
  });

const states = async (stage: Stage): Promise<ReadonlyArray<string>> => {
  const { told } = await stage.json("list", "--all");
  const { sessions } = told.result;
  return Array.isArray(sessions) ? sessions.map(({ state }) => String(state)) : [];
};

const tours = (directory: string): ReadonlyArray<string> =>
  readdirSync(directory).filter((name) => name.startsWith("troupe-demo-"));

describe("when nobody reads what is written", () => {
  it("a create that is interrupted twice is undone first", () =>
    onStage(async (stage) => {
      const words = ["create", "a", "--start-window", "30s", "--", "sleep", "600"];
      const { child, ended } = stage.start(words);
      await waitFor("the row", async () => (await states(stage)).includes("creating"));
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.kill("SIGINT");
      child.kill("SIGINT");
      expect((await ended).code).toBe(130);
      expect(await states(stage)).toEqual(["failed"]);
      expect(stage.sessionsInTmux).toEqual([]);
    })());
});

describe("the tour", () => {
  for (const lines of [1, 4, 12]) {
    it(`leaves nothing when its reader goes away after ${lines} lines`, () =>
      onStage(async (stage) => {
        await shell(stage, `"$TROUPE" demo | head -${lines}`);
        expect(tours(stage.directory)).toEqual([]);
      })());
  }

  it("leaves nothing when it is told to end before it has begun", () =>
    onStage(async (stage) => {
      const { TMPDIR } = process.env;
      process.env.TMPDIR = stage.directory;
      try {
        const homes: Array<string> = [];
        const seen = Effect.tap(throwawayHome, () => homes.push(...tours(stage.directory)));
        await Effect.runPromiseExit(Effect.scoped(Effect.zipRight(seen, Effect.interrupt)));
        expect([homes.length, tours(stage.directory)]).toEqual([1, []]);
      } finally {
        if (TMPDIR === undefined) delete process.env.TMPDIR;
        else process.env.TMPDIR = TMPDIR;
      }
    })());

  it("leaves nothing when it is interrupted in the middle", () =>
    onStage(async (stage) => {
      const { child, ended } = stage.start(["demo"], { env: { TMPDIR: stage.directory } });
      await waitFor("the home", () => tours(stage.directory).length > 0);
      child.kill("SIGINT");
      expect((await ended).code).toBe(130);
      expect(tours(stage.directory)).toEqual([]);
    })());
});

describe("a list", () => {
  it("that cannot be written is a failure", () =>
    onStage(async (stage) => {
      expect(await shell(stage, '"$TROUPE" list >/dev/full')).toBe(1);
    })());

  it("works where the current directory was removed, and a create there names it", () =>
    onStage(async (stage) => {
      const gone = join(stage.directory, "gone");
      mkdirSync(gone);
      const inside = (words: string) =>
        shell(
          stage,
          `cd gone; rmdir ../gone; "$TROUPE" ${words}; code=$?; mkdir ../gone; exit $code`,
        );
      expect(await inside("list")).toBe(0);
      expect(await inside("create a -- sleep 600")).toBe(2);
      rmSync(gone, { recursive: true });
    })());
});
