/**
 * Mistakes that are easily made, each told as what it is: a number and a time that are too large, a
 * directory in the place of input, a file in the place of a home; and text that fits its terminal.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseEnvFile } from "../../examples/cli/src/EnvFile.js";
import { table } from "../../examples/cli/src/Table.js";
import { atStage, callIn } from "../support/InProcess.js";
import { shell } from "../support/Shell.js";
import { onStage } from "../support/Stage.js";

describe("what is too large", () => {
  it.each([
    ["wait a --exit --timeout 30d", "at most 1d"],
    ["create a --ttl 1000000d", "at most 3650d"],
    ["gc --older-than 1000000d", "at most 3650d"],
    ["events --since 9007199254740992", "up to 9007199254740991"],
  ])("is told its bound: %s", (words, bound) =>
    atStage(async (stage) => {
      const { exit, out } = await callIn(stage, ["--json", ...words.split(" ")]);
      expect([exit, JSON.parse(out).error.message]).toEqual([2, expect.stringContaining(bound)]);
    })(),
  );

  it("is read as far as numbers are whole", () =>
    atStage(async (stage) => {
      const { exit } = await callIn(stage, ["events", "--since", "9007199254740991"]);
      expect(exit).toBe(0);
    })());

  it("is a value with so many blanks in it no more than any other", () => {
    // This took as many minutes as there are blanks, squared.
    const entries = parseEnvFile(`A=a${" ".repeat(900_000)}b${" ".repeat(100_000)}`);
    expect(entries._tag).toBe("Right");
  });
});

describe("what is something else than it was taken for", () => {
  it("is told of a directory as standard input, of which nothing is sent", () =>
    onStage(async (stage) => {
      expect((await stage.json("create", "a", "--", "cat")).code).toBe(0);
      const { code, out } = await shell(stage, '"$TROUPE" send a --stdin --json < /');
      const { error } = JSON.parse(out);
      expect([code, error.code, error.message]).toEqual([
        2,
        "USAGE",
        "standard input cannot be read: it is a directory",
      ]);
    })());

  it.each(["list", "inspect a", "delete a", "events"])(
    "is told of a file as home, which is no empty one: %s",
    (words) =>
      atStage(async (stage) => {
        const home = join(stage.directory, "file");
        writeFileSync(home, "");
        const { exit, out } = await callIn(stage, ["--json", ...words.split(" "), "--home", home]);
        expect([exit, JSON.parse(out).error?.code]).toEqual([8, "REGISTRY_UNAVAILABLE"]);
      })(),
  );
});

describe("a table on a terminal", () => {
  const name = "n".repeat(64);
  const rows = (...last: ReadonlyArray<string>) =>
    last.map((text) => [{ text: name }, { text: "running" }, { text: "present" }, { text }]);

  it("fits, whichever of its columns is wide", () => {
    for (const width of [60, 80, 100]) {
      const lines = table(rows("a", "sh -c something that is long"), { colour: false, width });
      for (const line of lines.trimEnd().split("\n")) {
        expect(line.length).toBeLessThanOrEqual(width);
        expect(line).toContain("running  present");
      }
    }
  });

  it("and in a pipe is whole", () => {
    expect(table(rows("a"), { colour: false, width: null })).toContain(name);
  });
});
