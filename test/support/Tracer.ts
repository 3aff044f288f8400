/**
 * Tracer: a process that SIGKILL does not end while another, its tracer, is stopped.
 *
 * The kernel holds a traced process at its exit until the tracer lets it go on, and drops further
 * signals; memory and files stay with it, and /proc shows it in state `t`. When the tracer is
 * killed the exit goes on. ptrace has no Node interface, so Perl makes the system call, which
 * every Debian has. Where the kernel or a container forbids that, `untraceable` says why.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { Effect, type Scope } from "effect";
import { lives, stateOf } from "./Processes.js";
import { waitFor } from "./Waiting.js";

/** ptrace and prctl, by the architecture of Node. */
const numbers: Readonly<Record<string, readonly [ptrace: number, prctl: number]>> = {
  x64: [101, 157],
  arm64: [117, 167],
};
const [ptrace, prctl] = numbers[process.arch] ?? [-1, -1];

/** PTRACE_SEIZE with PTRACE_O_TRACEEXIT. */
const SEIZE = `syscall(${ptrace}, 0x4206, $pid, 0, 0x40) == 0 or die "ptrace: $!\\n";`;

/** Stops once it traces; its standard error says why it could not. */
const TRACE = `my $pid = shift() + 0; ${SEIZE} kill "STOP", $$;`;

const PROBE = `my $pid = fork; if (!$pid) { sleep 60; exit } eval { ${SEIZE} }; kill "KILL", $pid; die $@ if $@;`;

const probe = (): string | null => {
  if (process.platform !== "linux" || ptrace === -1) {
    return `no ptrace is known here (${process.platform} on ${process.arch})`;
  }
  const { error, status, stderr } = spawnSync("perl", ["-e", PROBE], {
    encoding: "utf8",
    timeout: 5_000,
  });
  if (error !== undefined) return error.message;
  return status === 0 ? null : stderr.trim();
};

/** Why no process can be traced here, or `null`. */
export const untraceable: string | null = probe();

/** An argv that runs another, which any process may then trace (PR_SET_PTRACER, for Yama). */
export const traceable = (...command: ReadonlyArray<string>): ReadonlyArray<string> => [
  "perl",
  "-e",
  `syscall(${prctl}, 0x59616d61, -1, 0, 0, 0); exec { $ARGV[0] } @ARGV or die`,
  ...command,
];

const end = (tracer: ChildProcess) =>
  Effect.sync(() => {
    tracer.kill("SIGKILL");
  });

/** Holds the process against SIGKILL until the effect that comes of it, or the scope, lets go. */
export const holdAtExit = (pid: number): Effect.Effect<Effect.Effect<void>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => spawn("perl", ["-e", TRACE, String(pid)], { stdio: "ignore" })),
    end,
  ).pipe(
    Effect.tap((tracer) =>
      Effect.promise(() => waitFor("the tracer to stop", () => stateOf(tracer.pid ?? 0) === "T")),
    ),
    Effect.map((tracer) =>
      Effect.zipRight(
        end(tracer),
        Effect.promise(() => waitFor(`the end of ${pid}`, () => !lives(pid))),
      ),
    ),
    Effect.map(Effect.asVoid),
  );
