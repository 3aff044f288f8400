/**
 * CutOffDelete: a delete by another process, killed with SIGKILL in the middle.
 *
 * The child is this very command. Its session saves on TERM and takes its time, so the delete
 * stays in its grace; the row saying `deleting` is the fact that is waited for, and only then is
 * the child killed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { Sessions } from "@troupe/core";
import { Effect, Schedule } from "effect";
import { Caller } from "../Caller.js";
import { DemoFailed } from "../CommandFailure.js";
import type { Location } from "../Location.js";

const BOUND_MS = 5_000;

const start = (
  program: string,
  session: string,
  location: Location,
  environment: ReadonlyMap<string, string>,
): ChildProcess => {
  // A socket or a home that the caller set is about the caller's own sessions.
  const surroundings = Object.fromEntries(
    [...environment].filter(([name]) => !name.startsWith("TROUPE_")),
  );
  const where = ["--home", location.home, ...(location.tmux ? ["--tmux", location.tmux] : [])];
  const words = [program, "delete", session, "--grace", "60s", ...where];
  return spawn(process.execPath, words, { stdio: "ignore", env: surroundings });
};

const ended = (child: ChildProcess) =>
  Effect.async<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) resume(Effect.void);
    else child.once("exit", () => resume(Effect.void));
  });

const stateOf = (session: string) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions;
    return (yield* sessions.get(session)).state;
  });

/** Waits until the row says that a delete of the session is under way. */
export const untilDeleting = (session: string) =>
  stateOf(session).pipe(
    Effect.repeat({ until: (state) => state === "deleting", schedule: Schedule.spaced(20) }),
    Effect.timeoutFail({
      duration: BOUND_MS,
      onTimeout: () => new DemoFailed({ reason: "the delete did not begin" }),
    }),
  );

/** Kills the child when the row says `deleting`; the process that was killed. */
export const cutOffDelete = (program: string, session: string, location: Location) =>
  Effect.acquireUseRelease(
    Effect.map(Caller, ({ environment }) => start(program, session, location, environment)),
    (child) => Effect.as(untilDeleting(session), `process ${child.pid}`),
    (child) =>
      Effect.suspend(() => {
        child.kill("SIGKILL");
        return ended(child);
      }),
  );
