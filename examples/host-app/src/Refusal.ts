/**
 * Refusal: what a caller is told when a call failed: the only place that knows a status code.
 *
 * The table has every failure that a route can meet, so a new one of Troupe's does not compile
 * until it has its code. 404 was looked up and is not there; 503 could not be found out, and asking
 * again is right. A bug is none of these: it is logged, and the caller gets a bare 500.
 */
import { type HttpServerError, HttpServerResponse } from "@effect/platform";
import type { CreateFailure, GetFailure, NameFailure, OutputFailure } from "@troupe/core";
import { Effect } from "effect";
import type { BadInput, Problem } from "./BadInput.js";

/** Everything that a route can fail with. */
export type Failure =
  | BadInput
  | HttpServerError.RouteNotFound
  | CreateFailure
  | NameFailure
  | GetFailure
  | OutputFailure;

const statuses: Readonly<Record<Failure["_tag"], number>> = {
  BadInput: 400,
  InvalidName: 400,
  InvalidCwd: 400,
  InvalidEnv: 400,
  NotFound: 404,
  RouteNotFound: 404,
  AlreadyExists: 409,
  Busy: 409,
  ForeignSession: 409,
  StartFailed: 422,
  MailboxFull: 429,
  TmuxRefused: 500,
  RegistryCorrupt: 500,
  UnsupportedTmux: 500,
  Closing: 503,
  LookupFailed: 503,
  RegistryUnavailable: 503,
  KillUnconfirmed: 504,
  ProcessesSurvived: 504,
};

/** Where the same call may well succeed in a moment. */
const passing: ReadonlySet<string> = new Set<Failure["_tag"]>([
  ...(["Busy", "MailboxFull", "Closing", "LookupFailed"] as const),
  ...(["RegistryUnavailable", "KillUnconfirmed", "ProcessesSurvived"] as const),
]);

/** The answer to a call that failed, as it is sent. */
export interface Refusal {
  readonly status: number;
  readonly error: Failure["_tag"];
  readonly message: string;
  readonly problems?: ReadonlyArray<Problem>;
}

/** What is told of a failure. */
export const refusalOf = (failure: Failure): Refusal => {
  const { _tag: error } = failure;
  const status = statuses[error];
  if (failure._tag === "RouteNotFound") return { status, error, message: "there is no such path" };
  const { message } = failure;
  return failure._tag === "BadInput"
    ? { status, error, message, problems: failure.problems }
    : { status, error, message };
};

/** The response to a failure. */
export const refused = (failure: Failure): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.sync(() => {
    const { status, ...told } = refusalOf(failure);
    const headers = passing.has(told.error) ? { "retry-after": "1" } : {};
    return HttpServerResponse.unsafeJson(told, { status, headers });
  });
