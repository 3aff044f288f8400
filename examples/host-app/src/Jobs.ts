/**
 * Jobs: the service: each job is the program of a session.
 *
 * It holds nothing: what it answers comes from Troupe at each call, so a restart forgets nothing
 * and needs no recovery of its own. It needs `Sessions` and knows not which: a test gives the fake
 * ones.
 */
import {
  type CreateFailure,
  type DeleteResult,
  type GetFailure,
  type LookupFailed,
  type NameFailure,
  NotFound,
  type OutputElement,
  type OutputFailure,
  type OutputOptions,
  type RegistryFailure,
  Sessions,
  type SessionView,
} from "@troupe/core";
import { Context, Effect, Layer, Stream } from "effect";
import { type Job, jobOf } from "./Job.js";
import { freshJobId, isJobId, jobIdOf } from "./JobId.js";
import type { NewJob } from "./NewJob.js";

/** Every job, and why that may not be all. */
export interface JobList {
  readonly jobs: ReadonlyArray<Job>;
  readonly unasked: LookupFailed | null;
}

/** Commands that run in sessions. */
export class Jobs extends Context.Tag("troupe-host-app/Jobs")<
  Jobs,
  {
    /** Starts a job. With a key that was seen before it gives the job that was started then. */
    readonly start: (job: NewJob, key: string | null) => Effect.Effect<Job, CreateFailure>;
    readonly get: (id: string) => Effect.Effect<Job, GetFailure>;
    /** Those that are there, or with `all` also those that were. */
    readonly list: (all: boolean) => Effect.Effect<JobList, RegistryFailure>;
    /** What the job printed and prints, to its end. */
    readonly output: (
      id: string,
      options: OutputOptions,
    ) => Stream.Stream<OutputElement, OutputFailure>;
    /** Ends the job; success means that its processes are gone. Again is success. */
    readonly remove: (id: string) => Effect.Effect<DeleteResult, NameFailure>;
  }
>() {
  static readonly layer: Layer.Layer<Jobs, never, Sessions> = Layer.effect(
    Jobs,
    Effect.map(Sessions, (sessions) => over(sessions)),
  );
}

/** Only jobs: a session that somebody else made on the home is none of this service's. */
const asJob = (view: SessionView, attempted: string): Effect.Effect<Job, NotFound> => {
  const job = jobOf(view);
  return job === null
    ? Effect.fail(new NotFound({ session: view.session, attempted }))
    : Effect.succeed(job);
};

const named = (id: string, attempted: string): Effect.Effect<string, NotFound> =>
  isJobId(id) ? Effect.succeed(id) : Effect.fail(new NotFound({ session: id, attempted }));

const over = (sessions: Sessions["Type"]): Jobs["Type"] => ({
  start: Effect.fn("Jobs.start")(function* ({ command, cwd, env }, key) {
    const session = key === null ? yield* freshJobId : jobIdOf(key);
    const view = yield* sessions.create({
      ...{ session, command, cwd, env },
      requestId: key ?? undefined,
      // A job may end at once, and well: what it came to is in its state.
      startWindowMs: 0,
    });
    return yield* Effect.orDie(asJob(view, "start a job"));
  }),
  get: Effect.fn("Jobs.get")(function* (id) {
    const session = yield* named(id, "get");
    return yield* asJob(yield* sessions.get(session), "get");
  }),
  list: Effect.fn("Jobs.list")(function* (all) {
    const { sessions: views, unasked } = yield* sessions.list({ all });
    const jobs = views.flatMap((view) => {
      const job = jobOf(view);
      return job === null ? [] : [job];
    });
    return { jobs, unasked };
  }),
  output: (id, options) =>
    Stream.unwrap(
      Effect.map(named(id, "read output"), (session) => sessions.output(session, options)),
    ),
  remove: Effect.fn("Jobs.remove")(function* (id) {
    return yield* sessions.delete(yield* named(id, "delete"));
  }),
});
