/**
 * Goal: the fake tmux answers as the real one does. Method: seeded scripts go to both, and any
 * difference is shown as a script; fakes that are wrong on purpose have to be found out.
 *
 * The same comparison runs as long as one likes by `npm run fuzz:tmux`.
 */
import type { FakeTmuxOptions } from "@troupe/testing";
import { afterAll, describe, expect, it } from "vitest";
import { compareScript, compareSeed, showDifference, shrink } from "./fake-tmux-compare.js";
import { LineTmux } from "./fake-tmux-line-tmux.js";
import { RealTmux } from "./fake-tmux-real.js";

const program = RealTmux.find();
const real = program === null ? null : new RealTmux(program);
afterAll(() => real?.end());

type Quirk = keyof NonNullable<FakeTmuxOptions["quirks"]>;

/** What is wrong, and a seed whose first script meets it. */
const wrongFakes: ReadonlyArray<readonly [Quirk, string, number]> = [
  ["noPrefixMatching", "matches no prefixes", 66],
  ["reusedIds", "uses ids again", 75],
  ["emptyTargetFails", "fails on an empty target", 42],
  ["displayMessageFailsOnMissingTarget", "fails to show a message for a target that is absent", 3],
  ["noCurrentTargetMissing", "has a current target without any session", 1],
  ["namesNotRewritten", "leaves names as they are", 268],
  ["serverOutlivesLastSession", "keeps the server when its last session ends", 8],
];
const wrongBudget = 50;

describe.skipIf(real === null)("the fake tmux beside the real one", () => {
  it("gives the same answers to the same scripts", { timeout: 60_000 }, () => {
    if (real === null) return;
    const difference = compareSeed(real, 20_240, 400);
    const shown = difference === null ? null : showDifference(shrink(real, difference, {}));
    expect(shown).toBeNull();
  });

  it("gives the same answers over a connection", { timeout: 60_000 }, () => {
    if (program === null) return;
    const lines = new LineTmux(program);
    try {
      const difference = compareSeed(lines, 20_241, 240);
      const shown = difference === null ? null : showDifference(shrink(lines, difference, {}));
      expect(shown).toBeNull();
      expect(lines.carried).toBeGreaterThan(200);
    } finally {
      lines.end();
    }
  });

  for (const [quirk, wrong, seed] of wrongFakes) {
    it(`differs from one that ${wrong}`, { timeout: 60_000 }, () => {
      if (real === null) return;
      const difference = compareSeed(real, seed, wrongBudget, { quirks: { [quirk]: true } });
      expect(difference).not.toBeNull();
      // The right one does not differ there.
      expect(compareScript(real, difference?.steps ?? [], {})).toBeNull();
    });
  }
});
