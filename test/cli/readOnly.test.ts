/**
 * A home that cannot be written to, or whose disk is full: every read is served as before, and
 * every change is refused.
 *
 * Root may write everywhere, so as root the whole stage is played by a plain user.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { socketFits } from "../support/Place.js";
import { type CallOptions, onStage, type Stage, toldBy, troupe } from "../support/Stage.js";

const NOBODY = 65_534;

/** Who plays, and the stage made his. */
const playerOf = (stage: Stage): CallOptions => {
  if (process.getuid?.() !== 0) return {};
  chownSync(stage.directory, NOBODY, NOBODY);
  return { uid: NOBODY };
};

/** Another user cannot reach a socket that is elsewhere, in a directory of root's. */
const isReached = socketFits || process.getuid?.() !== 0;

const reads = [
  ["list", "--all"],
  ["inspect", "a"],
  ["terminal", "list", "a"],
  ["home", "list"],
  ["reconcile", "--dry-run"],
  ["gc", "--dry-run"],
  ["server", "status"],
  ["capture", "a"],
];

describe("a home that cannot be written to", () => {
  it.runIf(isReached)("is read as it was, by every command that reads, and is not changed", () =>
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
    })(),
  );
});

describe("a home on a disk that is full", () => {
  it("is read as it was, by every command that reads, and nothing half-made is left", () =>
    onStage(async (stage) => {
      await stage.json("create", "a", "--", "sleep", "600");
      const places = { TROUPE_HOME: stage.home, TROUPE_SOCKET: stage.socket };
      const env = { PATH: process.env.PATH, HOME: stage.directory, ...places };
      // No file may grow beyond 8 KiB, which to SQLite is what a full disk is.
      const call = (words: ReadonlyArray<string>) =>
        spawnSync("sh", ["-c", 'ulimit -f 16; exec "$@"', "sh", troupe, "--json", ...words], {
          env,
          encoding: "utf8",
        });
      for (const words of reads) expect([words, call(words).status]).toEqual([words, 0]);
      expect(JSON.parse(call(["list"]).stdout).result.sessions).toMatchObject([
        { session: "a", state: "running", seen: { state: "present" } },
      ]);
      const refused = call(["delete", "a"]);
      expect([refused.status, JSON.parse(refused.stdout).error.code]).toEqual([
        8,
        "REGISTRY_UNAVAILABLE",
      ]);
      expect(stage.sessionsInTmux).toEqual(["a"]);
      expect((await stage.json("delete", "a")).code).toBe(0);
    })());
});
