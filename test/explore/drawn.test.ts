/**
 * What is drawn by chance holds, and would not without a guard: that nobody looks for the processes
 * of a session is found out by some of it.
 */
import { Explore } from "@troupe/testing";
import { Effect } from "effect";
import { describe, expect, it } from "vitest";
import { drawnWorlds } from "./DrawnWorlds.js";
import { type SessionWorldOptions, sessionWorld } from "./SessionWorld.js";

const FEW = drawnWorlds(15);

const failureOf = (options: SessionWorldOptions) =>
  Explore.explore(sessionWorld(options), { cost: 0 }).failure;

describe("worlds that are drawn", () => {
  it("hold, and are the same for the same number", () => {
    for (const options of FEW)
      expect([options.name, failureOf(options)]).toEqual([options.name, null]);
    expect(drawnWorlds(15).map(({ name }) => name)).toEqual(FEW.map(({ name }) => name));
    expect(new Set(FEW.map(({ name }) => name)).size).toBe(FEW.length);
  });

  it("do not hold where no process is found", () => {
    const none = Effect.succeed([]);
    const table: SessionWorldOptions["table"] = (of) => ({
      ...of,
      snapshot: none,
      marked: () => none,
    });
    expect(FEW.some((options) => failureOf({ ...options, table }) !== null)).toBe(true);
  });
});
