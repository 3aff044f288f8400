/**
 * Names that tmux would rewrite, match or execute never reach it.
 *
 * tmux is replaced by a script that leaves a trace of each call; a bad name must leave none, and
 * a good one must, or the trace would prove nothing.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { onStage } from "../support/Stage.js";

const bad = ["a.b", "a:b", "#(touch x)", "", "x".repeat(65), "client-12", "=a", "$0", "a b", "é"];
const tracing = 'echo "$@" >> "$STAGE/calls"; exec $REAL "$@"';

describe("a name outside the grammar", () => {
  it.each(bad)("%j is INVALID_NAME, and tmux is not called", (name) =>
    onStage(async (stage) => {
      const tmux = stage.wrapper("tmux", tracing);
      const { code, told } = await stage.json("--tmux", tmux, "create", name);
      expect([code, told.error.code]).toEqual([2, "INVALID_NAME"]);
      expect(existsSync(join(stage.directory, "calls"))).toBe(false);
      expect(existsSync(stage.home)).toBe(false);
    })(),
  );

  it.each(["delete", "inspect", "reconcile"])("is INVALID_NAME to %s as well", (command) =>
    onStage(async (stage) => {
      const tmux = stage.wrapper("tmux", tracing);
      const { code, told } = await stage.json("--tmux", tmux, command, "a.b");
      expect([code, told.error.code]).toEqual([2, "INVALID_NAME"]);
      expect(existsSync(join(stage.directory, "calls"))).toBe(false);
    })(),
  );

  it("differs from a good one, whose calls are traced", () =>
    onStage(async (stage) => {
      const tmux = stage.wrapper("tmux", tracing);
      const { code } = await stage.json("--tmux", tmux, "create", "a", "--", "sleep", "600");
      expect(code).toBe(0);
      expect(existsSync(join(stage.directory, "calls"))).toBe(true);
    })());
});

describe("a name that is the beginning of another", () => {
  it("is not taken for it: with only foo-bar alive, delete foo is NOT_FOUND", () =>
    onStage(async (stage) => {
      await stage.json("create", "foo-bar", "--", "sleep", "600");
      const { code, told } = await stage.json("delete", "foo");
      expect([code, told.error.code]).toEqual([3, "NOT_FOUND"]);
      expect(stage.sessionsInTmux).toEqual(["foo-bar"]);
    })());

  it("is not taken for it by any other command either", () =>
    onStage(async (stage) => {
      await stage.json("create", "foo-bar", "--", "sleep", "600");
      for (const words of [
        ["inspect"],
        ["reconcile"],
        ["restore"],
        ["adopt"],
        ["send", "x"],
        ["capture"],
        ["logs"],
        ["wait", "--exit"],
        ["events"],
        ["attach", "--print"],
        ["terminal list"],
        ["terminal add", "--", "sleep", "600"],
        ["terminal delete", "main"],
      ]) {
        const [command = "", ...more] = words;
        const { code, told } = await stage.json(...command.split(" "), "foo", ...more);
        expect([command, code, told.error.code]).toEqual([command, 3, "NOT_FOUND"]);
      }
      const seen = await stage.json("inspect", "foo-bar");
      expect(seen.told.result).toMatchObject({ state: "running", terminals: [{}] });
    })());
});
