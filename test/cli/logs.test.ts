/**
 * logs and capture: what a terminal printed and what it shows, for people and for programs.
 */
import { describe, expect, it } from "vitest";
import { onStage, type Stage } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

/** The result of each line of a call with `--json`. */
const resultsIn = (stdout: string): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const told = JSON.parse(line);
      expect(told).toMatchObject({ ok: true, command: "logs" });
      return told.result;
    });

const create = async (stage: Stage, script: string, ...words: ReadonlyArray<string>) => {
  const made = await stage.json("create", "a", ...words, "--", "sh", "-c", script);
  expect(made.code).toBe(0);
};

/** Reads until the text is there, and gives the lines of that call. */
const until = (stage: Stage, text: string) =>
  waitFor(`${text} in the logs`, async () => {
    const { stdout } = await stage.run("logs", "a");
    return stdout.includes(text) ? stdout : null;
  });

describe("the logs of a session", () => {
  it("are its output as it is, to the byte, and go on at a sequence", () =>
    onStage(async (stage) => {
      await create(stage, "printf 'one\\033[1m \\303\\251\\n'; exec sleep 600");
      expect(await until(stage, "\n")).toBe("one\u001b[1m é\r\n");
      const part = await stage.run("logs", "a", "--since", "3");
      expect([part.code, part.stdout, part.stderr]).toEqual([0, "\u001b[1m é\r\n", ""]);
      const json = await stage.run("logs", "a", "--json", "--since", "8");
      expect(resultsIn(json.stdout)).toMatchObject([
        { type: "data", sequence: 8, next: 12, text: "é\r\n" },
        { type: "pause", sequence: 12 },
      ]);
    })());

  it("are followed until the program ends, and are there when its session is gone", () =>
    onStage(async (stage) => {
      await create(stage, "echo one; read line; echo two; sleep 0.1; exit 3");
      const following = stage.start(["logs", "a", "--follow", "--json"]);
      let seen = "";
      following.child.stdout?.on("data", (data: Buffer) => {
        seen += data.toString("utf8");
      });
      await waitFor("the first line", () => seen.includes("one"));
      stage.tmux("send-keys", "-t", "=a:", "Enter");
      const { code, stdout } = await following.ended;
      const results = resultsIn(stdout);
      const text = results.map((result) => result.text ?? "").join("");
      expect([code, text]).toEqual([0, "one\r\n\r\ntwo\r\n"]);
      const sequence = text.length;
      expect(results.at(-1)).toMatchObject({ type: "end", sequence, reason: "exited" });
      expect((await stage.json("delete", "a")).code).toBe(0);
      const after = await stage.run("logs", "a", "--json");
      const end = { type: "end", sequence, reason: "deleted", exit: null };
      expect(resultsIn(after.stdout).at(-1)).toMatchObject(end);
    })());

  it("end with a delete by another program, and with Ctrl-C", () =>
    onStage(async (stage) => {
      await create(stage, "echo one; exec sleep 600");
      await until(stage, "one");
      const interrupted = stage.start(["logs", "a", "--follow"]);
      const following = stage.start(["logs", "a", "--follow", "--json"]);
      const begun = [following, interrupted].map(
        ({ child }) => new Promise((resolve) => child.stdout?.once("data", resolve)),
      );
      await Promise.all(begun);
      interrupted.signal("SIGINT");
      expect((await interrupted.ended).code).toBe(130);
      expect((await stage.json("delete", "a", "--grace", "0")).code).toBe(0);
      const { code, stdout } = await following.ended;
      expect(code).toBe(0);
      expect(resultsIn(stdout).at(-1)).toMatchObject({ type: "end", reason: "deleted" });
    })());

  it("are those of the terminal that is named", () =>
    onStage(async (stage) => {
      await create(stage, "echo one; exec sleep 600");
      const added = ["terminal", "add", "a", "--", "sh", "-c", "echo two; exec sleep 600"];
      expect((await stage.json(...added)).code).toBe(0);
      await until(stage, "one");
      const text = await waitFor("the second terminal's", async () => {
        const { stdout } = await stage.run("logs", "a", "--terminal", "t2");
        return stdout === "" ? null : stdout;
      });
      expect(text).toBe("two\r\n");
      const missing = await stage.json("logs", "a", "--terminal", "t9");
      expect([missing.code, missing.told.error.code]).toEqual([3, "NOT_FOUND"]);
    })());

  it("are not kept with --no-log, which is NOT_FOUND, as is a name that never was", () =>
    onStage(async (stage) => {
      await create(stage, "echo canary; exec sleep 600", "--no-log");
      const { code, told } = await stage.json("logs", "a", "--follow");
      expect([code, told.error.code]).toEqual([3, "NOT_FOUND"]);
      expect(told.error.message).toBe("no output is recorded of session a");
      const never = await stage.json("logs", "never");
      expect([never.code, never.told.error.message]).toEqual([3, "there is no session never"]);
      const wrong = await stage.json("logs", "a", "--since", "-1");
      expect([wrong.code, wrong.told.error.code]).toEqual([2, "USAGE"]);
    })());
});

describe("a capture", () => {
  it("is the newest lines, or all, whole or as rows, and says whether there is more", () =>
    onStage(async (stage) => {
      const print = 'seq 1 90; printf "%030d\\n" 7; exec sleep 600';
      await create(stage, print, "--cols", "20", "--rows", "10");
      await until(stage, "7\r\n");
      const two = await stage.json("capture", "a", "--lines", "2");
      const rows = `${"0".repeat(20)}\n${"0".repeat(9)}7`;
      expect(two.told.result).toMatchObject({ session: "a", text: rows, truncated: true });
      const joined = await stage.json("capture", "a", "--lines", "2", "--join");
      expect(joined.told.result.text).toBe(`90\n${"0".repeat(29)}7`);
      const all = await stage.json("capture", "a", "--all", "--join");
      expect(all.told.result.truncated).toBe(false);
      expect(String(all.told.result.text).split("\n").length).toBe(91);
      const both = await stage.json("capture", "a", "--all", "--lines", "2");
      expect([both.code, both.told.error.code]).toEqual([2, "USAGE"]);
      const text = await stage.run("capture", "a", "--lines", "3");
      expect([text.code, text.stdout, text.stderr]).toEqual([0, `90\n${rows}\n`, ""]);
    })());

  it("of ten thousand lines is all of them, and says so", () =>
    onStage(async (stage) => {
      await create(stage, "seq 10000; exec sleep 600");
      await until(stage, "\n10000\r\n");
      const { told } = await stage.json("capture", "a", "--all");
      const lines = String(told.result.text).split("\n");
      expect([lines.length, lines[0], lines.at(-1)]).toEqual([10_000, "1", "10000"]);
      expect(told.result.truncated).toBe(false);
    })());

  it("has colours when they are asked for, and is of the terminal that is named", () =>
    onStage(async (stage) => {
      await create(stage, "printf '\\033[31mred\\033[0m'; exec sleep 600");
      await until(stage, "red");
      expect((await stage.run("capture", "a")).stdout).toBe("red\n");
      expect((await stage.run("capture", "a", "--ansi")).stdout).toContain("\u001b[31mred");
      const missing = await stage.json("capture", "a", "--terminal", "t9");
      expect([missing.code, missing.told.error.code]).toEqual([3, "NOT_FOUND"]);
      expect((await stage.json("delete", "a", "--no-snapshot")).code).toBe(0);
      const gone = await stage.json("capture", "a");
      expect([gone.code, gone.told.error.code]).toEqual([3, "NOT_FOUND"]);
    })());
});
