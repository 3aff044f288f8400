/**
 * LeaseResult: what is printed of leases.
 *
 * `owner` is the program that holds one, by the name that claims have, and `holder` whether it
 * lives; `pid`, `host` and `bootId` are what that name tells. `turn` is the one that the holder
 * said it runs, and `children` the processes that run it, if others do.
 */
import { LeaseHolder, LeaseRecord, type LeaseView } from "@troupe/core";
import { DateTime, Schema } from "effect";

/** A lease as it is told. `acquiredAt` is ISO 8601 in UTC. */
export const LeaseInfo = Schema.Struct({
  ...LeaseRecord.fields,
  session: Schema.String,
  holder: LeaseHolder,
  acquiredAt: Schema.String,
});
export type LeaseInfo = typeof LeaseInfo.Type;

/** A lease as the library tells it. */
export const leaseInfo = ({ acquiredAt, activity: _, ...view }: LeaseView): LeaseInfo => ({
  ...view,
  acquiredAt: DateTime.formatIso(DateTime.unsafeMake(acquiredAt)),
});

/** What `lease show` answers; `lease` is `null` when nobody holds it. */
export const LeaseShowResult = Schema.Struct({
  session: Schema.String,
  lease: Schema.NullOr(LeaseInfo),
});

/**
 * What `lease release` answers. `before` is the lease as it was when this began; `released` is
 * `false` when there was none.
 */
export const LeaseReleaseResult = Schema.Struct({
  session: Schema.String,
  released: Schema.Boolean,
  before: Schema.NullOr(LeaseInfo),
});

/**
 * What `lease take-over` answers. `before` is the lease as it was when this began, `null` when
 * there was none; what is asked for under a lower epoch than `epoch` is refused from now on.
 */
export const LeaseTakeOverResult = Schema.Struct({
  session: Schema.String,
  epoch: Schema.Int,
  before: Schema.NullOr(LeaseInfo),
  waitedMs: Schema.Int,
});

/** What `events` says of a lease that was lost, beside when and which. */
export const lostLease = Schema.Struct({
  type: Schema.Literal("lease"),
  state: Schema.Literal("dropped", "taken"),
  lease: Schema.String,
  epoch: Schema.Int,
  holder: Schema.String,
  actor: Schema.String,
  surface: Schema.String,
  pid: Schema.NullOr(Schema.Int),
});
