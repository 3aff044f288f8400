/**
 * The worlds of leases: each holds in every schedule up to a cost of 1 and is exhausted up to its
 * own by `npm run explore`; without its guard each fails, which shows that it can.
 */
import { Explore } from "@troupe/testing";
import { describe, expect, it } from "vitest";
import { leaseTwins } from "./LeaseTwins.js";
import { leaseWorlds } from "./LeaseWorlds.js";

describe("one writer at every moment in", () => {
  it.each(leaseWorlds)("$world.name", ({ cost, world }) => {
    const report = Explore.verify(world, { cost: Math.min(cost, 1) });
    expect(report.budgets.every(({ exhausted }) => exhausted)).toBe(true);
  });
});

describe("without its guard there is a schedule that breaks", () => {
  it.each(leaseTwins)("$world.name", ({ cost, world }) => {
    const { failure } = Explore.explore(world, { cost });
    expect(failure?.kind).toBe("violated");
  });
});
