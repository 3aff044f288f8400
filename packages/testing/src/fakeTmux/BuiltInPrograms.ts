/**
 * BuiltInPrograms: the programs that every fake machine has.
 *
 * They behave as their namesakes do in a pane: `cat` repeats lines, `sleep` ends after its time,
 * `sh` runs a script or talks to the one who types.
 */
import { outsideTheModel } from "./OutsideTheModel.js";
import type { Program, ProgramRun } from "./Program.js";
import { shellScript, typedLine } from "./ShellScript.js";

const endOfInput = "\u0004";

const cat: Program = (run) => {
  if (run.argv.slice(1).some((word) => word !== "-")) outsideTheModel(run.argv.join(" "));
  run.onInput((text) => (text === endOfInput ? run.exit(0) : run.write(text)));
};

const units: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

const sleep: Program = (run) => {
  const parts = run.argv.slice(1).map((text) => /^([0-9]+\.?[0-9]*|\.[0-9]+)([smhd]?)$/.exec(text));
  if (parts.length === 0 || parts.includes(null)) outsideTheModel(`sleep ${run.argv.slice(1)}`);
  const seconds = parts.map((part) => Number(part?.[1]) * (units[part?.[2] ?? ""] ?? 1));
  run.after(1000 * seconds.reduce((sum, each) => sum + each, 0), () => run.exit(0));
};

const echo: Program = (run) => {
  const words = run.argv.slice(1);
  if (words[0]?.startsWith("-")) outsideTheModel(run.argv.join(" "));
  run.write(`${words.join(" ")}\n`);
  run.exit(0);
};

// Lines a second at most, so that a flood stays finite on a clock that jumps.
const yes: Program = (run) => {
  if (run.argv[1]?.startsWith("-")) outsideTheModel(run.argv.join(" "));
  const line = `${run.argv.length === 1 ? "y" : run.argv.slice(1).join(" ")}\n`;
  const flood = (): void => {
    run.write(line.repeat(200));
    run.after(100, flood);
  };
  flood();
};

const interactive = (run: ProgramRun): void => {
  const { prompt } = run;
  let lines = 0;
  let status = 0;
  const ask = (): void => {
    run.onInput(read);
    run.write(prompt);
  };
  const read = (text: string): void => {
    lines++;
    if (text === endOfInput) run.exit(status);
    else {
      typedLine(run, text, lines, status, (ended) => {
        status = ended;
        ask();
      });
    }
  };
  run.toForeground();
  run.onSignal("INT", () => {
    status = 130;
    run.write(`\n${prompt}`);
  });
  run.onSignal("TERM", "ignore");
  ask();
};

const sh: Program = (run) => {
  const [, option, script, ...rest] = run.argv;
  if (option === undefined) return interactive(run);
  if (option !== "-c" || script === undefined) outsideTheModel(`sh ${run.argv.slice(1)}`);
  else shellScript(script, rest.length === 0 ? [run.argv[0] ?? "sh"] : rest)(run);
};

/** By name. */
export const builtInPrograms: ReadonlyMap<string, Program> = new Map([
  ["cat", cat],
  ["sleep", sleep],
  ["echo", echo],
  ["yes", yes],
  ["true", (run) => run.exit(0)],
  ["false", (run) => run.exit(1)],
  ["sh", sh],
  ["bash", sh],
]);
