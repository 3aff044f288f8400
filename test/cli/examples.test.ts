/**
 * The examples and the tour, run as a newcomer runs them.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { onStage } from "../support/Stage.js";

const top = fileURLToPath(new URL("../..", import.meta.url));

/** What the README says is printed, behind the first example. */
const promised = (): string =>
  /```text\n([\s\S]*?)```/.exec(readFileSync(join(top, "README.md"), "utf8"))?.[1] ?? "";

const throwaways = (): ReadonlyArray<string> =>
  readdirSync(tmpdir()).filter((name) => name.startsWith("troupe-demo-"));

describe("the quickstart", () => {
  it(
    "prints what the README says",
    onStage(async (stage) => {
      const home = join(stage.directory, "h");
      const file = join(top, "examples/dist/quickstart.js");
      const printed = execFileSync(process.execPath, [file, home], { encoding: "utf8" });
      execFileSync(stage.realTmux, ["-S", join(home, "tmux.sock"), "kill-server"]);
      expect(printed).toBe(promised());
    }),
  );
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
    "says how to install tmux where there is none, and exits with 1",
    onStage(async (stage) => {
      const { code, stderr } = await stage.run("demo", "--tmux", "/no/such/tmux");
      expect(code).toBe(1);
      expect(stderr).toContain("apt-get install tmux");
    }),
  );
});
