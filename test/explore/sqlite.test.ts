/**
 * Two programs on one registry in SQLite, explored: the real file, a connection for each, every
 * schedule of their calls up to a total cost of 3.
 *
 * Nothing in it waits inside a native call, so it runs under the explorer as the one in memory
 * does. The twin reads and writes as two transactions of its own, without a claim.
 */
import { Explore } from "@troupe/testing";
import { describe, expect, it, vi } from "vitest";
import { sqliteWorlds, unclaimed } from "./SqliteWorlds.js";

vi.setConfig({ testTimeout: 120_000 });

describe("two programs on one registry in SQLite", () => {
  it.each(sqliteWorlds)("take turns, and neither loses or interleaves: $world.name", (named) => {
    const report = Explore.verify(named.world, { cost: named.cost });
    console.log(Explore.printReport(report));
    expect(report.budgets.every(({ exhausted }) => exhausted)).toBe(true);
  });

  it("are refused without a claim", () => {
    expect(Explore.explore(unclaimed, { cost: 1 }).failure).not.toBe(null);
  });
});
