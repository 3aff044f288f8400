/**
 * `npm run explore`: the worlds that are too large for `npm test`, exhausted, one line for each.
 *
 * The pairs of calls on one name, each with callers that may be interrupted anywhere, in one
 * program and in two, up to a total cost of 2. Ends with how many held, and badly when one did not.
 */
import { Explore } from "@troupe/testing";
import { create, interrupted, reconcile, remove } from "./explore/SessionCalls.js";
import { type Call, sessionWorld } from "./explore/SessionWorld.js";
import { terminalPairs } from "./explore/TerminalPairs.js";

type Pair = readonly [string, ReadonlyArray<Call>, Call, Call];

const sessionPairs: ReadonlyArray<Pair> = [
  ["create ∥ create", [], create, create],
  ["create ∥ delete", [], create, remove],
  ["delete ∥ create", [create], remove, create],
  ["delete ∥ delete", [create], remove, remove],
  ["delete ∥ reconcile", [create], remove, reconcile],
];

let held = 0;
let failed = 0;

for (const [pair, before, a, b] of [...sessionPairs, ...terminalPairs]) {
  for (const calls of [[[a, b]], [[a], [b]]]) {
    const name = `${pair}, interrupted, in ${calls.length === 1 ? "one program" : "two"}`;
    const programs = calls.map((program) => program.map(interrupted));
    const report = Explore.explore(sessionWorld({ name, before, programs }), { cost: 2 });
    console.log(Explore.printReport(report));
    const exhausted = report.budgets.every((budget) => budget.exhausted);
    if (report.failure === null && exhausted) held += 1;
    else failed += 1;
  }
}

console.log(`${held} held, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
