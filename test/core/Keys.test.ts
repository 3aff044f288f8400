/**
 * Keys: a word is a key that a terminal is sent, in tmux's name, or none at all.
 */
import { describe, expect, it } from "vitest";
import { keyOf } from "../../packages/core/src/Keys.js";

describe("a key", () => {
  it.each([
    ["Enter", "Enter"],
    ["enter", "Enter"],
    ["f12", "F12"],
    ["C-c", "C-c"],
    ["C-Space", "C-Space"],
    ["C-[", "C-["],
    ["M-Enter", "M-Enter"],
    ["M--", "M--"],
    ["-", "-"],
    [";", ";"],
    ["S-Up", "S-Up"],
    ["S-C-M-pgup", "C-M-S-PgUp"],
    ["M-C-x", "C-M-x"],
  ])("%s is %s", (word, key) => expect(keyOf(word)).toBe(key));

  it.each([
    ["no word", ""],
    ["a word that tmux would type", "Entre"],
    ["two characters", "ab"],
    ["a modifier alone", "C-"],
    ["a modifier twice", "C-C-c"],
    ["a key that tmux drops", "C-Enter"],
    ["a digit with Ctrl, which tmux drops or changes", "C-1"],
    ["a key that tmux would type by its name", "S-Enter"],
    ["a letter with Shift", "S-a"],
    ["a code", "0x41"],
    ["a mouse", "MouseDown1Pane"],
    ["a character that has no key", "é"],
    ["a space", " "],
    ["a control character", "\u0003"],
    ["a name with something behind it", "Up "],
    ["two lines", "Up\nUp"],
  ])("is not %s", (_, word) => expect(keyOf(word)).toBeNull());
});
