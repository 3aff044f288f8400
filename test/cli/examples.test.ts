/**
 * The examples and the tour, run as a newcomer runs them.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { socketOf } from "@troupe/node";
import { describe, expect, it } from "vitest";
import { modulesLoad } from "../support/Place.js";
import { onStage } from "../support/Stage.js";

const top = fileURLToPath(new URL("../..", import.meta.url));

/** What the README says is printed: its blocks of text, in order. */
const promised = (): ReadonlyArray<string> =>
  [...readFileSync(join(top, "README.md"), "utf8").matchAll(/```text\n([\s\S]*?)```/g)].map(
    ([, text]) => text ?? "",
  );

const run = (name: string, ...words: ReadonlyArray<string>): string =>
  execFileSync(process.execPath, [join(top, "examples/dist", name), ...words], {
    encoding: "utf8",
  });

const throwaways = (): ReadonlyArray<string> =>
  readdirSync(tmpdir()).filter((name) => name.startsWith("troupe-demo-"));

describe.runIf(modulesLoad)("the examples", () => {
  it(
    "quickstart prints what the README says",
    onStage(async (stage) => {
      const home = join(stage.directory, "h");
      const printed = run("quickstart.js", home);
      execFileSync(stage.realTmux, ["-S", socketOf(home), "kill-server"]);
      expect(printed).toBe(promised()[0]);
    }),
  );

  it("explore-a-race prints what the README says", () => {
    expect(run("explore-a-race.js")).toContain(promised()[1]);
  });

  it("watch-events tells each change once, and goes on from a number", () => {
    const told = "1 build creating\n3 build running\n4 build deleting\n6 build deleted\n";
    expect(run("watch-events.js")).toBe(`${told}again, from 4:\n6 build deleted\n`);
  });

  it(
    "ask-tmux tells nobody from nothing, and neither from what it could not find out",
    onStage(async (stage) => {
      const own = join(stage.directory, "ask");
      mkdirSync(own, { mode: 0o700 });
      const told = "no server\na server with 0 sessions\nstopping\n";
      expect(run("ask-tmux.js", own, stage.realTmux)).toBe(told);
      expect(run("ask-tmux.js", own, "/no/such/tmux")).toBe(
        "could not find out: missing-program\n",
      );
    }),
  );

  it(
    "back-up copies a registry, and reads the copy as that of another home",
    onStage(async (stage) => {
      await stage.run("create", "build", "--", "sleep", "600");
      const copy = join(stage.directory, "copy");
      mkdirSync(copy, { mode: 0o700 });
      expect(run("back-up.js", stage.home, copy)).toBe("sound\n[ 'build: running' ]\n");
    }),
  );

  it("fake-tmux shows a failing program without a tmux", () => {
    expect(run("fake-tmux.js")).toBe('"builder" ended at once with code 2: no package.json\n');
  });
});

describe("the tour", () => {
  it(
    "holds all that it promises, in less than ten seconds, and leaves nothing",
    onStage(async (stage) => {
      const before = throwaways();
      const { code, ms, stdout } = await stage.run("demo");
      expect(code).toBe(0);
      expect(ms).toBeLessThan(10_000);
      expect(stdout.match(/✔/g)).toHaveLength(3);
      expect(throwaways().filter((name) => !before.includes(name))).toEqual([]);
    }),
  );

  it(
    "tells a program the same in one object",
    onStage(async (stage) => {
      const { told } = await stage.json("demo");
      expect(told.result).toMatchObject({
        facts: [{ holds: true }, { holds: true }, { holds: true }],
      });
    }),
  );

  it(
    "is walked on a fake tmux where that is asked for, without any tmux",
    onStage(async (stage) => {
      const { code, stdout } = await stage.run("demo", "--fake", "--tmux", "/no/such/tmux");
      expect(code).toBe(0);
      expect(stdout.match(/✔/g)).toHaveLength(2);
    }),
  );

  it(
    "says how to install tmux where there is none, exits with 1, and leaves nothing",
    onStage(async (stage) => {
      const { code, stderr } = await stage.start(["demo", "--tmux", "/no/such/tmux"], {
        env: { TMPDIR: stage.directory },
      }).ended;
      expect(code).toBe(1);
      expect(stderr).toContain("apt-get install tmux");
      const left = readdirSync(stage.directory).filter((name) => name.startsWith("troupe-demo-"));
      expect(left).toEqual([]);
    }),
  );
});
