/**
 * main: the process: words in, one answer out, and signals in between.
 *
 * Effect's own main is not used: it reports on standard output and exits with 0 on a signal. Here
 * the first signal interrupts the call and whatever is under way is finished or undone; further
 * signals do not cut that short. Standard output carries the answer and nothing else; what Effect
 * logs goes to standard error.
 */
import { homedir } from "node:os";
import { Cause, Effect, Layer, Logger, LogLevel } from "effect";
import { type Answer, answer } from "./Answer.js";
import { Caller } from "./Caller.js";
import { Internal, type Interrupted } from "./CommandFailure.js";
import { runProgram, wantsJson } from "./Program.js";
import { CalmScheduler } from "./Scheduling.js";

const words = process.argv.slice(2);
const json = wantsJson(words);

/** Writes the answer whole, then ends the process. */
const finish = ({ exit, stderr, stdout }: Answer): void => {
  process.exitCode = exit;
  process.stderr.write(stderr);
  process.stdout.write(stdout, () => process.exit());
};

/** The last word on a bug that no fiber can tell of. */
const finishWithBug = (error: unknown): void => {
  const detail = error instanceof Error ? error.message : String(error);
  const diagnosis = `${error instanceof Error ? error.stack : detail}\n`;
  const failure = new Internal({ detail });
  finish(answer({ command: null, human: "", failure, diagnosis }, json));
};

// A reader that went away, as in `troupe list | head -1`, is no failure of the command.
process.stdout.on("error", () => process.exit());
process.on("uncaughtException", finishWithBug);

const caller: typeof Caller.Service = {
  environment: new Map(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  ),
  cwd: process.cwd(),
  homeDirectory: homedir(),
  colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
  say: (line) => (json ? Effect.void : Effect.sync(() => void process.stdout.write(`${line}\n`))),
  watched: process.stderr.isTTY === true && !json,
};

const environment = Layer.mergeAll(
  Layer.succeed(Caller, caller),
  Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger)),
  Logger.minimumLogLevel(LogLevel.Warning),
);

/** The first signal; those behind it change nothing, and say so. */
const firstSignal = Effect.async<Interrupted["signal"]>((resume) => {
  let received = false;
  const listen = (heard: NodeJS.Signals, signal: Interrupted["signal"]) =>
    process.on(heard, () => {
      if (received) process.stderr.write("troupe: still finishing what was under way\n");
      received = true;
      resume(Effect.succeed(signal));
    });
  listen("SIGINT", "SIGINT");
  listen("SIGTERM", "SIGTERM");
  listen("SIGHUP", "SIGTERM");
});

Effect.runFork(runProgram(words, firstSignal).pipe(Effect.provide(environment)), {
  scheduler: new CalmScheduler(),
}).addObserver((exit) => {
  if (exit._tag === "Success") finish(exit.value);
  else finishWithBug(Cause.squash(exit.cause));
});
