/**
 * What somebody may have meant: a command, an option, a value, a key, or the name of a session.
 */
import { existsSync } from "node:fs";
import { Effect } from "effect";
import { describe, expect, it } from "vitest";
import { near } from "../../examples/cli/src/Near.js";
import { commandLine } from "../../examples/cli/src/ProgramText.js";
import { atStage, callIn } from "../support/InProcess.js";
import { onStage, type Stage } from "../support/Stage.js";

/** The code, what is near, and the beginning of the hint. */
const told = async (stage: Stage, ...words: ReadonlyArray<string>) => {
  const { error } = JSON.parse((await callIn(stage, ["--json", ...words])).out);
  return [error.code, error.details.near, error.hint.split("?")[0]];
};

describe("a word", () => {
  const names = ["create", "list", "wait", "terminal list", "build", "Web"];
  it.each([
    ["lsit", ["list"]],
    ["crate", ["create"]],
    ["rec", []],
    ["cre", ["create"]],
    ["terminal", ["terminal list"]],
    ["web", ["Web"]],
    ["a", []],
    ["", []],
    ["something else", []],
  ])("%j is near %j", async (word, expected) => {
    expect(await Effect.runPromise(near(word, names))).toEqual(expected);
  });

  it("is near no more than three, the likeliest first, and each once", async () => {
    const many = ["work1", "work2", "work3", "work4", "work", "work"];
    expect(await Effect.runPromise(near("wrk", many))).toEqual(["work"]);
    expect(await Effect.runPromise(near("workx", many))).toHaveLength(3);
  });
});

describe("a call with a word that is none", () => {
  it.each([
    [["lsit"], ["list"], "did you mean list"],
    [["terminal", "ad", "a"], ["terminal add"], "did you mean terminal add"],
    [["stop"], ["server stop"], "did you mean server stop"],
    [["list", "--jsn"], ["--json"], "did you mean --json"],
    [["create", "a", "--evn=TOKEN=hunter2"], ["--env"], "did you mean --env"],
    [["list", "--state", "runing"], ["running"], "did you mean running"],
    [["send", "a", "--key", "C-Spce"], ["C-Space"], "did you mean C-Space"],
    [["attach", "a", "--nest", "--prefix", "Entr"], ["Enter"], "did you mean Enter"],
    [["schema", "lst"], ["list"], "did you mean list"],
    [["--completions", "bahs"], ["bash"], "did you mean bash"],
    [["nonsense"], [], "nothing was done; troupe --help shows what it takes"],
  ])("%j says what was meant, and makes nothing", (words, found, hint) =>
    onStage(async (stage) => {
      expect(await told(stage, ...words)).toEqual(["USAGE", found, hint]);
      expect(stage.made).toEqual([]);
    })(),
  );

  it("tells a person the same, and repeats no value", () =>
    onStage(async (stage) => {
      const { err, out } = await callIn(stage, ["create", "a", "--evn=TOKEN=hunter2"]);
      expect([out, err]).toEqual([
        "",
        "troupe create: Unknown option '--evn'\n" +
          "troupe create: hint: did you mean --env? nothing was done; troupe create --help shows " +
          "what it takes\n",
      ]);
    })());
});

describe("the name of a session that is not there", () => {
  it(
    "is told those of the home that are like it, whichever command looked for it",
    atStage(async (stage) => {
      expect(await told(stage, "inspect", "biuld")).toEqual([
        "NOT_FOUND",
        [],
        "troupe list --all shows what there is",
      ]);
      expect(existsSync(stage.home)).toBe(false);
      await callIn(stage, ["create", "build", "--start-window", "0", "--", "sleep", "600"]);
      stage.tmux("new-session", "-d", "-s", "theirs", "sleep 600");
      const found = ["NOT_FOUND", ["build"], "did you mean build"];
      for (const words of [
        ...[["inspect"], ["logs"], ["capture"], ["delete"], ["restore"], ["reconcile"]],
        ...[["wait", "--exit"], ["attach", "--print"], ["terminal", "list"], ["events"]],
        ["reconcile", "--dry-run"],
      ]) {
        expect([words, await told(stage, ...words, "biuld")]).toEqual([words, found]);
      }
      expect(await told(stage, "adopt", "thiers")).toEqual([
        "NOT_FOUND",
        ["theirs"],
        "did you mean theirs",
      ]);
      const several = await callIn(stage, ["--json", "delete", "never", "buid"]);
      const [, second] = JSON.parse(several.out).result.items;
      expect(second.error.details.near).toEqual(["build"]);
    }),
  );

  it(
    "stays what it is when the names cannot be read, or a terminal is what is missing",
    atStage(async (stage) => {
      await callIn(stage, ["create", "build", "--start-window", "0", "--", "sleep", "600"]);
      expect(await told(stage, "capture", "build", "--terminal", "t9")).toEqual([
        "NOT_FOUND",
        [],
        "troupe terminal list build shows its terminals",
      ]);
      const mute = stage.wrapper("mute", "exec sleep 60");
      expect(await told(stage, "events", "biuld", "--tmux", mute)).toEqual([
        "NOT_FOUND",
        [],
        `troupe list --all --tmux ${commandLine([mute])} shows what there is`,
      ]);
    }),
  );
});
