/**
 * ShellScript: the little of /bin/sh that sessions are started with.
 *
 * Simple commands with quotes, joined by `;`, `&&` or newlines: `exec`, `exit`, `echo`, `trap ''`,
 * `true`, `false`, `:`, and programs that are installed. `"$0"`, `"$1"` and `"$@"` are the
 * arguments. Everything else of the language is outside of the model.
 */
import { outsideTheModel } from "./OutsideTheModel.js";
import type { SignalName } from "./ProcessTree.js";
import type { Program, ProgramRun } from "./Program.js";

type Words = ReadonlyArray<string>;

interface Step {
  readonly words: Words;
  /** Runs only when the step before succeeded. */
  readonly needsSuccess: boolean;
}

const expand = (word: string, argv: Words): ReadonlyArray<string> => {
  if (word === '"$@"') return argv.slice(1);
  if (word.startsWith("'")) return [word.slice(1, -1)];
  const inner = word.startsWith('"') ? word.slice(1, -1) : word;
  const text = inner.replace(/\$([0-9])/g, (_, digit) => argv[Number(digit)] ?? "");
  return /[$`]/.test(text) && text === inner ? outsideTheModel(`the shell word ${word}`) : [text];
};

const stepsOf = (script: string, argv: Words): ReadonlyArray<Step> => {
  const token = /\s*(;|\n|&&|'[^']*'|"[^"]*"|[^\s;&|<>()'"`\\*?[\]{}#~]+)/y;
  const steps: Array<Step> = [];
  let words: Array<string> = [];
  let needsSuccess = false;
  const text = script.trim();
  while (token.lastIndex < text.length) {
    const [, part] = token.exec(text) ?? outsideTheModel(`the shell script ${script}`);
    if (part === undefined) break;
    if (part !== ";" && part !== "&&" && part !== "\n") {
      words.push(...expand(part, argv));
      continue;
    }
    if (words.length > 0) steps.push({ words, needsSuccess });
    needsSuccess = part === "&&";
    words = [];
  }
  return words.length === 0 ? steps : [...steps, { words, needsSuccess }];
};

type Continue = (status: number) => void;

const echo = (run: ProgramRun, words: Words, then: Continue): void => {
  run.write(`${words.join(" ")}\n`);
  then(0);
};

const trap = (run: ProgramRun, [action, ...signals]: Words, then: Continue): void => {
  if (action !== "") outsideTheModel(`the trap ${action}`);
  for (const signal of signals) run.onSignal(signal as SignalName, "ignore");
  then(0);
};

const notFound = (run: ProgramRun, shell: string, what: string, name: string): void =>
  run.write(`${shell}: 1: ${what}${name}: not found\n`);

const runStep = (run: ProgramRun, step: Step, status: number, then: Continue): void => {
  const [name = "", ...rest] = step.words;
  const shell = run.argv[0] ?? "sh";
  if (name === "exit") run.exit(rest[0] === undefined ? status : Number(rest[0]));
  else if (name === "true" || name === ":") then(0);
  else if (name === "false") then(1);
  else if (name === "echo") echo(run, rest, then);
  else if (name === "trap") trap(run, rest, then);
  else if (name === "exec") {
    if (run.become(rest)) return;
    notFound(run, shell, "exec: ", rest[0] ?? "");
    run.exit(127);
  } else {
    const child = run.spawn(
      (started) => {
        if (started.become(step.words)) return;
        notFound(started, shell, "", name);
        started.exit(127);
      },
      { detached: false },
    );
    const end = child.process.end;
    const told = (code: number) => then(code);
    if (end !== null) told(end._tag === "Exited" ? end.code : 128);
    else child.process.ended.push((e) => told(e._tag === "Exited" ? e.code : 128));
  }
};

const runFrom = (run: ProgramRun, steps: ReadonlyArray<Step>, at: number, status: number): void => {
  if (!run.alive) return;
  const step = steps[at];
  const skipped = step?.needsSuccess === true && status !== 0;
  if (step === undefined) run.exit(status);
  else if (skipped) runFrom(run, steps, at + 1, status);
  else runStep(run, step, status, (next) => runFrom(run, steps, at + 1, next));
};

/** Runs a script with these positional parameters, the name of the script first. */
export const shellScript =
  (script: string, parameters: Words): Program =>
  (run) =>
    runFrom(run, stepsOf(script, parameters), 0, 0);
