/**
 * A home that cannot be written to: every read is served as before, and every change is refused.
 *
 * Root may write everywhere, so as root the whole stage is played by a plain user.
 */
import { chmodSync, chownSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type CallOptions, onStage, type Stage, toldBy } from "../support/Stage.js";

const NOBODY = 65_534;

/** Who plays, and the stage made his. */
const playerOf = (stage: Stage): CallOptions => {
  if (process.getuid?.() !== 0) return {};
  chownSync(stage.directory, NOBODY, NOBODY);
  return { uid: NOBODY };
};

const reads = [
  ["list", "--all"],
  ["inspect", "a"],
  ["terminal", "list", "a"],
  ["home", "list"],
  ["reconcile", "--dry-run"],
  ["capture", "a"],
];

describe("a home that cannot be written to", () => {
  it("is read as it was, by every command that reads, and is not changed", () =>
    onStage(async (stage) => {
      const player = playerOf(stage);
      const call = async (words: ReadonlyArray<string>) => {
        const ended = await stage.start(["--json", ...words], player).ended;
        return { code: ended.code, told: toldBy(ended) };
      };
      expect((await call(["create", "a", "--", "sleep", "600"])).code).toBe(0);
      const files = readdirSync(stage.home);
      // With a log beside it, its owner could write to the database in any directory.
      expect(files.filter((name) => name.startsWith("registry"))).toEqual(["registry.db"]);
      const before = await call(["inspect", "a"]);
      chmodSync(stage.home, 0o500);
      for (const words of reads) {
        expect([words, (await call(words)).code]).toEqual([words, 0]);
      }
      const listed = await call(["list"]);
      const row = { session: "a", state: "running", seen: { state: "present" } };
      expect(listed.told.result.sessions).toMatchObject([row]);
      for (const words of [
        ["delete", "a"],
        ["create", "b"],
      ]) {
        const { code, told } = await call([...words]);
        expect([words, code, told.error.code]).toEqual([words, 8, "REGISTRY_UNAVAILABLE"]);
      }
      expect(readdirSync(stage.home)).toEqual(files);
      chmodSync(stage.home, 0o700);
      const after = await call(["inspect", "a"]);
      expect(after.told.result.updatedAt).toBe(before.told.result.updatedAt);
      expect((await call(["delete", "a"])).code).toBe(0);
    })());
});
