/**
 * Goal: the mailboxes of core keep their promises under every order of fibers, also under a
 * scheduler that yields between any two operations. Method: each promise is a world, exhausted at
 * both granularities, further in `npm run explore`; mailboxes of the same idea with one flaw each
 * must fail in one of them.
 */
import { makeMailboxes } from "@troupe/core";
import { Explore, type FindingKind } from "@troupe/testing";
import { describe, expect, it, vi } from "vitest";
import { type Flaw, makeFlawedMailboxes } from "./FlawedMailboxes.js";
import { mailboxCases as cases } from "./MailboxCases.js";

vi.setConfig({ testTimeout: 60_000 });

const granularities = ["ports", "visible"] as const;
type Granularity = (typeof granularities)[number];

describe.each(Object.entries(cases))("%s", (_, { world }) => {
  it.each(granularities)("holds where fibers switch at %s", (granularity) => {
    const explored = { ...world(makeMailboxes(8)), granularity };
    const cost = granularity === "ports" ? 2 : 1;
    const report = Explore.verify(explored, { cost, uniformWalks: 50, priorityWalks: 50 });
    expect(report.stoppedBy).toBe(null);
  });
});

describe("mailboxes of the same idea", () => {
  it.each(Object.entries(cases))("without a flaw hold: %s", (_, { world }) => {
    for (const granularity of granularities) {
      const explored = { ...world(makeFlawedMailboxes("none")), granularity, sometimes: [] };
      Explore.verify(explored, { cost: 1 });
    }
  });

  it.each<[Flaw, keyof typeof cases, Granularity, cost: number, FindingKind]>([
    ["forgets late", "again", "visible", 1, "deadlock"],
    ["begins late", "leaving", "visible", 1, "violated"],
    ["two workers", "exclusion", "ports", 1, "violated"],
    ["leaves a message", "leaving", "ports", 1, "violated"],
    ["stops the work", "leaving", "ports", 1, "violated"],
    ["takes out late", "leaving", "visible", 2, "violated"],
    ["knows workers late", "closing", "visible", 2, "program failed"],
    ["closes silently", "closing", "ports", 1, "deadlock"],
    ["newest first", "order", "ports", 0, "violated"],
  ])("fail when one %s, in the world of %s at %s", (flaw, name, granularity, cost, kind) => {
    const explored = { ...cases[name].world(makeFlawedMailboxes(flaw)), granularity };
    const { failure } = Explore.explore(explored, { cost });
    expect(failure).toMatchObject({ kind });
    expect(failure?.replay?.length).toBeLessThan(40);
    expect(Explore.replay(explored, failure?.replay ?? "")).toMatchObject({ _tag: "Failed" });
  });
});
