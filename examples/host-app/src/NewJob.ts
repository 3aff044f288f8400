/**
 * NewJob: what a caller asks for: a command, where it runs, and values for it.
 *
 * Values are redacted from the moment they are read, and are in no answer, log or row.
 */
import { HttpServerRequest } from "@effect/platform";
import { Effect, Schema } from "effect";
import { BadInput, badInput, type Wanted } from "./BadInput.js";

const Word = Schema.NonEmptyString.pipe(Schema.pattern(/^[^\0]*$/));

const Variable = Schema.String.pipe(Schema.pattern(/^[A-Za-z_][A-Za-z0-9_]*$/));

/** A job that is to be run. */
export const NewJob = Schema.Struct({
  command: Schema.Array(Word).pipe(Schema.minItems(1), Schema.maxItems(256)),
  cwd: Schema.optional(Schema.String.pipe(Schema.startsWith("/"))),
  env: Schema.optional(Schema.Record({ key: Variable, value: Schema.Redacted(Schema.String) })),
});
export type NewJob = typeof NewJob.Type;

const wanted: Wanted = {
  command: "is a list of 1 to 256 words, none of them empty",
  cwd: "is an absolute path",
  env: "is an object of strings by the names of variables",
};

const noJson = new BadInput({ problems: [{ field: "", problem: "the body is no JSON" }] });

/** The job that the body of the request asks for. */
export const newJob: Effect.Effect<NewJob, BadInput, HttpServerRequest.HttpServerRequest> =
  HttpServerRequest.schemaBodyJson(NewJob, { errors: "all", onExcessProperty: "error" }).pipe(
    Effect.catchTags({
      ParseError: (error) => Effect.fail(badInput(error, wanted)),
      RequestError: () => Effect.fail(noJson),
    }),
  );

const Key = Schema.Struct({
  "idempotency-key": Schema.optional(Schema.String.pipe(Schema.pattern(/^[\x21-\x7e]{1,200}$/))),
});

/** The key by which a repeated request is known, if it has one. */
export const idempotencyKey: Effect.Effect<
  string | null,
  BadInput,
  HttpServerRequest.HttpServerRequest
> = HttpServerRequest.schemaHeaders(Key).pipe(
  Effect.map((headers) => headers["idempotency-key"] ?? null),
  Effect.mapError((error) =>
    badInput(error, { "idempotency-key": "is 1 to 200 visible ASCII characters" }),
  ),
);
