/**
 * The command as it is built: in one file, whose short way to the version says what the long one
 * does, and which a tree without the bundle does without.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { modulesLoad } from "../support/Place.js";
import { onStage, troupe } from "../support/Stage.js";

const cli = dirname(dirname(troupe));
const bundle = join(cli, "dist/bundle/troupe.cjs");

it("is bundled, with the code that this node made of it", () => {
  const script = `const { cache, codeOf } = require(${JSON.stringify(join(cli, "bin/bundle.js"))});
    process.stdout.write(String(codeOf().cachedDataRejected));`;
  expect([existsSync(bundle), existsSync(`${bundle}.cache`)]).toEqual([true, true]);
  expect(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" })).toBe("false");
});

it(
  "says its version in the same words on the short way",
  onStage(async (stage) => {
    const [short, long] = [await stage.run("--version"), await stage.run("version")];
    expect([short.code, short.stdout]).toEqual([0, long.stdout]);
    expect((await stage.json("--version")).told.result.version).toBe(
      short.stdout.trim().split(" ")[1],
    );
  }),
);

it.runIf(modulesLoad)(
  "runs without the bundle, and with one whose code another node made",
  onStage(async (stage) => {
    const copy = join(stage.directory, "a/b");
    cpSync(cli, copy, { recursive: true });
    symlinkSync(join(cli, "../../node_modules"), join(stage.directory, "node_modules"));
    const list = () =>
      execFileSync(join(copy, "bin/troupe.js"), ["list", "--json"], {
        encoding: "utf8",
        env: { PATH: process.env.PATH, TROUPE_HOME: stage.home },
      });
    const told = list();
    expect(JSON.parse(told).ok).toBe(true);
    cpSync(join(copy, "package.json"), join(copy, "dist/bundle/troupe.cjs.cache"));
    expect(list()).toBe(told);
    rmSync(join(copy, "dist/bundle"), { recursive: true });
    expect(list()).toBe(told);
  }),
);
