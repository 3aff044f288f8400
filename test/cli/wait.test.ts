/**
 * wait: what scripts rely on: exit codes, the condition and the screen, and that nothing changes.
 */

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lives } from "../support/Processes.js";
import { onStage, type Stage, toldBy } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

const create = async (stage: Stage, script: string, ...words: ReadonlyArray<string>) => {
  const made = await stage.json("create", "a", ...words, "--", "sh", "-c", script);
  expect(made.code).toBe(0);
  return Number(made.told.result.pid);
};

/** A wait that has asked tmux. */
const begun = async (stage: Stage, ...words: ReadonlyArray<string>) => {
  const told = `asked${words[0]}`;
  const tmux = stage.wrapper(`tmux${words[0]}`, `echo asked > "$STAGE/${told}"\nexec $REAL "$@"`);
  const running = stage.start(["wait", "a", "--json", "--tmux", tmux, ...words]);
  await stage.read(told);
  return running;
};

describe("a wait", () => {
  it("for text, a pattern, silence and an end tells what it found", () =>
    onStage(async (stage) => {
      const script =
        "echo one; until [ -e go ]; do sleep 0.05; done; echo 'ready $'; sleep 0.1; exit 7";
      await create(stage, script, "--cwd", stage.directory);
      const [text, quiet, timed] = await Promise.all([
        stage.json("wait", "a", "--text", "on"),
        stage.json("wait", "a", "--idle", "300ms"),
        stage.json("wait", "a", "--exit", "--timeout", "0"),
      ]);
      const where = { session: "a", generation: 1, terminal: "main" };
      const line = { line: "one", number: 1, exit: null };
      expect(text.told.result).toMatchObject({ ...where, condition: { text: "on" }, ...line });
      const idle = { condition: { idleMs: 300 }, line: null, number: null, exit: null };
      expect([quiet.code, quiet.told.result]).toMatchObject([0, { ...where, ...idle }]);
      expect([timed.code, timed.told.error.code]).toEqual([11, "WAIT_TIMEOUT"]);
      const [regex, exit] = [["--regex", "^r.*\\$ $"], ["--exit"]].map((words) =>
        stage.start(["wait", "a", ...words, "--json"]),
      );
      writeFileSync(join(stage.directory, "go"), "");
      expect(toldBy((await regex?.ended) ?? timed).result).toMatchObject({ line: "ready $" });
      // A server that missed the end of a program learns how it ended with that of another.
      await waitFor("the code in tmux", () => {
        stage.tmux("run-shell", "-b", "true");
        return (
          stage.tmux("display-message", "-p", "-t", "=a:", "#{pane_dead_status}").out === "7\n"
        );
      });
      expect(toldBy((await exit?.ended) ?? timed).result).toMatchObject({ exit: { code: 7 } });
      const human = await stage.run("wait", "a", "--exit");
      expect([human.code, human.stdout]).toEqual([0, "main of a ended: code 7\n"]);
    })());

  it("that comes to its deadline exits with 11, tells the screen, and ends nothing", () =>
    onStage(async (stage) => {
      const pid = await create(stage, "echo one; exec sleep 600");
      await stage.json("wait", "a", "--text", "one");
      const late = await stage.json("wait", "a", "--regex", "tw[o]", "--timeout", "500ms");
      expect([late.code, late.told.error.code]).toEqual([11, "WAIT_TIMEOUT"]);
      const { details, retryable } = late.told.error;
      expect(details).toMatchObject({ condition: { regex: "tw[o]" }, screen: "one" });
      expect([details.reason, retryable]).toEqual(["deadline", true]);
      const cut = await begun(stage, "--exit");
      cut.signal("SIGINT");
      expect((await cut.ended).code).toBe(130);
      expect(lives(pid)).toBe(true);
      const never = await begun(stage, "--text", "two");
      expect((await stage.json("delete", "a", "--grace", "0")).code).toBe(0);
      expect((await never.ended).code).toBe(3);
    })());

  it("that cannot be meant is a wrong call, and makes no home", () =>
    onStage(async (stage) => {
      const wrong = [
        ["--text", "x", "--exit"],
        ["--regex", "("],
        ["--regex", "x".repeat(60_000)],
      ];
      const ends = await Promise.all(wrong.map((words) => stage.json("wait", "a", ...words)));
      expect(ends.map(({ code, told }) => [code, told.error.code])).toEqual(
        wrong.map(() => [2, "USAGE"]),
      );
      expect(existsSync(stage.home)).toBe(false);
    })());
});
