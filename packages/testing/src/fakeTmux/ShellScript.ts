/**
 * ShellScript: the little of /bin/sh that sessions are started with.
 *
 * `exec`, `exit`, `echo`, `trap ''`, `true`, `false`, `:`, `unset`, `cd` as far as it fails, and
 * programs that are installed. A word that is none of them, and no program of which a test said
 * that it is missing, is outside of the model.
 */
import { outsideTheModel } from "./OutsideTheModel.js";
import { type ProcessEnd, type SignalName, signalNumber } from "./ProcessTree.js";
import type { Program, ProgramRun } from "./Program.js";
import { type ShellStep, shellSteps, type Words } from "./ShellSteps.js";

type Continue = (status: number) => void;

/** The shell that runs a script. */
interface Shell {
  readonly run: ProgramRun;
  /** What it calls itself when it complains. */
  readonly name: string;
  /** Someone types its lines: each program is a job, in the foreground while it runs. */
  readonly hasJobs: boolean;
  /** The script has ended. */
  readonly done: Continue;
}

const echo = (run: ProgramRun, words: Words, then: Continue): void => {
  // Options and escapes are not the same in any two shells.
  if (words[0]?.startsWith("-") || words.some((word) => word.includes("\\")))
    outsideTheModel(`echo ${words.join(" ")}`);
  run.write(`${words.join(" ")}\n`);
  then(0);
};

const trap = (run: ProgramRun, [action, ...signals]: Words, then: Continue): void => {
  if (action !== "") outsideTheModel(`the trap ${action}`);
  for (const signal of signals) run.onSignal(signal as SignalName, "ignore");
  then(0);
};

// The words are those of dash.
const complain = ({ name, run }: Shell, { line }: ShellStep, text: string): void => {
  if (/(^|[/-])bash$/.test(name)) outsideTheModel(`how bash complains: ${text}`);
  run.write(`${name}: ${line}: ${text}\n`);
};

const largestCode = 2_147_483_647;

const exit = (shell: Shell, step: ShellStep, status: number, then: Continue): void => {
  const { run, hasJobs } = shell;
  const text = step.words[1] ?? String(status);
  if (/^[\s+]/.test(text)) outsideTheModel(`exit ${JSON.stringify(text)}`);
  if (/^[0-9]+$/.test(text) && Number(text) <= largestCode) run.exit(Number(text));
  else {
    complain(shell, step, `exit: Illegal number: ${text}`);
    if (hasJobs) then(2);
    else run.exit(2);
  }
};

/** Where the shell is then is nobody's to see: only that it may not get there. */
const enter = (shell: Shell, step: ShellStep, then: Continue): void => {
  const directory = step.words[1] ?? "";
  const entered = shell.run.canEnter(directory);
  if (!entered) complain(shell, step, `cd: can't cd to ${directory}`);
  then(entered ? 0 : 2);
};

const replace = (shell: Shell, step: ShellStep, then: Continue): void => {
  const { run } = shell;
  const words = step.words.slice(1);
  if (run.become(words)) return;
  complain(shell, step, `exec: ${words[0] ?? ""}: not found`);
  if (shell.hasJobs) then(127);
  else run.exit(127);
};

const start = (shell: Shell, step: ShellStep, then: Continue): void => {
  const { run, hasJobs } = shell;
  const child = run.spawn(
    (started) => {
      if (hasJobs) started.toForeground();
      if (started.become(step.words)) return;
      complain(shell, step, `${step.words[0] ?? ""}: not found`);
      started.exit(127);
    },
    { detached: false },
  );
  const told = (end: ProcessEnd) => {
    if (hasJobs) run.toForeground();
    const interrupted = end._tag === "Signalled" && end.signal === "INT";
    if (hasJobs && interrupted) run.write("\n");
    run.step(() => then(end._tag === "Exited" ? end.code : 128 + signalNumber(end.signal)));
  };
  const { end } = child.process;
  if (end !== null) told(end);
  else child.process.ended.push(told);
};

const runStep = (shell: Shell, step: ShellStep, status: number, then: Continue): void => {
  const { run } = shell;
  const [name = "", ...rest] = step.words;
  if (/^[A-Za-z_][A-Za-z0-9_]*=/.test(name)) outsideTheModel(`the shell assignment ${name}`);
  if (name === "exit") exit(shell, step, status, then);
  else if (name === "true" || name === ":" || name === "unset") then(0);
  else if (name === "cd") enter(shell, step, then);
  else if (name === "false") then(1);
  else if (name === "echo") echo(run, rest, then);
  else if (name === "trap") trap(run, rest, then);
  else if (name === "exec") replace(shell, step, then);
  else start(shell, step, then);
};

const runFrom = (
  shell: Shell,
  steps: ReadonlyArray<ShellStep>,
  at: number,
  status: number,
): void => {
  if (!shell.run.alive) return;
  const step = steps[at];
  const skipped = step?.needsSuccess === true && status !== 0;
  if (step === undefined) shell.done(status);
  else if (skipped) runFrom(shell, steps, at + 1, status);
  else runStep(shell, step, status, (next) => runFrom(shell, steps, at + 1, next));
};

/** Runs a script with these positional parameters, the name of the script first. */
export const shellScript =
  (script: string, parameters: Words): Program =>
  (run) => {
    const steps = shellSteps(script, { argv: parameters, env: run.env }, 1);
    const done = (status: number) => run.exit(status);
    runFrom({ run, name: parameters[0] ?? "sh", hasJobs: false, done }, steps, 0, 0);
  };

/** Runs a line that was typed, the so-manieth; `status` is of the one before. */
export const typedLine = (
  run: ProgramRun,
  text: string,
  line: number,
  status: number,
  done: Continue,
): void => {
  const name = run.argv[0] ?? "sh";
  const steps = shellSteps(text, { argv: [name], env: run.env }, line);
  runFrom({ run, name, hasJobs: true, done }, steps, 0, status);
};
