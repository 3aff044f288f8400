/**
 * ShellScript: the little of /bin/sh that sessions are started with.
 *
 * Simple commands with quotes, joined by `;`, `&&` or newlines: `exec`, `exit`, `echo`, `trap ''`,
 * `true`, `false`, `:`, `unset`, `cd` as far as it fails, and programs that are installed. `"$0"`,
 * `"$1"` and `"$@"` are the arguments, `$NAME` is a variable of the environment. Everything else of
 * the language is outside of the model.
 */
import { outsideTheModel } from "./OutsideTheModel.js";
import { type ProcessEnd, type SignalName, signalNumber } from "./ProcessTree.js";
import type { Program, ProgramRun } from "./Program.js";

type Words = ReadonlyArray<string>;

interface Step {
  readonly words: Words;
  /** Runs only when the step before succeeded. */
  readonly needsSuccess: boolean;
  readonly line: number;
}

/** What words of a script stand for. */
interface Surroundings {
  readonly argv: Words;
  readonly env: ReadonlyMap<string, string>;
}

const substitute = (word: string, quoted: boolean, { argv, env }: Surroundings): string =>
  word.replace(/\$([0-9]|[A-Za-z_][A-Za-z0-9_]*)?/g, (_, name: string | undefined) => {
    if (name === undefined) return outsideTheModel(`the shell word ${word}`);
    const value = (/[0-9]/.test(name.charAt(0)) ? argv[Number(name)] : env.get(name)) ?? "";
    const splits = !quoted && /[\s*?[\\]/.test(value);
    return splits ? outsideTheModel(`the unquoted shell word ${word}`) : value;
  });

const expand = (word: string, around: Surroundings): string => {
  if (word.startsWith("'")) return word.slice(1, -1);
  const quoted = word.startsWith('"');
  const inner = quoted ? word.slice(1, -1) : word;
  if (/[`\\]/.test(inner)) outsideTheModel(`the shell word ${word}`);
  return substitute(inner, quoted, around);
};

// A variable that is forgotten on the way would have to be looked up on the way.
const mayForget = /\bunset\b[\s\S]*\$[A-Za-z_]/;

// Tells whether what follows without a blank belongs to the same word.
const addWord = (
  words: Array<string>,
  part: string,
  joined: boolean,
  around: Surroundings,
): boolean => {
  if (part === '"$@"') {
    if (joined) outsideTheModel(`arguments within a shell word`);
    words.push(...around.argv.slice(1));
    return true;
  }
  const word = expand(part, around);
  if (joined) words.push(`${words.pop() ?? ""}${word}`);
  else if (word === "" && !/^['"]/.test(part)) return false;
  else words.push(word);
  return true;
};

const stepsOf = (script: string, around: Surroundings, firstLine: number): ReadonlyArray<Step> => {
  const token = /([ \t]*)(;|\n|&&|'[^']*'|"[^"]*"|[^\s;&|<>()'"`\\*?[\]{}#~]+)/y;
  const steps: Array<Step> = [];
  let words: Array<string> = [];
  let needsSuccess = false;
  let inWord = false;
  const text = script.trim();
  let line = firstLine + (/^\s*/.exec(script)?.[0].split("\n").length ?? 1) - 1;
  if (mayForget.test(text)) outsideTheModel(`the shell script ${script}`);
  while (token.lastIndex < text.length) {
    const [, space = "", part] = token.exec(text) ?? outsideTheModel(`the shell script ${script}`);
    if (part === undefined) break;
    if (part !== ";" && part !== "&&" && part !== "\n") {
      inWord = addWord(words, part, inWord && space === "", around);
      continue;
    }
    inWord = false;
    if (words.length > 0) steps.push({ words, needsSuccess, line });
    if (part === "\n") line++;
    needsSuccess = part === "&&";
    words = [];
  }
  return words.length === 0 ? steps : [...steps, { words, needsSuccess, line }];
};

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
  run.write(`${words.join(" ")}\n`);
  then(0);
};

const trap = (run: ProgramRun, [action, ...signals]: Words, then: Continue): void => {
  if (action !== "") outsideTheModel(`the trap ${action}`);
  for (const signal of signals) run.onSignal(signal as SignalName, "ignore");
  then(0);
};

const complain = ({ name, run }: Shell, { line }: Step, text: string): void =>
  run.write(`${name}: ${line}: ${text}\n`);

/** Where the shell is then is nobody's to see: only that it may not get there. */
const enter = (shell: Shell, step: Step, then: Continue): void => {
  const directory = step.words[1] ?? "";
  const entered = shell.run.canEnter(directory);
  if (!entered) complain(shell, step, `cd: can't cd to ${directory}`);
  then(entered ? 0 : 2);
};

const replace = (shell: Shell, step: Step, then: Continue): void => {
  const { run } = shell;
  const words = step.words.slice(1);
  if (run.become(words)) return;
  complain(shell, step, `exec: ${words[0] ?? ""}: not found`);
  if (shell.hasJobs) then(127);
  else run.exit(127);
};

const start = (shell: Shell, step: Step, then: Continue): void => {
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
    then(end._tag === "Exited" ? end.code : 128 + signalNumber(end.signal));
  };
  const { end } = child.process;
  if (end !== null) told(end);
  else child.process.ended.push(told);
};

const runStep = (shell: Shell, step: Step, status: number, then: Continue): void => {
  const { run } = shell;
  const [name = "", ...rest] = step.words;
  if (name === "exit") run.exit(rest[0] === undefined ? status : Number(rest[0]));
  else if (name === "true" || name === ":" || name === "unset") then(0);
  else if (name === "cd") enter(shell, step, then);
  else if (name === "false") then(1);
  else if (name === "echo") echo(run, rest, then);
  else if (name === "trap") trap(run, rest, then);
  else if (name === "exec") replace(shell, step, then);
  else start(shell, step, then);
};

const runFrom = (shell: Shell, steps: ReadonlyArray<Step>, at: number, status: number): void => {
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
    const steps = stepsOf(script, { argv: parameters, env: run.env }, 1);
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
  const steps = stepsOf(text, { argv: [name], env: run.env }, line);
  runFrom({ run, name, hasJobs: true, done }, steps, 0, status);
};
