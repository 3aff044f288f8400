/**
 * What a terminal shows, whatever its program printed: a program may print what is hard to read,
 * and neither a deadline nor a signal nor a delete waits for that. What has ended is told as kept.
 */
import { describe, expect, it } from "vitest";
import { onStage, type Stage } from "../support/Stage.js";

const create = async (stage: Stage, script: string) => {
  expect((await stage.json("create", "a", "--", "sh", "-c", script)).code).toBe(0);
};

describe("a screen full of blanks", () => {
  it("holds up no deadline, no signal and no delete", () =>
    onStage(async (stage) => {
      await create(stage, "head -c 400000 /dev/zero | tr '\\0' ' '; echo x; exec sleep 600");
      // A line of so many blanks took a minute to be read.
      expect((await stage.json("wait", "a", "--text", "x", "--timeout", "20s")).code).toBe(0);
      const late = await stage.json("wait", "a", "--text", "nope", "--timeout", "1s");
      expect([late.code, late.ms < 15_000]).toEqual([11, true]);
      const tmux = stage.wrapper("tmux", 'echo asked > "$STAGE/asked"\nexec $REAL "$@"');
      const cut = stage.start(["wait", "a", "--text", "nope", "--json", "--tmux", tmux]);
      await stage.read("asked");
      cut.signal("SIGTERM");
      expect((await cut.ended).code).toBe(143);
      const all = await stage.json("capture", "a", "--all", "--join");
      expect(String(all.told.result.text)).toMatch(/^ {400000}x$/);
      const gone = await stage.json("delete", "a", "--grace", "0");
      expect([gone.code, gone.told.result.snapshot]).toEqual([0, "kept"]);
    })());
});

describe("the number of lines", () => {
  it("may be larger than any that tmux can read", () =>
    onStage(async (stage) => {
      await create(stage, "seq 100; exec sleep 600");
      expect((await stage.json("wait", "a", "--text", "100")).code).toBe(0);
      for (const lines of ["2147483648", "999999999999999"]) {
        const { told } = await stage.json("capture", "a", "--lines", lines);
        expect(told.result).toMatchObject({ truncated: false, first: 1 });
        expect(String(told.result.text).split("\n")).toHaveLength(100);
      }
      const some = await stage.json("capture", "a", "--lines", "3");
      expect(some.told.result).toMatchObject({ text: "98\n99\n100", truncated: true, first: 98 });
    })());
});

describe("a session that has ended", () => {
  it("shows what was kept of it, and says that it was kept", () =>
    onStage(async (stage) => {
      await create(stage, "echo hello; exec sleep 600");
      expect((await stage.json("wait", "a", "--text", "hello")).code).toBe(0);
      const now = await stage.json("capture", "a");
      expect(now.told.result).toMatchObject({ text: "hello", generation: 1, keptAt: null });
      await stage.json("delete", "a", "--grace", "0");
      const kept = await stage.json("capture", "a");
      const own = { session: "a", generation: 1, terminal: "main", text: "hello", first: 1 };
      expect(kept.told.result).toMatchObject({ ...own, keptAt: expect.stringMatching(/Z$/) });
      const human = await stage.run("capture", "a");
      expect([human.code, human.stdout]).toEqual([0, "hello\n"]);
      expect(human.stderr).toMatch(/main of a is gone: this was kept of it \d+s ago/);
      await stage.json("gc", "--older-than", "0");
      expect((await stage.json("capture", "a")).code).toBe(3);
    })());

  it("is told as that, never as a name that was mistyped", () =>
    onStage(async (stage) => {
      await create(stage, "exec sleep 600");
      stage.tmux("kill-server");
      const lost = await stage.json("capture", "a");
      expect(lost.told.error.details).toMatchObject({ state: "lost", near: [] });
      expect(lost.told.error.hint).toContain("troupe restore a");
      await stage.json("delete", "a", "--no-snapshot");
      const over = await stage.json("send", "a", "x");
      expect(over.told.error.details).toMatchObject({ state: "deleted", near: [] });
      expect(over.told.error.hint).toContain("troupe inspect a");
    })());
});
