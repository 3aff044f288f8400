/**
 * The worlds of attachments: each holds in every schedule up to a cost of 1 and is exhausted up to
 * its own by `npm run explore`; without its guard each fails, which shows that it can.
 */
import { Explore } from "@troupe/testing";
import { describe, expect, it } from "vitest";
import { attachmentTwins, attachmentWorlds } from "./AttachmentWorlds.js";

describe("who is at a writer and who is not in", () => {
  it.each(attachmentWorlds)("$world.name", ({ cost, world }) => {
    const report = Explore.verify(world, { cost: Math.min(cost, 1) });
    expect(report.budgets.every(({ exhausted }) => exhausted)).toBe(true);
  });
});

describe("without its guard there is a schedule that breaks in", () => {
  it.each(attachmentTwins)("$world.name", ({ cost, world }) => {
    const { failure } = Explore.explore({ ...world, sometimes: [] }, { cost });
    expect(failure?.kind).toBe("violated");
  });
});
