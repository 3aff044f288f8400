/**
 * What the values of options mean: durations and environment files; and text for people.
 */
import { Either, Redacted } from "effect";
import { describe, expect, it } from "vitest";
import { parseDuration } from "../../examples/cli/src/Duration.js";
import { parseEnvFile } from "../../examples/cli/src/EnvFile.js";
import { printableLine, table } from "../../examples/cli/src/Table.js";

describe("a duration", () => {
  it.each([
    ["0", 0],
    ["100ms", 100],
    ["2s", 2_000],
    ["1.5s", 1_500],
    ["1m", 60_000],
    ["24h", 86_400_000],
    ["1d", 86_400_000],
    ["25h", null],
    ["2d", null],
    ["5", null],
    ["-1s", null],
    ["1 s", null],
    ["", null],
  ])("%j is %j milliseconds", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it("may be longer where an age is meant", () => {
    expect(parseDuration("30d", 3_650 * 86_400_000)).toBe(30 * 86_400_000);
  });
});

const valuesOf = (text: string) =>
  Either.map(parseEnvFile(text), (entries) =>
    entries.map(([name, value]) => [name, Redacted.value(value)]),
  );

describe("an environment file", () => {
  it("has a variable on each line that is neither blank nor a comment", () => {
    const text = "\uFEFF# head\r\nA=1\r\n\n  B = two words # kept  \nexport C=\nD=x=y\n";
    const values = [
      ["A", "1"],
      ["B", "two words # kept"],
      ["C", ""],
      ["D", "x=y"],
    ];
    expect(valuesOf(text)).toEqual(Either.right(values));
  });

  it("takes single quotes as they stand and escapes in double quotes", () => {
    const text = `A='  $x \\n '\nB="a\\n\\"b\\" \\\\"\n`;
    const values = [
      ["A", "  $x \\n "],
      ["B", 'a\n"b" \\'],
    ];
    expect(valuesOf(text)).toEqual(Either.right(values));
  });

  it.each(["canary", "A='canary", 'A="canary"x', "1A=canary", "A-B=canary"])(
    "that has a line such as %s is refused by the line's number alone",
    (line) => {
      expect(parseEnvFile(`A=1\n\n${line}\n`)).toEqual(Either.left("line 3 is not NAME=VALUE"));
    },
  );

  it("shows no value when its entries are printed", () => {
    expect(JSON.stringify(Either.getOrThrow(parseEnvFile("A=canary")))).not.toContain("canary");
  });
});

describe("a table", () => {
  it("aligns its columns and ends each line without blanks", () => {
    const rows = [
      [{ text: "A" }, { text: "B" }],
      [{ text: "long" }, { text: "" }],
    ];
    expect(table(rows, false)).toBe("A     B\nlong\n");
  });

  it("has colour only when it is asked for", () => {
    const rows = [[{ text: "x", colour: "red" as const }]];
    expect(table(rows, false)).toBe("x\n");
    expect(table(rows, true)).toBe("\u001b[31mx\u001b[0m\n");
  });

  it("spells out what a terminal would obey", () => {
    expect(printableLine("a\u001b[2Jb\n\u202ec")).toBe("a\\u001b[2Jb\\n\\u202ec");
  });
});
