/**
 * What the values of options mean: durations and environment files; and text for people.
 */
import { Either, Redacted } from "effect";
import { describe, expect, it } from "vitest";
import { ageText } from "../../examples/cli/src/Age.js";
import { cellsOf } from "../../examples/cli/src/Cells.js";
import { parseDuration } from "../../examples/cli/src/Duration.js";
import { parseEnvFile } from "../../examples/cli/src/EnvFile.js";
import { plainPaper, printableLine, table } from "../../examples/cli/src/Table.js";

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
    expect(table(rows, plainPaper)).toBe("A     B\nlong\n");
  });

  it("has colour only when it is asked for", () => {
    const rows = [[{ text: "x", colour: "red" as const }]];
    expect(table(rows, plainPaper)).toBe("x\n");
    const coloured = { ...plainPaper, colour: true };
    expect(table(rows, coloured)).toBe("\u001b[31mx\u001b[0m\n");
  });

  const rows = [
    [{ text: "a" }, { text: "日本語 etc" }],
    [{ text: "日本" }, { text: "short" }],
    [{ text: "e\u0301" }, { text: "what went wrong", whole: true }],
  ];

  it("is cut in its last column to the cells of a terminal, but for what went wrong", () => {
    expect(table(rows, { ...plainPaper, width: 13 })).toBe(
      "a     日本語…\n日本  short\ne\u0301     what went wrong\n",
    );
    expect(table(rows, { ...plainPaper, width: 12 })).toContain("a     日本…\n");
    expect(table(rows, { ...plainPaper, width: 3 })).toContain("日本  …\n");
  });

  it("is whole in a pipe", () => {
    expect(table(rows, plainPaper)).toBe(
      "a     日本語 etc\n日本  short\ne\u0301     what went wrong\n",
    );
  });

  it("counts the cells as terminals do: none for what is drawn upon the character before", () => {
    expect(["日本", "e\u0301", "a\u200db", "𝒳", "한글", "🙂"].map(cellsOf)).toEqual([
      4, 1, 2, 1, 4, 2,
    ]);
  });
});

describe("an age", () => {
  it.each([
    [0, "0s"],
    [-5_000, "0s"],
    [119_999, "119s"],
    [120_000, "2m"],
    [7_199_999, "119m"],
    [7_200_000, "2h"],
    [172_800_000, "2d"],
  ])("of %d milliseconds is %s", (ms, text) => {
    expect(ageText(1e12, 1e12 + ms)).toBe(text);
  });
});

describe("control characters", () => {
  it("spells out what a terminal would obey", () => {
    expect(printableLine("a\u001b[2Jb\n\u202ec")).toBe("a\\u001b[2Jb\\n\\u202ec");
  });
});
