/**
 * The comparison of the fake tmux with the real one: a script is given to both, and every answer
 * has to be the same.
 *
 * A script that differs is shrunk to one from which no step can be left out, and shown as a shell
 * would run it.
 */
import type { FakeTmuxOptions } from "@troupe/testing";
import { type Mismatch, Pair, startFake } from "./fake-tmux-pair.js";
import type { RealTmux } from "./fake-tmux-real.js";
import { attachedSession, calm, listStep, makeScript, type Step } from "./fake-tmux-script.js";
import { addTallies, lateCommands, type Tally } from "./fake-tmux-tally.js";

/** A script whose last step is answered differently. */
export interface Difference extends Mismatch {
  readonly steps: ReadonlyArray<Step>;
}

/** Runs one script on both, from nothing. */
export const compareScript = (
  real: RealTmux,
  steps: ReadonlyArray<Step>,
  options: FakeTmuxOptions,
  onEnd: (tally: Tally) => void = () => {},
): Difference | null => {
  real.stop();
  const fake = real.beside(startFake(real, options));
  const pair = new Pair(fake, real);
  try {
    for (const [at, step] of steps.entries()) {
      if (!real.takes(step.argv, step.stdin)) continue;
      const mismatch = pair.step(step);
      if (mismatch !== null) return { ...mismatch, steps: steps.slice(0, at + 1) };
    }
    return null;
  } finally {
    onEnd(pair.tally);
    fake.end();
  }
};

const shrinkBudget = 120;

/** Leaves out every step that the difference does not need, within a budget of tries. */
export const shrink = (
  real: RealTmux,
  difference: Difference,
  options: FakeTmuxOptions,
): Difference => {
  let best = difference;
  let budget = shrinkBudget;
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < best.steps.length && budget > 0; ) {
      budget--;
      const steps = [...best.steps.slice(0, at), ...best.steps.slice(at + size)];
      const smaller = steps.length === 0 ? null : compareScript(real, steps, options);
      if (smaller === null) at += size;
      else best = smaller;
    }
  }
  return best;
};

const shellWord = (word: string): string =>
  /^[A-Za-z0-9_@%=:,./+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

const shellLine = (step: Step): string => {
  const { argv, stdin } = step;
  const command = `tmux ${argv.map(shellWord).join(" ")}`;
  if (attachedSession(step) !== null) return `sleep 9 | ${command} &`;
  return stdin === null ? command : `printf %s ${shellWord(stdin)} | ${command}`;
};

/** A difference as a script that shows it. */
export const showDifference = ({ fake, real, steps }: Difference): string =>
  [
    `# before its first window, every server: ${shellLine(listStep(...calm))}`,
    ...steps.map(shellLine),
    `fake: ${JSON.stringify(fake)}`,
    `real: ${JSON.stringify(real)}`,
  ].join("\n");

const scriptLength = 60;

/**
 * Runs scripts until so many steps are done, or until the first difference. What was too rare in
 * the scripts before is more frequent in the next.
 */
export const compareSeed = (
  real: RealTmux,
  seed: number,
  commands: number,
  options: FakeTmuxOptions = {},
  onEnd?: (tally: Tally) => void,
): Difference | null => {
  let total: Tally = new Map();
  const count = (tally: Tally) => {
    total = addTallies(total, tally);
    onEnd?.(tally);
  };
  for (let done = 0, script = 0; done < commands; script++) {
    const length = Math.min(scriptLength, commands - done);
    const steps = makeScript(seed * 100_003 + script, length, lateCommands(total, done));
    done += steps.length;
    const difference = compareScript(real, steps, options, count);
    if (difference !== null) return difference;
  }
  return null;
};
