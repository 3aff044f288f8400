/**
 * The long comparison of the fake tmux with a real one.
 *
 * `--seed S --commands N [--tmux PATH]`: prints for each command how often it succeeded and
 * failed, and a shrunk script for the first difference; the exit code is 1 when there is one, or
 * when a long run met a command too rarely.
 */
import { parseArgs } from "node:util";
import { compareSeed, showDifference, shrink } from "./contract/fake-tmux-compare.js";
import { RealTmux } from "./contract/fake-tmux-real.js";
import {
  addTallies,
  belowFloor,
  floorFrom,
  showTally,
  type Tally,
} from "./contract/fake-tmux-tally.js";

const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== "--"),
  options: {
    seed: { type: "string", default: "1" },
    commands: { type: "string", default: "20000" },
    tmux: { type: "string", default: "/usr/bin/tmux" },
  },
});

const program = RealTmux.find(values.tmux);
if (program === null) throw new Error(`there is no tmux at ${values.tmux}`);
const real = new RealTmux(program);
const commands = Number(values.commands);
let total: Tally = new Map();

try {
  const difference = compareSeed(real, Number(values.seed), commands, {}, (tally) => {
    total = addTallies(total, tally);
  });
  for (const line of showTally(total)) console.log(line);
  const rare = belowFloor(total);
  for (const line of rare) console.log(`below its floor: ${line}`);
  if (rare.length > 0 && commands >= floorFrom && difference === null) process.exitCode = 1;
  if (difference === null) console.log(`seed ${values.seed}: no difference`);
  else {
    console.log(`seed ${values.seed}: a difference`);
    console.log(showDifference(shrink(real, difference, {})));
    process.exitCode = 1;
  }
} finally {
  real.end();
}
