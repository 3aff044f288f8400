/**
 * Patterns: the newest line that matches, with the default search and with that of Node, which also
 * ends.
 */
import { describe, expect, it } from "@effect/vitest";
import { Patterns } from "@troupe/core";
import { NodePatterns } from "@troupe/node";
import { Effect, Layer } from "effect";

const layers = { default: Layer.empty, node: NodePatterns.layer };

describe.each(["default", "node"] as const)("the %s search", (name) => {
  const search = (pattern: string, lines: ReadonlyArray<string>) =>
    Effect.map(Patterns, ({ newest }) => newest(pattern, lines)).pipe(Effect.provide(layers[name]));

  it.effect("finds the newest line, by itself or with one blank behind it", () =>
    Effect.gen(function* () {
      expect(yield* search("^a", ["a1", "b", "a2", "c"])).toBe(2);
      expect(yield* search("\\$ $", ["x", "$"])).toBe(1);
      expect(yield* search("\\$$", ["x", "$"])).toBe(1);
      expect(yield* search("^.$", ["🙂", "no"])).toBe(0);
      expect(yield* search("z", ["a"])).toBe(-1);
      expect(yield* search("z", [])).toBe(-1);
    }),
  );
});

describe("a search that takes for ever", () => {
  const line = `${"a".repeat(80)}b`;

  it.effect("ends in Node, and is no answer", () =>
    Effect.map(Patterns, ({ newest }) => expect(newest("^(a+)+$", [line])).toBeNull()).pipe(
      Effect.provide(NodePatterns.layer),
    ),
  );
});

describe("a pattern that is well-formed and too large to be compiled", () => {
  const nested = `${"(".repeat(30_000)}${")".repeat(30_000)}`;

  it.effect.each(["x".repeat(60_000), nested])("is no bug in Node, and no answer", (pattern) =>
    Effect.map(Patterns, ({ newest }) => expect(newest(pattern, ["a"])).toBeNull()).pipe(
      Effect.provide(NodePatterns.layer),
    ),
  );
});

describe("the default search", () => {
  it.effect("looks at the beginning of a line alone", () =>
    Effect.map(Patterns, ({ newest }) => {
      expect(newest("b$", [`${"a".repeat(5_000)}b`])).toBe(-1);
      expect(newest("^a{2000}$", ["a".repeat(5_000)])).toBe(0);
    }),
  );
});
