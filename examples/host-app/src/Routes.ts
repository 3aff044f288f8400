/**
 * Routes: what can be asked over HTTP, and the answers.
 *
 *     POST   /jobs              starts one; with an Idempotency-Key the same request makes one job
 *     GET    /jobs[?all=true]   every job         GET  /jobs/:id          one
 *     GET    /jobs/:id/output   what it prints, until it ends, as lines of JSON
 *     DELETE /jobs/:id          ends it
 */
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform";
import { Effect, Schema } from "effect";
import { badInput, type Wanted } from "./BadInput.js";
import { OutputQuery, outputLines } from "./JobOutput.js";
import { Jobs } from "./Jobs.js";
import { idempotencyKey, newJob } from "./NewJob.js";
import { refused } from "./Refusal.js";

const ListQuery = Schema.Struct({ all: Schema.optional(Schema.BooleanFromString) });

const wanted: Wanted = {
  all: "is true or false",
  follow: "is true or false",
  from: "is a number of bytes",
  incarnation: "is one that an answer named",
};

const query = <A, I extends Readonly<Record<string, string | ReadonlyArray<string> | undefined>>>(
  schema: Schema.Schema<A, I>,
) =>
  Effect.mapError(
    HttpServerRequest.schemaSearchParams(schema, { errors: "all", onExcessProperty: "error" }),
    (error) => badInput(error, wanted),
  );

const id = Effect.map(HttpRouter.params, (params) => params.id ?? "");

const start = Effect.gen(function* () {
  const key = yield* idempotencyKey;
  const job = yield* (yield* Jobs).start(yield* newJob, key);
  const headers = { location: `/jobs/${job.id}` };
  return HttpServerResponse.unsafeJson(job, { status: 201, headers });
});

const list = Effect.gen(function* () {
  const { all = false } = yield* query(ListQuery);
  const { jobs, unasked } = yield* (yield* Jobs).list(all);
  return HttpServerResponse.unsafeJson({ jobs, unasked: unasked?.message ?? null });
});

const get = Effect.gen(function* () {
  return HttpServerResponse.unsafeJson(yield* (yield* Jobs).get(yield* id));
});

const output = Effect.gen(function* () {
  const jobs = yield* Jobs;
  const options = yield* query(OutputQuery);
  // What is not there is a 404, which can only be said before the first byte.
  const job = yield* jobs.get(yield* id);
  return HttpServerResponse.stream(outputLines(jobs.output(job.id, options)), {
    contentType: "application/x-ndjson",
  });
});

const remove = Effect.gen(function* () {
  const { alreadyGone } = yield* (yield* Jobs).remove(yield* id);
  return HttpServerResponse.unsafeJson({ alreadyGone });
});

/** The application; it needs `Jobs`, and nothing that it fails with is left. */
export const routes = HttpRouter.empty.pipe(
  HttpRouter.post("/jobs", start),
  HttpRouter.get("/jobs", list),
  HttpRouter.get("/jobs/:id", get),
  HttpRouter.get("/jobs/:id/output", output),
  HttpRouter.del("/jobs/:id", remove),
  Effect.catchAll(refused),
);
