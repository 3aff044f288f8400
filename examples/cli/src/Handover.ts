/**
 * Handover: the terminal of the caller, lent to a client that runs on it, and given back.
 *
 * The client has standard input, where tmux draws, and, unless a program reads that, standard
 * output. Whatever ends it or this program, it is ended by its pid, and where this program was
 * killed, by its guard. A terminal that was not put back (measured on 3.3a: when the server is
 * killed) gets its settings and its screen again. Not for a client that needs no terminal.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { clientGuard, gatedClient } from "@troupe/core";
import { Deferred, Effect, Option } from "effect";

/** What runs, and with which environment. */
export interface Client {
  readonly argv: ReadonlyArray<string>;
  readonly environment: ReadonlyMap<string, string>;
  /** Whether what it says at its end goes to standard output. */
  readonly speaks: boolean;
}

/** How a client ended. `stderr` is empty when nothing was wrong. */
export interface ClientEnd {
  readonly code: number | null;
  readonly stderr: string;
}

/** Between SIGTERM and SIGKILL; a client of a server that hangs knows no other end. */
const patience = "2 seconds";

/** Ends every mode that tmux sets, and leaves the other screen. */
const leave = [
  "\x1b[r\x1b[0m\x1b(B\x1b[?1l\x1b>",
  ...[1000, 1002, 1003, 1005, 1006, 1004, 2004].map((mode) => `\x1b[?${mode}l`),
  "\x1b[?25h\x1b[?1049l",
].join("");

interface Run {
  readonly child: ChildProcess;
  readonly ended: Deferred.Deferred<ClientEnd>;
}

const begin = (
  argv: ReadonlyArray<string>,
  environment: ReadonlyMap<string, string>,
  stdout: "inherit" | "ignore" | "pipe",
  gate: "pipe" | "ignore" = "ignore",
): Effect.Effect<Run & { readonly stdout: () => string }> =>
  Effect.map(Deferred.make<ClientEnd>(), (ended) => {
    const [program = "", ...words] = argv;
    const child = spawn(program, words, {
      env: Object.fromEntries(environment),
      stdio: ["inherit", stdout, "pipe", gate],
    });
    const text = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name]?.setEncoding("utf8").on("data", (data: string) => {
        text[name] += data;
      });
    }
    const done = (end: ClientEnd) => Deferred.unsafeDone(ended, Effect.succeed(end));
    child.once("error", (error) => done({ code: null, stderr: error.message }));
    child.once("close", (code) => done({ code, stderr: text.stderr.trim() }));
    return { child, ended, stdout: () => text.stdout.trim() };
  });

const end = ({ child, ended }: Run): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (yield* Deferred.isDone(ended)) return;
    child.kill("SIGTERM");
    // One that was suspended hears it only when it goes on.
    child.kill("SIGCONT");
    // A finalizer is not interrupted, and so its waiting would not be either.
    const exit = Effect.interruptible(Deferred.await(ended));
    const gone = yield* Effect.timeoutOption(exit, patience);
    if (Option.isNone(gone)) child.kill("SIGKILL");
    yield* Deferred.await(ended);
  });

/** What `stty` says or does; `null`, with a warning, where it cannot. */
const stty = (words: ReadonlyArray<string>, environment: Client["environment"]) =>
  Effect.gen(function* () {
    const { ended, stdout } = yield* begin(["stty", ...words], environment, "pipe");
    const { code, stderr } = yield* Deferred.await(ended);
    if (code === 0) return stdout();
    yield* Effect.logWarning("the terminal's settings are not known", stderr);
    return null;
  });

const write = (text: string): Effect.Effect<void> =>
  Effect.try(() => {
    const terminal = openSync("/dev/tty", "w");
    try {
      writeSync(terminal, text);
    } finally {
      closeSync(terminal);
    }
  }).pipe(
    Effect.catchAll(({ error }) =>
      Effect.logWarning("the terminal's screen was not put back", String(error)),
    ),
  );

/** Puts back what is not as it was before. */
const giveBack = (before: string | null, environment: Client["environment"]) =>
  Effect.gen(function* () {
    if (before === null) return;
    const after = yield* stty(["-g"], environment);
    if (after === null || after === before) return;
    yield* stty([before], environment);
    yield* write(leave);
  });

/** Lets the client begin; one that is gone by now needs nothing. */
const open = ({ child }: Run): void => {
  const gate = child.stdio[3];
  if (!(gate instanceof Socket)) return;
  gate.once("error", () => {});
  gate.resume().end("begin\n");
};

/**
 * Beside the client: it ends when this program has died, by a SIGKILL too. The client waits for it.
 */
const guarded = <R extends Run>(run: R, environment: Client["environment"]) =>
  Effect.sync(() => {
    const { pid } = run.child;
    if (pid === undefined) return { ...run, guard: null };
    const [shell = "", ...words] = clientGuard(pid);
    const env = Object.fromEntries(environment);
    const guard = spawn(shell, words, { env, stdio: ["pipe", "ignore", "ignore"] });
    // Where it cannot run, or is gone, the client is shown all the same.
    guard.once("error", () => {});
    guard.stdin.once("error", () => {});
    open(run);
    return { ...run, guard };
  });

/** Runs the client to its end on the caller's terminal. */
export const handOver = ({ argv, environment, speaks }: Client): Effect.Effect<ClientEnd> =>
  Effect.acquireUseRelease(
    stty(["-g"], environment),
    () =>
      Effect.acquireUseRelease(
        Effect.flatMap(
          begin(gatedClient(argv), environment, speaks ? "inherit" : "ignore", "pipe"),
          (run) => guarded(run, environment),
        ),
        ({ ended }) => Deferred.await(ended),
        // The guard is told behind the end, so that nothing comes between.
        (run) =>
          Effect.zipRight(
            end(run),
            Effect.sync(() => run.guard?.stdin.end("ended\n")),
          ),
      ),
    (before) => giveBack(before, environment),
  );
