/**
 * `npm run explore`: the worlds that are too large for `npm test`, exhausted, one line for each.
 *
 * The pairs of calls on one name: in two programs with time among the choices, and with callers
 * that may be interrupted anywhere, in one program and in two, up to a total cost of 2. Ends with
 * how many held, and badly when one did not.
 */
import { parseArgs } from "node:util";
import { Explore } from "@troupe/testing";
import { contestedPairs } from "./explore/ContestedPairs.js";
import { interrupted } from "./explore/SessionCalls.js";
import { sessionWorld } from "./explore/SessionWorld.js";
import { terminalPairs } from "./explore/TerminalPairs.js";

/** `--part 1/2`: every second world, so that two cores can share them. */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== "--"),
  options: { part: { type: "string", default: "1/1" } },
});
const [part = 1, parts = 1] = values.part.split("/").map(Number);

const worlds = [...contestedPairs, ...terminalPairs].flatMap(([pair, before, a, b]) => [
  { name: `${pair}, in two programs`, before, programs: [[a], [b]], time: true },
  ...[[[a, b]], [[a], [b]]].map((calls) => ({
    name: `${pair}, interrupted, in ${calls.length === 1 ? "one program" : "two programs"}`,
    before,
    programs: calls.map((program) => program.map(interrupted)),
  })),
]);

let held = 0;
let failed = 0;

for (const [index, world] of worlds.entries()) {
  if (index % parts !== part - 1) continue;
  const report = Explore.explore(sessionWorld(world), { cost: 2 });
  console.log(Explore.printReport(report));
  const exhausted = report.budgets.every((budget) => budget.exhausted);
  if (report.failure === null && exhausted) held += 1;
  else failed += 1;
}

console.log(`${held} held, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
