/**
 * `npm run explore`: every named world, exhausted up to its cost, one line for each.
 *
 * First those in which one guard stands in the middle; then the pairs of calls on one name, which
 * are too large for `npm test`: in two programs with time among the choices, and with callers that
 * may be interrupted anywhere, up to a total cost of 2. Ends with how many held, and badly when one
 * did not.
 */
import { parseArgs } from "node:util";
import { Explore } from "@troupe/testing";
import { namedWorlds } from "./explore/NamedWorlds.js";

/** `--part 1/2`: every second world, so that two cores can share them. */
const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== "--"),
  options: { part: { type: "string", default: "1/1" } },
});
const [part = 1, parts = 1] = values.part.split("/").map(Number);

let held = 0;
let failed = 0;

for (const [index, { cost, world }] of namedWorlds.entries()) {
  if (index % parts !== part - 1) continue;
  const report = Explore.explore(world, { cost });
  console.log(Explore.printReport(report));
  const exhausted = report.budgets.every((budget) => budget.exhausted);
  if (report.failure === null && exhausted) held += 1;
  else failed += 1;
}

console.log(`${held} held, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
