/**
 * How the fake tmux cuts and measures text: each row was measured on tmux 3.3a.
 */
import { describe, expect, it } from "@effect/vitest";
import { FakeTmux } from "@troupe/testing";
import { Effect } from "effect";
import { boot, printed, start, tmux } from "./fake-tmux-asking.js";

const fresh = Effect.provide(FakeTmux.layer());

/** What a format makes of a text. */
const rows: ReadonlyArray<readonly [text: string, format: string, shown: string]> = [
  // A style has no width, and one that is never closed takes it from the whole text.
  ["ab#[fg=red]cd", "#{w:@a}", "4"],
  ["a#[b", "#{w:@a}", "0"],
  ["a#[b", "#{=1:@a}", "a"],
  ["a#[b", "#{=-1:@a}", "a#[b"],
  // Two hashes are one, and the style behind a run of them is not cut from it.
  ["##", "#{w:@a}", "1"],
  ["###x", "#{w:@a}", "3"],
  ["###[x]yz", "#{w:@a}", "3"],
  ["###[x]yz", "#{=1:@a}", "###[x]"],
  ["#####[x]yz", "#{=1:@a}", "###[x]"],
  ["###[x]yz", "#{=-1:@a}", "#[x]z"],
  // A character without a width goes with what is cut off, not with what stays.
  ["e\u0301abc", "#{=1:@a}", "e"],
  ["e\u0301abc", "#{=2:@a}", "e\u0301a"],
  ["e\u0301abc", "#{=-2:@a}", "bc"],
  ["日本語", "#{=3:@a}", "日"],
];

describe("a text in a format", () => {
  for (const [text, format, shown] of rows) {
    it.effect(`is cut and measured: ${format} of ${text}`, () =>
      Effect.gen(function* () {
        yield* boot;
        yield* tmux("set-option", "-g", "@a", text);
        expect(yield* printed("display-message", "-p", format)).toBe(`${shown}\n`);
      }).pipe(fresh),
    );
  }

  it.effect("may be about one buffer after the other", () =>
    Effect.gen(function* () {
      yield* boot;
      yield* start("a", "sleep", "9");
      yield* tmux("set-buffer", "-b", "one", "x", ";", "set-buffer", "-b", "two", "yz");
      const format = "#{buffer_name} #{buffer_size} [#{session_name}]";
      expect(yield* printed("list-buffers", "-F", format)).toBe("two 2 []\none 1 []\n");
      const filter = ["-f", "#{==:#{buffer_size},1}"];
      expect(yield* printed("list-buffers", ...filter)).toBe('one: 1 bytes: "x"\n');
    }).pipe(fresh),
  );
});
