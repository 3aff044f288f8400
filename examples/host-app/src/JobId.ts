/**
 * JobId: the name of a job, which is the name of its session.
 *
 * From the key of a request it is always the same, so a request that is repeated, at once or after
 * a restart, meets the session that the first one made. Sessions of other names are no jobs.
 */
import { createHash } from "node:crypto";
import { Effect, Random, Schema } from "effect";

/** `job-` and 32 hexadecimal digits. */
export const JobId = Schema.String.pipe(
  Schema.pattern(/^job-[0-9a-f]{32}$/),
  Schema.brand("JobId"),
);
export type JobId = typeof JobId.Type;

/** Whether it is one, of anything. */
export const isJobId = Schema.is(JobId);

/** The id of whatever is asked for under this key. */
export const jobIdOf = (key: string): JobId =>
  JobId.make(`job-${createHash("sha256").update(key).digest("hex").slice(0, 32)}`);

const digits = Effect.map(Random.nextIntBetween(0, 2 ** 32), (n) =>
  n.toString(16).padStart(8, "0"),
);

/** An id that was never used. */
export const freshJobId: Effect.Effect<JobId> = Effect.map(
  Effect.replicateEffect(digits, 4),
  (parts) => JobId.make(`job-${parts.join("")}`),
);
