/**
 * KernelRandom: a word is another one each time, also where the kernel gives none.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { randomWord } from "../../packages/node/src/KernelRandom.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const given = "01234567-89ab-4cde-8f01-23456789abcd";

/** The words of this many calls, where the kernel's file has this text. */
const wordsOf = (text: string): ReadonlyArray<string> => {
  const directory = mkdtempSync(join(tmpdir(), "random-"));
  try {
    const file = join(directory, "uuid");
    writeFileSync(file, text);
    return [1, 2, 3].map(() => randomWord(file));
  } finally {
    rmSync(directory, { recursive: true });
  }
};

const expectFresh = (words: ReadonlyArray<string>): void => {
  for (const word of words) expect(word).toMatch(UUID);
  expect(new Set(words).size).toBe(words.length);
};

describe("a random word", () => {
  it("is the kernel's, a new one at each call", () => {
    expectFresh(Array.from({ length: 100 }, () => randomWord()));
    expect(wordsOf(`${given}\n`)).toEqual([given, given, given]);
  });

  it.each(["", "\n", "not-a-uuid\n", given.toUpperCase(), `${given}${given}`, given.slice(1)])(
    "is node's where %j stands in the file",
    (text) => expectFresh(wordsOf(text)),
  );

  it("is node's where there is no such file", () => {
    expectFresh([1, 2, 3].map(() => randomWord("/nowhere/uuid")));
  });
});
