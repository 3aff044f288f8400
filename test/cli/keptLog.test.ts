/**
 * The log of the registry between two calls: it is left where it is, stays short, and holds what
 * the next call reads.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { onStage } from "../support/Stage.js";

/** More than so many pages of 4 KiB, with the frames around them, are never left. */
const BOUND = 900_000;

describe("the log of the registry", () => {
  it("is left by a call, does not grow from call to call, and what is in it is read", () =>
    onStage(async (stage) => {
      const log = join(stage.home, "registry.db-wal");
      const seen: Array<number> = [];
      for (let cycle = 0; cycle < 10; cycle++) {
        const made = await stage.json("create", "a", "--start-window", "0", "--", "sleep", "600");
        expect(made.code).toBe(0);
        expect((await stage.json("delete", "a")).code).toBe(0);
        expect(existsSync(log)).toBe(true);
        seen.push(statSync(log).size);
      }
      expect(seen[1]).toBeGreaterThan(seen[0] ?? 0);
      expect(Math.max(...seen)).toBeLessThan(BOUND);
      const { stdout } = await stage.run("--json", "events");
      expect(stdout.match(/"state":"deleted"/g)).toHaveLength(10);
    })());
});
