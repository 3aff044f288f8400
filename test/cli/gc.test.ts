/**
 * gc: what it says of each thing is what is there then; a dry run writes nothing at all.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { onStage, type Stage, type Told } from "../support/Stage.js";
import { waitFor } from "../support/Waiting.js";

/** Every file of the home with what is in it. */
const bytesOf = (home: string): ReadonlyArray<string> =>
  readdirSync(home, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(home, name)).isFile())
    .map((name) => [
      name,
      createHash("sha1")
        .update(readFileSync(join(home, name)))
        .digest("hex"),
    ])
    .map((words) => words.join(" "))
    .sort();

const namesIn = (stage: Stage, directory: string): ReadonlyArray<string> => {
  const path = join(stage.home, directory);
  return existsSync(path) ? readdirSync(path) : [];
};

interface Item {
  readonly what: string;
  readonly session: string | null;
  readonly why: string;
}

const items = (told: Told, field: string) => told.result[field] as ReadonlyArray<Item>;
const whats = (told: Told, field: string) => items(told, field).map(({ what }) => what);

describe("gc", () => {
  it("on a home that is not there has nothing to do, and makes none", () =>
    onStage(async (stage) => {
      for (const more of [[], ["--dry-run"]]) {
        const { code, told } = await stage.json("gc", "--older-than", "0", ...more);
        expect([code, told.result.server, whats(told, "kept")]).toEqual([0, "none", []]);
      }
      expect(existsSync(stage.home)).toBe(false);
    })());

  it("forgets what ended, tells why the rest stays, and does in a dry run what it would", () =>
    onStage(async (stage) => {
      await stage.run("create", "runs", "--", "sleep", "600");
      await stage.run("create", "gone", "--", "sleep", "600");
      await stage.run("create", "exits", "--", "true");
      await stage.run("delete", "gone");
      mkdirSync(join(stage.home, "new-halfmade"));
      writeFileSync(join(stage.home, "new-halfmade", "registry.db"), "");

      const usual = await stage.json("gc");
      expect(whats(usual.told, "forgotten")).toEqual(["directory new-halfmade"]);
      expect(items(usual.told, "kept").map(({ session, why }) => [session, why])).toEqual([
        ["exits", expect.stringMatching(/^its programs ended .* ago; it is kept until/)],
        ["gone", expect.stringMatching(/^deleted .* ago, and kept for 7 d$/)],
        ["runs", "it is running"],
        [null, "it has a session"],
      ]);

      const before = bytesOf(stage.home);
      const dry = await stage.json("gc", "--older-than", "0", "--exited", "0", "--dry-run");
      expect(bytesOf(stage.home)).toEqual(before);
      expect(stage.sessionsInTmux).toEqual(["exits", "runs"]);
      const { code, told } = await stage.json("gc", "--older-than", "0", "--exited", "0");
      expect([dry.code, code]).toEqual([0, 0]);
      expect(whats(told, "deleted")).toEqual(["session exits, generation 1"]);
      const names = ["session exits", "session gone"].map((name) => `${name}, generation 1`);
      expect(whats(told, "forgotten")).toEqual([...names, "claim of exits", "claim of gone"]);
      for (const field of ["deleted", "forgotten"]) {
        expect([...whats(dry.told, field)].sort()).toEqual([...whats(told, field)].sort());
      }

      const listed = await stage.json("list", "--all");
      expect(listed.told.result.sessions).toMatchObject([{ session: "runs", state: "running" }]);
      expect((await stage.run("inspect", "gone")).code).toBe(3);
      expect([namesIn(stage, "snapshots"), namesIn(stage, "output").length]).toEqual([[], 1]);

      await stage.run("delete", "runs");
      const text = await stage.run("gc", "--older-than", "0");
      expect(text.stdout).toMatch(/^forgotten +session runs, generation 1 +deleted .* ago$/m);
      expect(text.stdout).toMatch(/^stopped +tmux server +it has no session$/m);
      expect(stage.tmux("list-sessions").code).toBe(1);
      expect((await stage.json("create", "gone", "--", "true")).told.result.generation).toBe(1);
    })());

  it("touches nothing where tmux cannot be asked, and understands ages alone", () =>
    onStage(async (stage) => {
      await stage.run("create", "gone", "--", "sleep", "600");
      await stage.run("delete", "gone");
      // Its recorder ends behind the session, and takes what it had open along.
      const before = await waitFor("the end of the recorder", () => {
        const files = bytesOf(stage.home);
        return files.some((line) => line.includes("/open ")) ? null : files;
      });
      const { code, told } = await stage.json("--tmux", "/no/such/tmux", "gc", "--older-than", "0");
      expect([code, told.error.code]).toEqual([5, "LOOKUP_FAILED"]);
      expect(bytesOf(stage.home)).toEqual(before);
      const odd = await stage.json("gc", "--older-than", "week");
      expect([odd.code, odd.told.error.code]).toEqual([2, "USAGE"]);
    })());
});
