/**
 * The house style, as far as a machine can check it. Each rule meets every text that git tracks,
 * and is shown to fail: on a bad sample of its own, every text of which must be found.
 */
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { callRules } from "./tidy/CallRules.js";
import { docRules } from "./tidy/DocRules.js";
import { importRules } from "./tidy/ImportRules.js";
import { pathRules } from "./tidy/PathRules.js";
import { publicNames, publicRules } from "./tidy/PublicRules.js";
import { requirementRules } from "./tidy/RequirementRules.js";
import { printFinding } from "./tidy/Rule.js";
import { sizeRules } from "./tidy/SizeRules.js";
import { sourcesOf, trackedSources } from "./tidy/Source.js";
import { testRules } from "./tidy/TestRules.js";
import { textRules } from "./tidy/TextRules.js";

const top = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const sources = trackedSources(top);
const rules = [
  ...pathRules,
  ...sizeRules,
  ...importRules,
  ...callRules,
  ...testRules,
  ...requirementRules,
  ...publicRules,
  ...docRules,
  ...textRules(top),
];

describe("the texts of this repository", () => {
  it("are walked, and the code among them is parsed", () => {
    const parsed = sources.filter(({ tree }) => tree !== null).map(({ path }) => path);
    expect(parsed).toContain("packages/core/src/Sessions.ts");
    expect(parsed).toContain("test/tidy.test.ts");
  });

  it("are found by name, where a host program can import them", () => {
    const names = publicNames(sources).map(({ name, path }) => `${path.split("/")[1]} ${name}`);
    const known = ["core Sessions", "node Troupe", "sqlite SqliteRegistry", "tmux TmuxClient"];
    expect(names).toEqual(
      expect.arrayContaining([...known, "testing FakeTmux", "testing Explore"]),
    );
  });

  for (const rule of rules) {
    it(rule.sentence, () => {
      expect(rule.check(sources).map(printFinding)).toEqual([]);
    });
  }
});

describe("a rule that is broken is seen to be", () => {
  for (const rule of rules) {
    it(rule.sentence, () => {
      const texts = Object.entries({ ...rule.beside, ...rule.sample });
      const found = rule.check(sourcesOf(new Map(texts)));
      const paths = found.map(({ path }) => path);
      expect(paths).toEqual(expect.arrayContaining(Object.keys(rule.sample)));
    });
  }
});
