/**
 * main: the process: words in, one answer out, and signals in between.
 *
 * Effect's own main is not used: it reports on standard output and exits with 0 on a signal. Here
 * the first signal interrupts the call and whatever is under way is finished or undone; further
 * signals do not cut that short, and neither does a reader that went away. Standard output carries
 * the answer and nothing else; what Effect logs goes to standard error.
 */
import { fstatSync } from "node:fs";
import { homedir } from "node:os";
import { isatty } from "node:tty";
import { undecodableIn } from "@troupe/node";
import {
  Cause,
  Deferred,
  Effect,
  FiberId,
  FiberRef,
  HashSet,
  Logger,
  LogLevel,
  RuntimeFlags,
  RuntimeFlagsPatch,
} from "effect";
import { type Answer, answer } from "./Answer.js";
import { Caller } from "./Caller.js";
import { Internal } from "./CommandFailure.js";
import { Leaving } from "./Leaving.js";
import { runProgram, type Stop, wantsJson } from "./Program.js";
import { CalmScheduler } from "./Scheduling.js";

const words = process.argv.slice(2);
const json = wantsJson(words);

const leaving = new Leaving();

/** The answer to a bug that no fiber can tell of. */
const bugAnswer = (error: unknown): Answer => {
  const detail = error instanceof Error ? error.message : String(error);
  const diagnosis = `${error instanceof Error ? error.stack : detail}\n`;
  const failure = new Internal({ detail });
  return answer({ command: null, human: "", failure, diagnosis }, json);
};

/** Where we are; where the shell says that we are, when that directory was removed. */
const here = (): string => {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? "/";
  }
};

const readInput = (atLeast: number): Effect.Effect<Uint8Array, string> =>
  Effect.async<Uint8Array, string>((resume) => {
    // Node would read nothing of it, and say that this was all.
    if (fstatSync(0).isDirectory()) return resume(Effect.fail("it is a directory"));
    const chunks: Array<Buffer> = [];
    let size = 0;
    const end = () => resume(Effect.succeed(new Uint8Array(Buffer.concat(chunks))));
    process.stdin.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size < atLeast) return;
      process.stdin.destroy();
      end();
    });
    process.stdin.on("end", end);
    process.stdin.on("error", (error) => resume(Effect.fail(error.message)));
    return Effect.sync(() => process.stdin.destroy());
  });

const cwd = here();

/** Whether the terminal says that it obeys nothing but the end of a line. */
const isDumb = process.env.TERM === "dumb";

const caller: typeof Caller.Service = {
  environment: new Map(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  ),
  cwd,
  undecodable: undecodableIn(words, process.env, cwd),
  get homeDirectory() {
    return homedir();
  },
  terminal: { input: isatty(0), output: isatty(1) },
  paper: {
    colour: process.stdout.isTTY === true && !process.env.NO_COLOR && !isDumb,
    width: (process.stdout.isTTY === true && process.stdout.columns) || null,
  },
  say: (line) => (json ? Effect.void : Effect.sync(() => void process.stdout.write(`${line}\n`))),
  write: (chunk) =>
    Effect.async<void>((resume) => {
      // One that nobody reads any more is heard of as an error of the stream.
      process.stdout.write(chunk, () => resume(Effect.void));
    }),
  read: (atLeast) => readInput(atLeast),
  showProgress:
    process.stderr.isTTY === true && !json && !isDumb
      ? (line) => Effect.sync(() => void process.stderr.write(`\r${line}\u001b[K`))
      : null,
};

/** What is logged, as lines that are no part of the answer. */
const logger = Logger.withConsoleError(Logger.logfmtLogger);

let bug: Answer | null = null;

/** The first thing that says to end; what comes behind it changes nothing, and that is said. */
const firstStop = Deferred.unsafeMake<Stop>(FiberId.none);

const stop = (stop: Stop): void => {
  if (leaving.isTold && stop !== "unread") {
    process.stderr.write("troupe: still finishing what was under way\n");
  }
  leaving.tell(stop);
  Deferred.unsafeDone(firstStop, Effect.succeed(stop));
};

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => stop(signal));
}

// Nobody reads on: what is under way is finished or undone all the same.
process.stdout.on("error", (error) => {
  stop(leaving.broken("code" in error ? String(error.code) : error.message));
});

process.on("uncaughtException", (error) => {
  bug ??= bugAnswer(error);
  stop("SIGTERM");
});

// Only diagnostics go there, and none of them is worth a session.
process.stderr.on("error", () => {});

const program = runProgram(words, Deferred.await(firstStop)).pipe(
  Effect.provideService(Caller, caller),
  Logger.withMinimumLogLevel(LogLevel.Warning),
  // Nobody follows the spans of a call, nor counts its fibers.
  Effect.withTracerEnabled(false),
  Effect.withRuntimeFlagsPatch(RuntimeFlagsPatch.disable(RuntimeFlags.RuntimeMetrics)),
  Effect.locally(FiberRef.currentLoggers, HashSet.make(logger)),
);

Effect.runFork(program, { scheduler: new CalmScheduler() }).addObserver((exit) => {
  leaving.finish(
    bug ?? (exit._tag === "Success" ? exit.value : bugAnswer(Cause.squash(exit.cause))),
  );
});
