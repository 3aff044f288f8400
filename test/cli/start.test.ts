/**
 * What happens when a program does not start, or does not stay: told, and undone.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { processesOf } from "../support/Processes.js";
import { onStage, type Stage } from "../support/Stage.js";

/** Nothing of a session is left: not in tmux, not as an active row, and no process of it. */
const expectNothingLeft = async (stage: Stage): Promise<void> => {
  expect(stage.sessionsInTmux).toEqual([]);
  expect((await stage.json("list")).told.result.sessions).toEqual([]);
  const server = Number(stage.tmux("display-message", "-p", "#{pid}").out);
  expect(processesOf(stage.directory).filter((pid) => pid !== server)).toEqual([]);
};

/** A program that ends does so within the window, also on a busy machine. */
const patient = ["create", "n", "--start-window", "1s"];

describe("a program", () => {
  it("that is nowhere is START_FAILED with the PATH that was searched", () =>
    onStage(async (stage) => {
      for (const program of ["/no/such/program", "no-such-program"]) {
        const { code, told } = await stage.json("create", "n", "--", program);
        expect([code, told.error.code]).toEqual([9, "START_FAILED"]);
        const details = { program, path: process.env.PATH, reason: "not-found" };
        expect(told.error.details).toMatchObject(details);
      }
      await expectNothingLeft(stage);
    })());

  it("that is a directory, or is no executable, is START_FAILED and told as that", () =>
    onStage(async (stage) => {
      const plain = join(stage.directory, "plain");
      writeFileSync(plain, "#!/bin/sh\n", { mode: 0o644 });
      for (const [program, reason] of [
        ["/tmp", "not-a-file"],
        [plain, "not-permitted"],
      ] as const) {
        const { code, told } = await stage.json("create", "n", "--", program);
        expect([code, told.error.code]).toEqual([9, "START_FAILED"]);
        expect(told.error.details).toMatchObject({ program, reason });
        expect(told.error.message).toContain("cannot be executed");
      }
    })());

  it("that ends in the start window is START_FAILED with its code and last output", () =>
    onStage(async (stage) => {
      const words = [...patient, "--", "sh", "-c", "echo why; sleep 0.1; exit 7"];
      const { code, told } = await stage.json(...words);
      expect([code, told.error.code]).toEqual([9, "START_FAILED"]);
      expect(told.error.details).toMatchObject({ code: 7, reason: "ended" });
      expect(told.error.details.output).toContain("why");
      await expectNothingLeft(stage);
    })());

  it("that ends with 0 leaves a session in state exited, with the code", () =>
    onStage(async (stage) => {
      const { code, told } = await stage.json(...patient, "--", "true");
      expect(code).toBe(0);
      expect(told.result).toMatchObject({ state: "exited", exit: { code: 0, signal: null } });
      expect(stage.sessionsInTmux).toEqual(["n"]);
      expect((await stage.json("delete", "n")).code).toBe(0);
      await expectNothingLeft(stage);
    })());

  it("gets its arguments as they stand, and no shell reads them", () =>
    onStage(async (stage) => {
      const words = ["$HOME", "a  b", "#{pid}", "--json", ";", "", "%1", "*"];
      const script = 'printf "[%s]\\n" "$@" > "$0"; exec sleep 600';
      const file = join(stage.directory, "words");
      await stage.json("create", "n", "--", "sh", "-c", script, file, ...words);
      expect(await stage.read("words")).toBe(words.map((word) => `[${word}]\n`).join(""));
    })());
});

describe("what a call says of its session", () => {
  it("is so: directory, size and environment, an --env over its file", () =>
    onStage(async (stage) => {
      mkdirSync(join(stage.directory, "place"));
      writeFileSync(join(stage.directory, "values"), "ONE=file\nTWO='a b'\n");
      const script = 'echo "$PWD $ONE $TWO $THREE" > ../told; exec sleep 600';
      const words = ["create", "n", "--json", "--cwd", "place", "--cols", "91", "--rows", "31"];
      const env = ["--env-file", "values", "--env", "ONE=word", "--env", "THREE"];
      const command = ["--", "sh", "-c", script];
      const options = { env: { THREE: "caller" } };
      const ended = await stage.start([...words, ...env, ...command], options).ended;
      expect(JSON.parse(ended.stdout).result).toMatchObject({
        cwd: join(stage.directory, "place"),
        envNames: ["ONE", "THREE", "TWO"],
        inheritEnv: false,
        log: true,
        columns: 91,
        rows: 31,
      });
      expect(await stage.read("told")).toBe(`${stage.directory}/place word a b caller\n`);
      const size = stage.tmux(
        "display-message",
        "-p",
        "-t",
        "=n:",
        "#{window_width}x#{window_height}",
      );
      expect(size.out).toBe("91x31\n");
    })());

  it.each([
    ["INVALID_CWD", ["--cwd", "nowhere"], "missing"],
    ["INVALID_ENV", ["--env", "NOT_SET_ANYWHERE"], "NOT_SET_ANYWHERE"],
    ["INVALID_ENV", ["--env-file", "nowhere"], "ENOENT"],
    ["INVALID_ENV", ["--env-file", "broken"], "line 2"],
  ])("is %s where it cannot be: %j", (code, words, part) =>
    onStage(async (stage) => {
      writeFileSync(join(stage.directory, "broken"), "A=1\ncanary\n");
      const ended = await stage.json("create", "n", ...words, "--", "sleep", "600");
      expect([ended.code, ended.told.error.code]).toEqual([2, code]);
      expect(ended.told.error.message).toContain(part);
      expect(ended.stdout).not.toContain("canary");
    })(),
  );
});
