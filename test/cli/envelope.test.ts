/**
 * What the built command writes where: one object for programs, text for people, in every case.
 */
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { onStage, toldBy } from "../support/Stage.js";

describe("with --json", () => {
  it.each([
    [["--json"], null],
    [["creat", "--json"], null],
    [["list", "--json", "--nonsense"], "list"],
    [["create", "--json"], "create"],
    [["delete", "--json", "a", "--grace", "soon"], "delete"],
    [["create", "a", "--rows", "0", "--json"], "create"],
    [["list", "--state", "asleep", "--json"], "list"],
    [["delete", "--json"], "delete"],
    [["delete", "a", "--all", "--json"], "delete"],
    [["--completions", "tcsh", "--json"], "completions"],
    [["terminal", "--json"], null],
    [["terminal", "add", "--json"], "terminal add"],
  ])("a wrong call %j is one object and exit code 2", (words, command) =>
    onStage(async (stage) => {
      const ended = await stage.run(...words);
      expect(ended.code).toBe(2);
      expect(toldBy(ended)).toMatchObject({ ok: false, command, error: { code: "USAGE" } });
      expect(ended.stderr).toBe("");
    })(),
  );

  it("help and version are one object too", () =>
    onStage(async (stage) => {
      const help = await stage.json("create", "--help");
      expect(help.told).toMatchObject({ ok: true, command: "create" });
      expect(help.told.result.text).toContain("--env-file FILE");
      const version = await stage.json("--version");
      expect(version.told).toMatchObject({ ok: true, command: "version" });
      expect((await stage.json("version")).told.result).toEqual(version.told.result);
      const group = await stage.json("terminal", "--help");
      expect(group.told).toMatchObject({ ok: true, command: "terminal" });
    })());

  it.each([
    [
      "outside of any fiber",
      `process.on("newListener", (event) => {
        if (event !== "uncaughtException") return;
        process.nextTick(() => { throw new Error("a planted bug"); });
      });`,
    ],
    [
      "in a fiber",
      `import { syncBuiltinESMExports } from "node:module";
      import path from "node:path";
      const { join } = path;
      path.join = (...words) => {
        if (words[0] === process.env.TROUPE_HOME) throw new Error("a planted bug");
        return join(...words);
      };
      syncBuiltinESMExports();`,
    ],
  ])("a bug %s is one object and exit code 1", (_, planted) =>
    onStage(async (stage) => {
      const broken = stage.module(planted);
      const options = { env: { NODE_OPTIONS: `--import=${pathToFileURL(broken)}` } };
      const ended = await stage.start(["reconcile", "--json"], options).ended;
      expect(ended.code).toBe(1);
      expect(toldBy(ended)).toMatchObject({ ok: false, error: { code: "INTERNAL" } });
      expect(toldBy(ended).error.message).toContain("a planted bug");
      expect(ended.stderr).toContain("a planted bug");
    })(),
  );
});

describe("without --json", () => {
  it.each(["bash", "zsh", "fish"])("completions for %s are a script", (shell) =>
    onStage(async (stage) => {
      const { code, stdout } = await stage.run("--completions", shell);
      expect([code, stdout]).toEqual([0, expect.stringContaining("without-env")]);
    })(),
  );

  it("what is wrong is on standard error, with how to get help", () =>
    onStage(async (stage) => {
      const ended = await stage.run("create", "a", "--nonsense");
      expect(ended).toMatchObject({ code: 2, stdout: "" });
      expect(ended.stderr).toContain("Unknown option '--nonsense'");
      expect(ended.stderr).toContain("--help");
    })());

  it("a reader that goes away is no failure", () =>
    onStage(async (stage) => {
      const { child, ended } = stage.start(["--help"]);
      child.stdout?.destroy();
      expect(await ended).toMatchObject({ code: 0, signal: null, stderr: "" });
    })());

  it("nothing in a pipe has colour", () =>
    onStage(async (stage) => {
      await stage.run("create", "a", "--", "sleep", "600");
      for (const words of [
        ["list"],
        ["inspect", "a"],
        ["--help"],
        ["delete", "a"],
        ["inspect", "b"],
      ]) {
        const { stderr, stdout } = await stage.run(...words);
        expect(stdout + stderr).not.toContain("\u001b");
      }
    })());

  it("the help of every command names every option that it takes", () =>
    onStage(async (stage) => {
      const { stdout } = await stage.run("--help");
      const names = ["create", "list, ls", "inspect", "delete, rm", "reconcile", "version"];
      const further = ["terminal add", "terminal list", "terminal delete"];
      for (const name of [...names, ...further]) expect(stdout).toContain(`  ${name} `);
      const terminal = await stage.run("terminal", "--help");
      for (const name of further) expect(terminal.stdout).toContain(`  ${name} `);
      expect(terminal.stdout).not.toContain("reconcile");
      const create = await stage.run("create", "--help");
      const options = ["--cwd", "--env", "--env-file", "--inherit-env", "--cols", "--rows"];
      for (const option of [...options, "--start-window", "--json", "--home"]) {
        expect(create.stdout).toContain(`  ${option}`);
      }
    })());
});
