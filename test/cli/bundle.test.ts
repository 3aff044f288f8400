/**
 * The command as it is built: in one file, whose short way to the version says what the long one
 * does, and which a tree without the bundle does without.
 */
import { execFileSync } from "node:child_process";
import { cpSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { modulesLoad } from "../support/Place.js";
import { onStage, troupe } from "../support/Stage.js";

const cli = dirname(dirname(troupe));

it("is bundled, with this node's code of it, for all and for each frequent command", () => {
  const script = `const { codeOf, frequent } = require(${JSON.stringify(join(cli, "bin/bundle.js"))});
    const files = [["troupe", "all"], ...frequent.map((word) => ["frequent", word])];
    const isRefused = ([name, word]) => [word, codeOf(name, word).cachedDataRejected];
    process.stdout.write(JSON.stringify(files.map(isRefused)));`;
  const told = execFileSync(process.execPath, ["-e", script], { encoding: "utf8" });
  const names = ["all", "create", "delete", "list"];
  expect(JSON.parse(told)).toEqual(names.map((name) => [name, false]));
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
    const cache = join(copy, "dist/bundle/frequent.cjs.list.cache");
    cpSync(join(copy, "package.json"), cache);
    expect(list()).toBe(told);
    rmSync(cache);
    expect(list()).toBe(told);
    rmSync(join(copy, "dist/bundle"), { recursive: true });
    expect(list()).toBe(told);
  }),
);
