/**
 * TmuxCommand: quoting and formats as text. That tmux gives back what was quoted is shown against
 * the real one in test/real.
 */
import { describe, expect, it } from "@effect/vitest";
import { literal, quote } from "@troupe/tmux";
import { FastCheck } from "effect";

describe("a quoted word", () => {
  it("escapes what the configuration language expands inside double quotes", () => {
    expect(quote('a"b\\c$d~e')).toBe('"a\\"b\\\\c\\$d\\~e"');
    expect(quote("a\nb\t\u007f")).toBe('"a\\012b\\011\\177"');
  });

  it("never ends early and never spans a line", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: "binary" }), (text) => {
        const inside = quote(text.replaceAll("\0", "")).slice(1, -1);
        const unescaped = inside.replace(/\\[0-7]{3}|\\[\\"$~]/g, "");
        expect(unescaped).not.toMatch(/["\n\\$~]/);
      }),
    );
  });
});

describe("a literal in a format", () => {
  it("doubles # but not before [, which tmux keeps as it stands", () => {
    expect(literal("/a#b##c")).toBe("/a##b####c");
    expect(literal("/a#[b")).toBe("/a#[b");
    expect(literal("/a##[b")).toBe("/a##[b");
  });
});
