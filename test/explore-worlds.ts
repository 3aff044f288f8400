/**
 * `npm run explore`: every named world, exhausted up to its cost and walked beyond where it says
 * so: a line of a table for each, and the counterexample of one that does not hold.
 *
 * Two processes share them. `--part 1/2` runs every second one here; `--only TEXT` those whose name
 * has the text; `--walks 5` walks five times as often. Ends badly when a world did not hold, was
 * not exhausted, or never came to a branch that it declares.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Explore, type Report } from "@troupe/testing";
import type { NamedWorld } from "./explore/NamedWorld.js";
import { namedWorlds } from "./explore/NamedWorlds.js";

const words = process.argv.slice(2).filter((word) => word !== "--");
const { values } = parseArgs({
  args: words,
  options: {
    part: { type: "string" },
    only: { type: "string", default: "" },
    walks: { type: "string", default: "1" },
  },
});

const PARTS = 2;

const timesAsOften = Number(values.walks);
if (!Number.isInteger(timesAsOften)) throw new Error("--walks is a whole number");

/** What a run leaves behind is short-lived: with more room for it a fifth of the time is saved. */
const ROOM = "--max-semi-space-size=64";

const head = ["schedules", "states", "branches", "seconds", "exhausted to", "world"];
const widths = [9, 6, 8, 7, 18];

const row = (cells: ReadonlyArray<string>): string =>
  cells.map((cell, at) => (at < widths.length ? cell.padStart(widths[at] ?? 0) : cell)).join("  ");

const extentOf = ({ budgets }: Report, cost: number, walks: number): string => {
  const whole = budgets.every(({ exhausted }) => exhausted) ? `cost ${cost}` : "NOT EXHAUSTED";
  return walks === 0 ? whole : `${whole}, ${walks} walks`;
};

/** Explores one world and prints its line; whether it held. */
const held = (named: NamedWorld): boolean => {
  const { cost, world } = named;
  const walks = (named.walks ?? 0) * timesAsOften;
  const report = Explore.explore(world, { cost, priorityWalks: walks, seed: 1 });
  const declared = world.sometimes ?? [];
  const numbers = [
    String(report.schedules),
    String(report.states ?? "-"),
    declared.length === 0
      ? "-"
      : `${declared.filter((branch) => report.reached.includes(branch)).length}/${declared.length}`,
    report.seconds.toFixed(1),
  ];
  const extent = extentOf(report, cost, walks);
  console.log(row([...numbers, extent, world.name]));
  if (report.failure !== null) console.log(Explore.printReport(report));
  return report.failure === null && !extent.startsWith("NOT");
};

const runPart = (part: string): void => {
  const [own = 1, parts = 1] = part.split("/").map(Number);
  const chosen = namedWorlds.filter(({ world }) => world.name.includes(values.only));
  const mine = chosen.filter((_, index) => index % parts === own - 1);
  const failed = mine.filter((named) => !held(named)).length;
  console.log(`${mine.length - failed} held, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
};

const summary = /^(\d+) held, (\d+) failed$/;

/** Runs a part in a process of its own, and passes its lines on; how many held and failed. */
const startPart = (part: number): Promise<readonly [number, number]> =>
  new Promise((resolve, reject) => {
    const main = fileURLToPath(import.meta.url);
    const args = [ROOM, "node_modules/.bin/vite-node", "--config", "vitest.config.ts", main, "--"];
    const child = spawn(process.execPath, [...args, ...words, "--part", `${part}/${PARTS}`], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let [text, counts] = ["", [0, 1] as readonly [number, number]];
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (text + chunk).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        const match = summary.exec(line);
        if (match === null) console.log(line);
        else counts = [Number(match[1]), Number(match[2])];
      }
    });
    child.on("error", reject);
    child.on("close", () => resolve(counts));
  });

if (values.part !== undefined) runPart(values.part);
else {
  const startedAt = performance.now();
  console.log(row(head));
  const parts = await Promise.all(Array.from({ length: PARTS }, (_, at) => startPart(at + 1)));
  const [all, failed] = [0, 1].map((at) => parts.reduce((sum, each) => sum + (each[at] ?? 0), 0));
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  console.log(`${all} held, ${failed} failed, in ${minutes} minutes`);
  process.exitCode = failed === 0 ? 0 : 1;
}
