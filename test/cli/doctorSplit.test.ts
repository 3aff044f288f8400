/**
 * What doctor finds where several tmux servers of one socket live, and that its commands, one after
 * another, come to the one that has troupe's sessions; no server ends before it could be reached.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { besideFits } from "../support/Place.js";
import { lives } from "../support/Processes.js";
import { onStage, type Stage, troupe } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

interface Found {
  readonly code: string;
  readonly cause: string;
  readonly mend: string | null;
}

/** What is found of servers and sessions. */
const found = async (stage: Stage): Promise<ReadonlyArray<Found>> => {
  const { told } = await stage.json("doctor");
  const all = told.result.findings as ReadonlyArray<Found>;
  return all.filter(({ code }) => /^(server-s|sessions-)/.test(code));
};

/** Runs the command of a finding, with `troupe` on the path. */
const mend = (stage: Stage, one: Found | undefined): void => {
  const bin = join(stage.directory, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "troupe"), `#!/bin/sh\nexec ${troupe} "$@"\n`, { mode: 0o755 });
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    ...{ TROUPE_HOME: stage.home, TROUPE_SOCKET: stage.socket, HOME: stage.directory },
  };
  const done = spawnSync("sh", ["-c", one?.mend ?? "false"], { encoding: "utf8", env });
  expect([one?.mend, done.status, done.stderr]).toEqual([one?.mend, 0, ""]);
};

const serverPid = (stage: Stage): number =>
  Number(stage.tmux("display-message", "-p", "#{pid}").out);

/** Session `a` in a server of ours, and a stranger's `z` in one that took its place. */
const replaced = async (stage: Stage) => {
  await stage.run("create", "a", "--start-window", "0", "--", "sleep", "600");
  const first = serverPid(stage);
  rmSync(stage.socket);
  stage.tmux("-f", "/dev/null", "new-session", "-d", "-s", "z", "sleep 600");
  return { first, second: serverPid(stage) };
};

describe.runIf(besideFits)("doctor, where two servers of the socket live", () => {
  it("gives ours its place back, and the other one stays reachable until it is ended", () =>
    onStage(async (stage) => {
      const { first, second } = await replaced(stage);
      const [split, foreign] = await found(stage);
      expect([split?.code, foreign?.code]).toEqual(["server-second", "sessions-foreign"]);
      expect(foreign?.mend).toBe(null);
      mend(stage, split);
      await waitFor("the server", () => serverPid(stage) === first);
      const aside = `${stage.socket}.${second}`;
      expect(split?.cause).toContain(`tmux -S ${aside}`);
      expect(stage.tmuxAt(aside, "list-sessions", "-F", "#{session_name}").out).toBe("z\n");
      const [after, ...more] = await found(stage);
      expect([after?.code, more]).toEqual(["server-second", []]);
      mend(stage, after);
      await waitFor("its end", () => !lives(second));
      expect(await found(stage)).toEqual([]);
    })());

  it("comes to one again where none of them answers", () =>
    onStage(async (stage) => {
      const { first, second } = await replaced(stage);
      rmSync(stage.socket);
      const [split, ...more] = await found(stage);
      expect([split?.code, more]).toEqual(["server-split", []]);
      expect(split?.cause).toContain(`${first}, ${second} live`);
      expect((await stage.run("reconcile")).code).toBe(5);
      expect((await stage.run("doctor")).stdout).toMatch(/^server +no answer$/m);
      mend(stage, split);
      // The second is looked into, ours has its place back, and only then the second ends.
      for (const answers of [first, second, first]) {
        await waitFor("the server", () => serverPid(stage) === answers);
        expect([lives(first), lives(second)]).toEqual([true, true]);
        const [one] = await found(stage);
        expect(one?.code).toBe("server-second");
        mend(stage, one);
      }
      await waitFor("its end", () => !lives(second));
      expect(await found(stage)).toEqual([]);
      expect((await stage.run("create", "b", "--", "sleep", "600")).code).toBe(0);
    })());
});
