/**
 * Bytes that are no text: they are passed on as they are, or refused by their name, and never
 * changed in silence.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { shell } from "../support/Shell.js";
import { onStage } from "../support/Stage.js";

const told = (out: string) => JSON.parse(out);

describe("what is no UTF-8", () => {
  it.each([
    ["TEXT", "send a $'A\\xff\\xfeB'", 4],
    ["a word of COMMAND", "create x -- sh -c : sh $'A\\xff'", 9],
    ["a value of --env", "create x --env V=$'\\xff' -- cat", 5],
    ["a path", "list --home $'h\\xff'", 4],
  ])("is refused as %s, by its place in the call", (_, words, place) =>
    onStage(async (stage) => {
      const { code, out } = await shell(stage, `"$TROUPE" --json ${words}`);
      const { error } = told(out);
      expect([code, error.code]).toEqual([2, "USAGE"]);
      expect(error.message).toContain(`word ${place} of the call is not UTF-8`);
      expect(stage.made).toEqual([]);
    })(),
  );

  it.each([
    ["V=$'a\\xff'", "create x --env V -- cat", "INVALID_ENV", ["V"]],
    ["V=$'a\\xff'", "create x --inherit-env -- cat", "INVALID_ENV", ["V"]],
    ["LANG=$'a\\xff'", "create x -- cat", "INVALID_ENV", ["LANG"]],
    ["LANG=$'a\\xff'", "terminal add x -- cat", "INVALID_ENV", ["LANG"]],
    ["TROUPE_HOME=$'h\\xff'", "list", "USAGE", undefined],
  ])("is refused as the value of a variable: %s %s", (variable, words, code, variables) =>
    onStage(async (stage) => {
      const { out } = await shell(stage, `${variable} "$TROUPE" --json ${words}`);
      const { error } = told(out);
      expect(error).toMatchObject({ code, message: expect.stringContaining("is not UTF-8") });
      expect(error.details.variables).toEqual(variables);
      expect(out).not.toContain("a\ufffd");
    })(),
  );

  it.each(["terminal add x -- cat", "restore x"])(
    "is refused where a session inherits everything: %s",
    (words) =>
      onStage(async (stage) => {
        const made = ["create", "x", "--inherit-env", "--start-window", "0", "--", "sleep", "600"];
        expect((await stage.run(...made)).code).toBe(0);
        if (words.startsWith("restore")) stage.tmux("kill-session", "-t", "=x");
        const before = stage.tmux("list-panes", "-a", "-F", "#{pane_id}").out;
        const { code, out } = await shell(stage, `V=$'a\\xff' "$TROUPE" --json ${words}`);
        const { error } = told(out);
        expect([code, error.code, error.details.variables]).toEqual([2, "INVALID_ENV", ["V"]]);
        expect(error.message).toContain("is not UTF-8");
        expect(stage.tmux("list-panes", "-a", "-F", "#{pane_id}").out).toBe(before);
        const given = await shell(
          stage,
          `V=$'a\\xff' "$TROUPE" ${words.replace("x", "x --env V=b")}`,
        );
        expect(given.code).toBe(0);
      })(),
  );

  it("is refused in a file of values, and as the directory that a program starts in", () =>
    onStage(async (stage) => {
      writeFileSync(join(stage.directory, "values"), Buffer.from("V=a\xffcanary\n", "latin1"));
      const file = await shell(stage, '"$TROUPE" create x --env-file values --json -- cat');
      expect(told(file.out).error).toMatchObject({ code: "INVALID_ENV" });
      expect(file.out).toContain("is not UTF-8");
      expect(file.out).not.toContain("canary");
      const here = await shell(stage, `mkdir $'d\\xff'; cd $'d\\xff'; "$TROUPE" create x --json`);
      const { error } = told(here.out);
      expect([error.code, error.details.reason]).toEqual(["INVALID_CWD", "its path is not UTF-8"]);
    })());
});

describe("what is UTF-8", () => {
  it("arrives, also the character that stands for what is none", () =>
    onStage(async (stage) => {
      mkdirSync(join(stage.directory, "\ufffd"));
      const line = [
        "cd $'\\xef\\xbf\\xbd'",
        "export V=$'\\xef\\xbf\\xbdé' ODD=$'\\xff'",
        `"$TROUPE" create a --env V -- sh -c 'printf %s "$0$V" > ../got; exec cat' $'\\xef\\xbf\\xbd'`,
      ].join(" && ");
      expect(await shell(stage, line)).toMatchObject({ code: 0, err: "" });
      expect(await stage.read("got")).toBe("\ufffd\ufffdé");
    })());

  it("is not asked of standard input, which arrives to the byte", () =>
    onStage(async (stage) => {
      const reader = "stty raw -echo; echo ready; head -c 4 > got; exec sleep 600";
      const made = await stage.json("create", "a", "--", "sh", "-c", reader);
      expect(made.code).toBe(0);
      expect((await stage.json("wait", "a", "--text", "ready")).code).toBe(0);
      const sent = await shell(stage, `printf 'A\\xff\\xfeB' | "$TROUPE" send a --stdin`);
      expect(sent).toMatchObject({ code: 0, err: "" });
      await stage.read("got");
      expect(readFileSync(join(stage.directory, "got"), "latin1")).toBe("A\xff\xfeB");
    })());
});
