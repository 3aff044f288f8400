/**
 * SessionName: the grammar, as a list of what passes and a list of what people try.
 */
import { describe, expect, it } from "@effect/vitest";
import { parseSessionName } from "@troupe/core";
import { Effect, FastCheck } from "effect";

const good = ["a", "A9", "foo-bar", "foo_bar", "client-", "client-x", "9", "x".repeat(64)];
const bad = [
  "",
  "a.b",
  "a:b",
  "#(touch x)",
  "a b",
  " a",
  "a\n",
  "a\0b",
  "-a",
  "_a",
  "é",
  "$1",
  "@1",
  "%1",
  "=a",
  "a*",
  "x".repeat(65),
  "client-12",
];

describe("a session name", () => {
  for (const name of good) {
    it.effect(`${JSON.stringify(name)} passes unchanged`, () =>
      Effect.map(parseSessionName(name, "test"), (parsed) => expect(parsed).toBe(name)),
    );
  }
  for (const name of bad) {
    it.effect(`${JSON.stringify(name)} is InvalidName and names itself`, () =>
      Effect.map(Effect.flip(parseSessionName(name, "create")), (error) => {
        expect(error._tag).toBe("InvalidName");
        expect(error.session).toBe(name);
        expect(error.attempted).toBe("create");
      }),
    );
  }

  it("never holds a character that tmux or a shell reads as more than itself", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string(), (text) => {
        const passes = Effect.runSync(Effect.isSuccess(parseSessionName(text, "test")));
        expect(passes && /[^A-Za-z0-9_-]/.test(text)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });
});
