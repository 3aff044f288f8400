/**
 * ProcessTransport: a `TmuxTransport` that starts one tmux client for each command list.
 *
 * A client is ended with SIGKILL, because on SIGTERM it ends with code 0 as if it had been
 * answered. Its end is its `exit`: with a hung server `close` never comes, since the server holds a
 * copy of the client's stdout. It inherits nothing of the caller's environment, so neither `TMUX`
 * nor a secret of the caller reaches the server that it may start.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { LookupFailed } from "@troupe/core";
import { Deferred, Effect, Exit, Fiber, Layer, type Scope } from "effect";
import { socketProblem } from "./SocketPath.js";
import { notBelieved } from "./TmuxFailure.js";
import { type TmuxReply, type TmuxRequest, TmuxTransport } from "./TmuxTransport.js";

/** What starts a client that may start the server, where that is not the caller itself. */
export interface ServerStarter {
  /** What stands before the client's own words; it becomes the client. */
  readonly argv: ReadonlyArray<string>;
  /** What it knows beside what the client does; whatever it hands on, the server has too. */
  readonly environment: ReadonlyMap<string, string>;
}

/** Which tmux, and where its socket is. */
export interface ProcessTransportOptions {
  /** An absolute path. */
  readonly program: string;
  /** An absolute path of at most 107 bytes. */
  readonly socket: string;
  /** What the server and its clients may know of the creator: HOME, SHELL, USER, LOGNAME. */
  readonly environment: ReadonlyMap<string, string>;
  /** Nothing stands before such a client unless given. */
  readonly starter?: ServerStarter | undefined;
  /** Called when a client was started, before its answer can come: to do what is needed soon. */
  readonly meanwhile?: ((request: TmuxRequest) => void) | undefined;
}

/** The most that an answer may have; a listing of ten thousand sessions has 4 MB. */
const ANSWER_BOUND = 64 * 1024 * 1024;

const PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

const missing = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"]);
const denied = new Set(["EACCES", "EPERM"]);

const spawnFailure = (request: TmuxRequest, program: string, error: unknown) => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const other = denied.has(code) ? "permission" : "unclear";
  const reason = missing.has(code) ? "missing-program" : other;
  return notBelieved(request, reason, `${program}: ${String(error)}`);
};

/** All that a client knows of its surroundings; `null` is the minimal PATH. */
export const clientEnvironment = (
  { environment }: Pick<ProcessTransportOptions, "environment">,
  path: string | null,
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(environment),
  LANG: "C.UTF-8",
  PATH: path ?? PATH,
});

const nothing: ServerStarter = { argv: [], environment: new Map() };

const starterFor = ({ starter = nothing }: ProcessTransportOptions, request: TmuxRequest) =>
  request.startsServer ? starter : nothing;

/** What is started for the request: the client itself, or what becomes it. */
const programFor = (options: ProcessTransportOptions, request: TmuxRequest): string =>
  starterFor(options, request).argv[0] ?? options.program;

const start = (options: ProcessTransportOptions, request: TmuxRequest): ChildProcess => {
  const flags = ["-u", ...(request.startsServer ? [] : ["-N"]), "-S", options.socket];
  const starter = starterFor(options, request);
  const client = [options.program, ...flags, "-f", "/dev/null", ...request.argv];
  return spawn(programFor(options, request), [...starter.argv, ...client].slice(1), {
    cwd: "/",
    // A process group of its own: a Ctrl-C at the terminal is for its caller to answer.
    detached: true,
    env: {
      ...clientEnvironment(options, request.path),
      ...Object.fromEntries(starter.environment),
    },
    stdio: [request.stdin === null ? "ignore" : "pipe", "pipe", "pipe"],
  });
};

/** One client from start to end; the callback is called once. */
const watch = (
  child: ChildProcess,
  request: TmuxRequest,
  program: string,
  done: (outcome: TmuxReply | LookupFailed) => void,
): void => {
  const chunks = { stdout: [] as Array<Buffer>, stderr: [] as Array<Buffer> };
  let bytes = 0;
  const collect = (name: "stdout" | "stderr") => (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > ANSWER_BOUND) child.kill("SIGKILL");
    else chunks[name].push(chunk);
  };
  child.stdout?.on("data", collect("stdout"));
  child.stderr?.on("data", collect("stderr"));
  child.on("error", (error) => done(spawnFailure(request, program, error)));
  child.on("exit", (_, signal) => {
    if (signal !== null) done(notBelieved(request, "signalled", `the client ended with ${signal}`));
  });
  child.on("close", (exitCode) => {
    const text = (parts: Array<Buffer>) => Buffer.concat(parts).toString("utf8");
    if (exitCode !== null) {
      done({ exitCode, stdout: text(chunks.stdout), stderr: text(chunks.stderr) });
    }
  });
  // A client that ends without reading breaks this pipe; its exit code tells what happened.
  child.stdin?.on("error", () => {});
  child.stdin?.end(request.stdin);
};

const end = (child: ChildProcess): void => {
  child.kill("SIGKILL");
  child.stdin?.destroy();
  child.stdout?.destroy();
  child.stderr?.destroy();
};

const tooLate = (request: TmuxRequest): LookupFailed =>
  notBelieved(request, "timeout", `tmux did not answer within ${request.deadlineMs} ms`);

/**
 * A client under way. The timer is a fiber of the transport's: Effect.timeout would wait for a
 * caller that cannot be interrupted, and a child of such a caller ends, and the deadline with it,
 * as soon as somebody asks the caller to.
 */
const begin = (options: ProcessTransportOptions, request: TmuxRequest, scope: Scope.Scope) =>
  Effect.gen(function* () {
    const reply = yield* Deferred.make<TmuxReply, LookupFailed>();
    const child = yield* Effect.try({
      try: () => start(options, request),
      // Node throws at once for a path that is no path (ENOTDIR, ELOOP, ENAMETOOLONG).
      catch: (error) => spawnFailure(request, programFor(options, request), error),
    });
    watch(child, request, programFor(options, request), (outcome) => {
      const exit = outcome instanceof LookupFailed ? Exit.fail(outcome) : Exit.succeed(outcome);
      Deferred.unsafeDone(reply, exit);
    });
    const timer = yield* Effect.sleep(request.deadlineMs).pipe(
      Effect.zipRight(Deferred.failSync(reply, () => tooLate(request))),
      Effect.interruptible,
      Effect.forkIn(scope),
    );
    return { child, reply, timer };
  });

const checked = (options: ProcessTransportOptions, request: TmuxRequest) =>
  Effect.suspend(() => {
    const problem = socketProblem(options.socket, { make: request.startsServer });
    return problem === null
      ? Effect.void
      : Effect.fail(notBelieved(request, "bad-socket", problem));
  });

const run = (options: ProcessTransportOptions, request: TmuxRequest, scope: Scope.Scope) =>
  Effect.acquireUseRelease(
    begin(options, request, scope),
    ({ reply }) =>
      Effect.suspend(() => {
        options.meanwhile?.(request);
        return Deferred.await(reply);
      }),
    ({ child, timer }) =>
      Effect.zipRight(
        Effect.sync(() => end(child)),
        Fiber.interrupt(timer),
      ),
  );

const make = (
  options: ProcessTransportOptions,
): Effect.Effect<TmuxTransport["Type"], never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => ({
    socket: options.socket,
    program: options.program,
    run: (request) => Effect.zipRight(checked(options, request), run(options, request, scope)),
  }));

/** Clients as processes. Interruption and the deadline end the client; its list may still run. */
export const ProcessTransport = {
  /** Until the scope closes, which ends every client that still runs. */
  make,
  /** The same as a layer. */
  layer: (options: ProcessTransportOptions): Layer.Layer<TmuxTransport> =>
    Layer.scoped(TmuxTransport, make(options)),
};
