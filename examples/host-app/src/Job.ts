/**
 * Job: what a caller is told of a job, made of what Troupe knows of its session.
 *
 * Nothing of it is kept by this service. The state is what the registry knows, and where tmux says
 * more just now, that: a program that has ended is `exited` before anybody wrote it down. Where
 * tmux could not be asked, `seen` is `unknown`, and the state is the last one that is known.
 */
import { type ProgramExit, SessionState, type SessionView } from "@troupe/core";
import { Schema } from "effect";
import { isJobId, JobId } from "./JobId.js";

/** A job. Times are milliseconds since 1970. */
export const Job = Schema.Struct({
  id: JobId,
  state: SessionState,
  /** How the program ended; `null` while it runs, and where it is not known. */
  exit: Schema.NullOr(
    Schema.Struct({ code: Schema.NullOr(Schema.Int), signal: Schema.NullOr(Schema.Int) }),
  ),
  command: Schema.Array(Schema.String),
  cwd: Schema.String,
  createdAt: Schema.Int,
  seen: Schema.Literal("present", "absent", "unknown"),
  /** Why it is lost or failed, or could not be seen. */
  why: Schema.NullOr(Schema.String),
});
export type Job = typeof Job.Type;

/** How the program of a session ended, as tmux shows it or as it was recorded. */
const exitOf = ({ seen, terminals }: SessionView): ProgramExit | null =>
  seen.terminals[0]?.exit ?? terminals[0]?.exit ?? null;

const stateOf = (view: SessionView): SessionState => {
  if (view.state !== "running") return view.state;
  if (view.seen.state === "absent") return "lost";
  return view.seen.state === "present" && exitOf(view) !== null ? "exited" : "running";
};

/** The job of a session; `null` where the session is none of this service's. */
export const jobOf = (view: SessionView): Job | null => {
  const { cause, createdAt, seen, session, spec } = view;
  if (!isJobId(session)) return null;
  const { command, cwd } = spec;
  const why = seen.state === "unknown" ? seen.reason : cause;
  const state = stateOf(view);
  return { id: session, state, exit: exitOf(view), command, cwd, createdAt, seen: seen.state, why };
};
