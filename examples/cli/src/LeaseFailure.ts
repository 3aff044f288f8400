/**
 * LeaseFailure: core's refusals that name the holders of leases, as the command line tells them.
 *
 * The same facts, with times as all times are told. That a lease was lost names no time and is
 * told as it is.
 */
import * as Core from "@troupe/core";
import { Effect, Schema } from "effect";
import { ageText } from "./Age.js";
import { LeaseInfo, leaseInfo } from "./LeaseResult.js";

const where = { session: Schema.NullOr(Schema.String), attempted: Schema.String };

/** Another holds the lease, or may; it is as it was. */
export class LeaseHeld extends Schema.TaggedError<LeaseHeld>()("LeaseHeld", {
  ...where,
  holder: LeaseInfo,
  ageMs: Schema.Int,
}) {
  override get message(): string {
    const { surface, turn } = this.holder;
    const holder = `${Core.holderSeen(this.holder)} for ${surface} since ${ageText(0, this.ageMs)}`;
    const what = turn === null ? "" : `, with turn ${turn}`;
    return `session ${this.session} is leased to ${holder}${what}`;
  }
}

/** As many leases are held as may be; `holders` are those, oldest first. */
export class CapacityReached extends Schema.TaggedError<CapacityReached>()("CapacityReached", {
  ...where,
  active: Schema.Int,
  max: Schema.Int,
  holders: Schema.Array(LeaseInfo),
  oldestMs: Schema.Int,
}) {
  override get message(): string {
    const names = this.holders
      .map((held) => `${held.session} by ${Core.holderSeen(held)}`)
      .join(", ");
    const held = `${this.active} of ${this.max} are held: ${names}`;
    return `session ${this.session} gets no lease: ${held}`;
  }
}

/** The same work; who holds leases is told as times are told here. */
export const withToldHolders = <A, E, R>(
  work: Effect.Effect<A, E | Core.LeaseHeld | Core.CapacityReached, R>,
): Effect.Effect<
  A,
  Exclude<E, Core.LeaseHeld | Core.CapacityReached> | LeaseHeld | CapacityReached,
  R
> =>
  Effect.mapError(work, (failure) => {
    if (failure instanceof Core.LeaseHeld) {
      const { ageMs, attempted, holder, session } = failure;
      return new LeaseHeld({ session, attempted, holder: leaseInfo(holder), ageMs });
    }
    if (failure instanceof Core.CapacityReached) {
      const { active, attempted, holders, max, oldestMs, session } = failure;
      const told = { holders: holders.map(leaseInfo), oldestMs };
      return new CapacityReached({ session, attempted, active, max, ...told });
    }
    return failure as Exclude<E, Core.LeaseHeld | Core.CapacityReached>;
  });
