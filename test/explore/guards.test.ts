/**
 * The worlds in which one guard stands in the middle: each holds in every schedule of a cost up to
 * 1, and up to its own in `npm run explore`. That each can fail is shown by the mutants that name
 * it: `npm run mutants` takes the guard away.
 */
import { Explore } from "@troupe/testing";
import { describe, expect, it } from "vitest";
import { guardWorlds } from "./NamedWorlds.js";

describe("a guard holds in", () => {
  it.each(guardWorlds)("$world.name", ({ cost, world }) => {
    const report = Explore.verify(world, { cost: Math.min(cost, 1) });
    expect(report.budgets.every(({ exhausted }) => exhausted)).toBe(true);
  });
});
