/**
 * server status and server stop: the server as it is, and its end only when it is empty.
 */
import { existsSync } from "node:fs";
import { unitsOf } from "@troupe/node";
import { describe, expect, it } from "vitest";
import { onStage } from "../support/Stage.js";

describe("the server of a home", () => {
  it("is told as none while there is none, and nothing is made for it", () =>
    onStage(async (stage) => {
      const { code, told } = await stage.json("server", "status");
      expect([code, told.result.server, told.result.socket]).toEqual([0, null, stage.socket]);
      const stop = await stage.json("server", "stop");
      expect([stop.code, stop.told.result]).toEqual([0, { server: "none" }]);
      expect(existsSync(stage.home)).toBe(false);
    })());

  it("is told with whose sessions it has, and stopped when it has none", () =>
    onStage(async (stage) => {
      await stage.run("create", "a", "--", "sleep", "600");
      stage.tmux("new-session", "-d", "-s", "theirs", "sleep 600");
      const { code, told } = await stage.json("server", "status");
      expect(code).toBe(0);
      const [pid, version] = stage
        .tmux("display-message", "-p", "#{pid} #{version}")
        .out.split(" ");
      expect(told.result.server).toMatchObject({
        pid: Number(pid),
        version: version?.trim(),
        startedAt: expect.stringMatching(/^20.*Z$/),
        sessions: ["a"],
        foreign: ["theirs"],
      });

      const busy = await stage.json("server", "stop");
      expect([busy.code, busy.told.error.code]).toEqual([7, "BUSY"]);
      expect(busy.told.error).toMatchObject({
        message: "the tmux server has sessions: a, theirs",
        retryable: false,
      });
      await stage.run("delete", "a");
      expect((await stage.json("server", "stop")).told.error.message).toContain("theirs");
      expect(stage.sessionsInTmux).toEqual(["theirs"]);
      stage.tmux("kill-session", "-t", "=theirs");
      const stop = await stage.json("server", "stop");
      expect([stop.code, stop.told.result]).toEqual([0, { server: "stopped" }]);
      expect((await stage.run("server", "status")).stdout).toMatch(/^server +none$/m);
    })());

  it("is not none where it cannot be asked", () =>
    onStage(async (stage) => {
      for (const verb of ["status", "stop"]) {
        const { code, told } = await stage.json("--tmux", "/no/such/tmux", "server", verb);
        expect([code, told.error.code]).toEqual([5, "LOOKUP_FAILED"]);
      }
    })());
});

describe("the unit of a process", () => {
  it("is the innermost scope or service of its path, and none where there is none", () => {
    const path = "/user.slice/user@1000.service/app.slice/run-u7.scope/inner";
    expect(unitsOf(`0::${path}\n`)).toEqual(["run-u7.scope"]);
    expect(unitsOf("0::/\n")).toEqual([]);
    expect(unitsOf("")).toEqual([]);
  });
});
