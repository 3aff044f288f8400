/**
 * A machine on which troupe never ran: reading finds nothing, and leaves nothing.
 */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { onStage } from "../support/Stage.js";

describe("where troupe never ran", () => {
  it.each([
    [["list"]],
    [["list", "--all"]],
    [["reconcile"]],
    [["reconcile", "--dry-run"]],
    [["reconcile", "--rebuild"]],
    [["restore", "--all"]],
    [["delete", "--all"]],
  ])("%j finds nothing, is done, and makes no file", (words) =>
    onStage(async (stage) => {
      const { code, told } = await stage.json(...words);
      expect([code, told.ok]).toEqual([0, true]);
      expect(Object.values(told.result).filter(Array.isArray).flat()).toEqual([]);
      expect(stage.made).toEqual([]);
    })(),
  );

  it("inspect of a name is NOT_FOUND, and makes no file", () =>
    onStage(async (stage) => {
      expect((await stage.json("inspect", "a")).code).toBe(3);
      expect(stage.made).toEqual([]);
    })());

  it("a person is told that there are no sessions", () =>
    onStage(async (stage) => {
      const ended = await stage.run("list");
      expect(ended).toMatchObject({ code: 0, stdout: "no sessions\n", stderr: "" });
    })());

  it("the home is where XDG_STATE_HOME says, else below the caller's own", () =>
    onStage(async (stage) => {
      const words = ["create", "a", "--json", "--", "true"];
      const unset = { TROUPE_HOME: "" };
      const xdg = { ...unset, XDG_STATE_HOME: `${stage.directory}/state` };
      expect((await stage.start(words, { env: xdg }).ended).code).toBe(0);
      expect(readdirSync(`${stage.directory}/state/troupe`)).toContain("registry.db");
      await stage.start(["delete", "a", "--json"], { env: xdg }).ended;
      expect((await stage.start(words, { env: unset }).ended).code).toBe(0);
      expect(readdirSync(`${stage.directory}/.local/state/troupe`)).toContain("registry.db");
    })());
});
