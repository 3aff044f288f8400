/**
 * Input: what can be sent is copied as it is, and what cannot be is refused without being told.
 */
import { describe, expect, it } from "@effect/vitest";
import { Settings } from "@troupe/core";
import { Effect } from "effect";
import { inputOf, inputProblem } from "../../packages/core/src/Input.js";

const bound = 8;

describe("input", () => {
  it.effect("is the UTF-8 of a string, or bytes as they are, with keys in tmux's names", () =>
    Effect.gen(function* () {
      const text = yield* inputOf("a", "é\n");
      expect([[...text.bytes], text.keys]).toEqual([[0xc3, 0xa9, 0x0a], []]);
      const all = Uint8Array.from({ length: 255 }, (_, index) => index + 1);
      expect((yield* inputOf("a", all)).bytes).toEqual(all);
      const keys = yield* inputOf("a", { keys: ["up", "C-c"], enter: true });
      expect([keys.bytes.length, keys.keys]).toEqual([0, ["Up", "C-c", "Enter"]]);
    }),
  );

  it.effect("is a copy, which nobody changes", () =>
    Effect.gen(function* () {
      const given = new Uint8Array([1, 2]);
      const { bytes } = yield* inputOf("a", { text: given });
      given.fill(9);
      expect([...bytes]).toEqual([1, 2]);
    }),
  );

  it.effect("that is too much is refused at the bound of the settings", () =>
    Effect.gen(function* () {
      const defaults = yield* Settings;
      const small = Effect.provideService(Settings, { ...defaults, inputBytes: 3 });
      expect((yield* small(inputOf("a", "abc"))).bytes.length).toBe(3);
      const error = yield* Effect.flip(small(inputOf("a", "éé")));
      expect(error).toMatchObject({ _tag: "TmuxRefused", session: "a", attempted: "send" });
      expect(error.message).toContain("4 bytes are more than the 3");
    }),
  );
});

describe("keys", () => {
  it.effect("wait behind text for longer than a program takes a burst for a paste", () =>
    Effect.map(Settings, ({ inputSettleMs }) => expect(inputSettleMs).toBeGreaterThan(200)),
  );
});

describe("a problem", () => {
  it.each([
    ["a NUL in text", "ab\0", /NUL.*character 3/],
    ["a NUL in bytes", new Uint8Array([1, 0]), /NUL.*byte 2/],
    ["half of a pair", "a\ud800b", /surrogate/],
    ["too many bytes", "123456789", /^9 bytes are more than the 8/],
    ["no key", { keys: ["Up", "secret"] }, /^key 2 is none/],
  ])("is %s, and nothing of the input is in it", (_, given, text) => {
    expect(inputProblem(given, bound)).toMatch(text);
    expect(inputProblem(given, bound)).not.toContain("secret");
  });

  it.each([
    ["a whole pair", "\u{1f600}"],
    ["the bound", "12345678"],
    ["nothing", {}],
  ])("is not %s", (_, given) => expect(inputProblem(given, bound)).toBeNull());
});
