/**
 * WaitCondition: what can be waited for, and which lines of a screen show it.
 */
import { describe, expect, it } from "@effect/vitest";
import {
  conditionProblem,
  conditionText,
  linesOf,
  newestWith,
  type WaitCondition,
} from "@troupe/core";

const shown = (screen: string, text: string) => newestWith(text, linesOf(screen));

describe("a text", () => {
  it("is found in the newest line that has it", () => {
    expect(shown("one\ntwo\none more", "one")).toBe(2);
    expect(shown("one\ntwo", "three")).toBe(-1);
  });

  it("may end in blanks, of which a line has as many as are looked for, and no more inside", () => {
    expect(shown("$    ", "$ ")).toBe(0);
    expect(shown("$", "$   ")).toBe(0);
    expect(shown("$5", "$ ")).toBe(-1);
    expect(shown("a  b", "a b")).toBe(-1);
  });

  it("is not found across lines", () => {
    expect(shown("one\ntwo", "onetwo")).toBe(-1);
  });
});

describe("a condition", () => {
  it.each([
    { text: "x" },
    { regex: "^[ab]\\d+$" },
    { idleMs: 1 },
    { exit: true },
  ] as ReadonlyArray<WaitCondition>)("%j can be waited for", (condition) => {
    expect(conditionProblem(condition)).toBeNull();
    expect(conditionText(condition)).toMatch(/not|nothing/);
  });

  it.each([
    {},
    { text: "" },
    { text: "  " },
    { text: "a\nb" },
    { text: "a\r" },
    { regex: "" },
    { regex: "[" },
    { regex: "x".repeat(60_000) },
    { regex: "\\p{Nothing}" },
    { idleMs: 0 },
    { idleMs: -1 },
    { idleMs: Number.POSITIVE_INFINITY },
    { text: "a", exit: true },
  ] as ReadonlyArray<WaitCondition>)("%j cannot, and it is said why", (condition) => {
    expect(conditionProblem(condition)).toEqual(expect.any(String));
  });
});
