/**
 * Goal: the mailboxes of core keep their promises under every order of fibers, also under a
 * scheduler that yields between any two operations. Method: each promise is a world, exhausted at
 * both granularities; mailboxes of the same idea with one flaw each must fail in one of them.
 */
import { makeMailboxes } from "@troupe/core";
import { Explore, type FindingKind, type World } from "@troupe/testing";
import { describe, expect, it, vi } from "vitest";
import { type Flaw, makeFlawedMailboxes } from "./FlawedMailboxes.js";
import {
  again,
  closing,
  exclusion,
  joining,
  leaving,
  type Make,
  order,
  twoNames,
} from "./MailboxWorlds.js";

vi.setConfig({ testTimeout: 60_000 });

interface Case {
  readonly world: (make: Make) => World<unknown>;
  /** The costs up to which it is exhausted. */
  readonly ports: number;
  readonly visible: number;
}

const cases = {
  exclusion: { world: exclusion, ports: 4, visible: 1 },
  again: { world: again, ports: 6, visible: 2 },
  twoNames: { world: twoNames, ports: 4, visible: 1 },
  order: { world: order, ports: 2, visible: 1 },
  leaving: { world: leaving, ports: 4, visible: 2 },
  joining: { world: joining, ports: 3, visible: 1 },
  closing: { world: closing, ports: 3, visible: 2 },
} satisfies Record<string, Case>;

const granularities = ["ports", "visible"] as const;
type Granularity = (typeof granularities)[number];

describe.each(Object.entries(cases))("%s", (_, { world, ...costs }) => {
  it.each(granularities)("holds where fibers switch at %s", (granularity) => {
    const explored = { ...world(makeMailboxes(8)), granularity };
    const walks = { uniformWalks: 100, priorityWalks: 100 };
    const report = Explore.verify(explored, { cost: costs[granularity], ...walks });
    expect(report.stoppedBy).toBe(null);
  });
});

describe("mailboxes of the same idea", () => {
  it.each(Object.entries(cases))("without a flaw hold: %s", (_, { world }) => {
    for (const granularity of granularities) {
      const explored = { ...world(makeFlawedMailboxes("none")), granularity, sometimes: [] };
      Explore.verify(explored, { cost: granularity === "ports" ? 2 : 1 });
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
