/**
 * The long comparison of the fake tmux with a real one.
 *
 * `--seed S --commands N [--tmux PATH]`: prints for each command how often it succeeded and
 * failed, and a shrunk script for the first difference; the exit code is 1 when there is one.
 */
import { parseArgs } from "node:util";
import { compareSeed, showDifference, shrink } from "./contract/fake-tmux-compare.js";
import type { Tally } from "./contract/fake-tmux-pair.js";
import { RealTmux } from "./contract/fake-tmux-real.js";

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
const total = new Map<string, { succeeded: number; failed: number }>();

const add = (tally: Tally): void => {
  for (const [name, { failed, succeeded }] of tally) {
    const entry = total.get(name) ?? { succeeded: 0, failed: 0 };
    total.set(name, {
      succeeded: entry.succeeded + succeeded,
      failed: entry.failed + failed,
    });
  }
};

try {
  const difference = compareSeed(real, Number(values.seed), Number(values.commands), {}, add);
  for (const [name, { failed, succeeded }] of [...total].sort()) {
    const counts = `${String(succeeded).padStart(6)} ok ${String(failed).padStart(6)} failed`;
    console.log(`${name.padEnd(20)} ${counts}`);
  }
  if (difference === null) console.log(`seed ${values.seed}: no difference`);
  else {
    console.log(`seed ${values.seed}: a difference`);
    console.log(showDifference(shrink(real, difference, {})));
    process.exitCode = 1;
  }
} finally {
  real.end();
}
