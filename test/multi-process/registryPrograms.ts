/**
 * registryPrograms: real processes that use registries, each driven over its pipes.
 *
 * A command is answered twice: when it was begun and when it ended, so that a test waits for facts
 * and never for time. Every process is killed with the scope.
 */
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Effect, type Scope } from "effect";

/** What a command came to. */
export interface Answer {
  readonly value?: unknown;
  readonly error?: { readonly _tag: string; readonly [field: string]: unknown };
  readonly defect?: string;
}

/** A command under way. */
export interface Running {
  /** Ends when the program has begun it. */
  readonly begun: Effect.Effect<void>;
  readonly answer: Effect.Effect<Answer>;
}

/** A process that runs `registryChild.mjs`. */
export interface Program {
  readonly pid: number;
  readonly start: (name: string, parameters: object) => Effect.Effect<Running>;
  /** The answer to a command that is started now. */
  readonly ask: (name: string, parameters: object) => Effect.Effect<Answer>;
  readonly signal: (signal: NodeJS.Signals) => Effect.Effect<void>;
  /** Kills the process; ends when the kernel has taken it away. */
  readonly kill: Effect.Effect<void>;
}

const child = fileURLToPath(new URL("./registryChild.mjs", import.meta.url));

interface Waiting {
  readonly begun: () => void;
  readonly ended: (answer: Answer) => void;
}

type Line = Answer & { readonly id: number; readonly begun?: boolean; readonly ready?: boolean };

const drive = (started: ChildProcess, ready: (program: Program) => void): void => {
  const waiting = new Map<number, Waiting>();
  const exited = new Promise<void>((resolve) => started.once("exit", () => resolve()));
  let last = 0;
  const start: Program["start"] = (name, parameters) =>
    Effect.sync(() => {
      const id = ++last;
      let began = () => {};
      const begun = new Promise<void>((resolve) => {
        began = resolve;
      });
      const answer = new Promise<Answer>((ended) => waiting.set(id, { begun: began, ended }));
      started.stdin?.write(`${JSON.stringify({ id, name, ...parameters })}\n`);
      return { begun: Effect.promise(() => begun), answer: Effect.promise(() => answer) };
    });
  const program: Program = {
    pid: started.pid ?? 0,
    start,
    ask: (name, parameters) => Effect.flatMap(start(name, parameters), ({ answer }) => answer),
    signal: (signal) => Effect.sync(() => void started.kill(signal)),
    kill: Effect.promise(() => {
      started.kill("SIGKILL");
      return exited;
    }),
  };
  createInterface({ input: started.stdout ?? process.stdin }).on("line", (text) => {
    const line: Line = JSON.parse(text);
    if (line.ready === true) ready(program);
    else if (line.begun === true) waiting.get(line.id)?.begun();
    else waiting.get(line.id)?.ended(line);
  });
};

/** A program that is ready for commands. */
export const startProgram: Effect.Effect<Program, never, Scope.Scope> = Effect.acquireRelease(
  Effect.async<Program>((resume) => {
    const started = spawn(process.execPath, [child], { stdio: ["pipe", "pipe", "inherit"] });
    drive(started, (program) => resume(Effect.succeed(program)));
  }),
  ({ kill }) => kill,
);

/** A home that does not exist yet, in a directory that goes with the scope. */
export const newHome: Effect.Effect<string, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "programs-"))),
    (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true })),
  ),
  (directory) => path.join(directory, "home"),
);
