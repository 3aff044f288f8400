/**
 * subscribe ∥ commit: a subscriber that comes at any moment is told each event once, in order.
 * Every schedule of a cost of 2 where fibers switch at ports; where they may at every operation
 * those of chance here, and all of a cost of 1 in `npm run explore`. The twin listens only behind
 * its look.
 */
import { Explore } from "@troupe/testing";
import { Effect } from "effect";
import { describe, expect, it, vi } from "vitest";
import { eventWorld, eventWorlds, type Port } from "./EventWorlds.js";

vi.setConfig({ testTimeout: 120_000 });

/** Listens for the next commit of anybody, whatever was written behind the look. */
const listeningTooLate = () => {
  const waiting = new Set<() => void>();
  const wakeAll = Effect.sync(() => {
    for (const wake of waiting) wake();
  });
  return (registry: Port): Port => ({
    ...registry,
    commit: (...args) => Effect.tap(registry.commit(...args), () => wakeAll),
    awaitEvents: () =>
      Effect.async((resume) => {
        const wake = () => resume(Effect.void);
        waiting.add(wake);
        return Effect.sync(() => void waiting.delete(wake));
      }),
  });
};

describe("subscribe ∥ commit", () => {
  for (const { cost, world } of eventWorlds) {
    const { granularity } = world;
    it(`tells each event once and in order, whoever comes first, with ${granularity}`, () => {
      const chance = { cost: 0, uniformWalks: 200, priorityWalks: 200 };
      const report = Explore.verify(world, granularity === "ports" ? { cost } : chance);
      console.log(Explore.printReport(report));
      expect(report.stoppedBy).toBe(null);
    });
  }

  it("loses the end when it listens only behind its look", () => {
    const twin = eventWorld({ name: "subscribe ∥ commit, twin" }, listeningTooLate);
    const { failure } = Explore.explore(twin, { cost: 3 });
    expect(failure?.message).toMatch(/^nothing can go on.*registry.awaitEvents/);
  });
});
