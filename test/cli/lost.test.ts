/**
 * A home that lost its registry, its socket, or both, while its server and sessions live: no second
 * server is started or used, nobody is told that there is nothing, and a reconcile takes up what
 * is there.
 *
 * Files are removed and truncated as a person or a script would, and strangers start servers.
 */
import { spawnSync } from "node:child_process";
import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { socketsFit } from "../support/Place.js";
import { commandLinesWith, lives } from "../support/Processes.js";
import { onStage, type Stage, toldBy, troupe } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

const sleep = ["--start-window", "0", "--", "sleep", "600"];

const servers = (socket: string): number =>
  commandLinesWith(socket).filter((words) => words.includes("-S")).length;

const serverPid = (stage: Stage): number =>
  Number(stage.tmux("display-message", "-p", "#{pid}").out);

const removeRegistry = (stage: Stage): void => {
  for (const end of ["", "-wal", "-shm"]) {
    rmSync(join(stage.home, `registry.db${end}`), { force: true });
  }
};

/** A stranger's server in the place of ours, which lives on; what pids they have. */
const replaced = async (stage: Stage, session: string) => {
  await stage.run("create", "a", ...sleep);
  const first = serverPid(stage);
  rmSync(stage.socket);
  stage.tmux("-f", "/dev/null", "new-session", "-d", "-s", session, "sleep 600");
  return { first, second: serverPid(stage) };
};

/** Ends what the stage cannot: it is out of reach. */
const end = async (pid: number): Promise<void> => {
  process.kill(pid, "SIGKILL");
  await waitFor("its end", () => !lives(pid));
};

const splits = async (stage: Stage, ...lines: ReadonlyArray<string>): Promise<void> => {
  for (const line of lines) {
    const { code, told } = await stage.json(...line.split(" "));
    expect([line, code, told.error.details]).toMatchObject([line, 5, { reason: "split-server" }]);
  }
};

describe("a home that was removed whole, while its sessions live", () => {
  it.runIf(socketsFit)(
    "is not said to be empty, gets no second server, and is taken up again",
    () =>
      onStage(async (stage) => {
        const socket = join(stage.home, "tmux.sock");
        const call = async (...words: ReadonlyArray<string>) => {
          const ended = await stage.start(["--json", ...words], { env: { TROUPE_SOCKET: socket } })
            .ended;
          return { code: ended.code, told: toldBy(ended) };
        };
        for (const name of ["a", "b"]) await call("create", name, ...sleep);
        // A child that the server forks has its words until it is another program.
        await waitFor("the server alone", () => servers(socket) === 1);
        rmSync(stage.home, { recursive: true });
        for (const words of [["list"], ["server", "status"], ["delete", "a"], ["inspect", "a"]]) {
          const { code, told } = await call(...words);
          expect([words, code, told.error.details]).toMatchObject([
            words,
            5,
            { reason: "split-server" },
          ]);
        }
        const doctor = await call("doctor");
        const [found] = doctor.told.result.findings as ReadonlyArray<Record<string, string>>;
        expect([doctor.code, found?.code]).toEqual([12, "server-split"]);
        const made = await call("create", "a", ...sleep);
        expect([made.code, made.told.error.details]).toMatchObject([4, { state: "unrecorded" }]);
        expect(servers(socket)).toBe(1);
        expect((await call("reconcile")).code).toBe(0);
        const listed = (await call("list")).told.result.sessions as ReadonlyArray<{ name: string }>;
        expect(listed.length).toBe(2);
        expect((await call("delete", "--all")).code).toBe(0);
        stage.tmuxAt(socket, "kill-server");
      })(),
  );
});

describe("a registry that is gone, while server and socket are there", () => {
  it("is no proof that there are no sessions", () =>
    onStage(async (stage) => {
      await stage.run("create", "a", ...sleep);
      removeRegistry(stage);
      for (const [line, exit] of [
        ["list", 5],
        ["delete a", 5],
        ["inspect a", 5],
        ["create a -- true", 4],
        ["delete b", 3],
        ["reconcile", 0],
        ["list", 0],
        ["delete a", 0],
      ] as const) {
        const { code } = await stage.run(...line.split(" "));
        expect([line, code]).toEqual([line, exit]);
      }
    })());
});

describe("a server out of reach, behind a stranger's at its socket", () => {
  it("is not forgotten by a rebuild, nor its output by a gc", () =>
    onStage(async (stage) => {
      const { first } = await replaced(stage, "q");
      truncateSync(join(stage.home, "registry.db"), 5_000);
      await splits(stage, "reconcile --rebuild", "server status");
      removeRegistry(stage);
      await splits(stage, "list", "reconcile", "create b -- true", "gc --older-than 0s");
      expect(stage.sessionsInTmux).toEqual(["q"]);
      await end(first);
      expect((await stage.run("list")).code).toBe(0);
    })());

  it("keeps a stranger's session from being adopted", () =>
    onStage(async (stage) => {
      const { first, second } = await replaced(stage, "z");
      await splits(stage, "adopt z", "create b -- true", "server status", "server stop");
      expect(stage.tmux("show-options", "-t", "=z:", "-q", "@troupe-inc").out).toBe("");
      await end(second);
      expect((await stage.run("reconcile")).code).toBe(0);
      expect([serverPid(stage), stage.sessionsInTmux]).toEqual([first, ["a"]]);
    })());
});

const mounting = spawnSync("unshare", ["-rm", "true"]).status === 0;

describe.skipIf(!mounting)("a machine that does not say which boot this is", () => {
  it("is no machine that was started anew: nothing is taken for dead", () =>
    onStage(async (stage) => {
      await stage.run("create", "a", ...sleep);
      const pid = serverPid(stage);
      rmSync(stage.socket);
      const empty = join(stage.directory, "empty");
      writeFileSync(empty, "");
      const script = 'mount --bind "$1" /proc/sys/kernel/random/boot_id && "$2" reconcile';
      const env = { PATH: process.env.PATH, HOME: stage.directory };
      const done = spawnSync("unshare", ["-rm", "sh", "-c", script, "sh", empty, troupe], {
        encoding: "utf8",
        env: { ...env, TROUPE_HOME: stage.home, TROUPE_SOCKET: stage.socket },
      });
      expect([done.status, done.stdout]).toEqual([5, ""]);
      expect(done.stderr).toContain("the boot id is not understood");
      expect((await stage.run("reconcile")).code).toBe(0);
      expect([serverPid(stage), (await stage.json("inspect", "a")).told.result.state]).toEqual([
        pid,
        "running",
      ]);
    })());
});
