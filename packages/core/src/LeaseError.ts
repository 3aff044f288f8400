/**
 * LeaseError: why a turn does not run, or runs no more: of the family of `SessionError`.
 *
 * Three refusals that are different facts: somebody holds the lease, there is no room for one more,
 * and (as `RegistryUnavailable` and `RegistryCorrupt`) it could not be found out. A holder of whom
 * it is not known whether he lives is one who holds it, named, with that in his view.
 */
import { Schema } from "effect";
import { LeaseId, type LeaseRecord, LeaseView, TurnId } from "./Lease.js";

const where = { session: Schema.NullOr(Schema.String), attempted: Schema.String };

/** Why a turn was interrupted. */
export const InterruptCause = Schema.Literal(
  "user_stop",
  "client_gone",
  "lease_takeover",
  "closing",
  "lease_lost",
);
export type InterruptCause = typeof InterruptCause.Type;

/** Who holds a lease, in a word: his process where it is known. */
export const holderText = ({ owner, pid }: Pick<LeaseRecord, "owner" | "pid">): string =>
  pid === null ? owner : `process ${pid}`;

/** The same, and whether he lives: his process, or any that runs a turn for it. */
export const holderSeen = (
  view: Pick<LeaseView, "children" | "holder" | "owner" | "pid">,
): string => {
  const isCertain = view.holder === "dead" || view.holder === "self";
  const children = isCertain ? [] : view.children.map(({ pid }) => `its child ${pid}`);
  const processes = [holderText(view), ...children];
  return `${processes.join(" or ")} (${view.holder})`;
};

/**
 * Another writer holds the lease of the session, or may: `holder.holder` says whether it lives. A
 * lease does not prove that a turn runs, so of another program's that is told as unknown.
 */
export class LeaseHeld extends Schema.TaggedError<LeaseHeld>()("LeaseHeld", {
  ...where,
  holder: LeaseView,
  ageMs: Schema.Int,
}) {
  override get message(): string {
    const { activity, surface } = this.holder;
    return `session ${this.session} is leased to ${holderSeen(this.holder)} for ${surface} since ${this.ageMs} ms; whether a turn runs: ${activity}`;
  }
}

/** As many leases are held as may be. `holders` are those, oldest first. */
export class CapacityReached extends Schema.TaggedError<CapacityReached>()("CapacityReached", {
  ...where,
  active: Schema.Int,
  max: Schema.Int,
  holders: Schema.Array(LeaseView),
  oldestMs: Schema.Int,
}) {
  /** How many are held for each surface. */
  get surfaces(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { surface } of this.holders) counts.set(surface, (counts.get(surface) ?? 0) + 1);
    return counts;
  }

  override get message(): string {
    const groups = [...this.surfaces].map(([surface, held]) => `${surface}: ${held}`).join(", ");
    return `session ${this.session} gets no lease: ${this.active} of ${this.max} are held (${groups}), the oldest since ${this.oldestMs} ms`;
  }
}

/**
 * The lease is not ours any more: it was taken over or dropped. `current` is the epoch that the
 * name has now, `null` where nobody holds it or that could not be read, and `holder` who has it,
 * where that is known. Nothing more is written under it.
 */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", {
  ...where,
  lease: LeaseId,
  held: Schema.Int,
  current: Schema.NullOr(Schema.Int),
  holder: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null }),
}) {
  override get message(): string {
    const by = this.holder === null ? "" : `, of ${this.holder}`;
    const now =
      this.current === null ? "nobody is known to hold one" : `now at epoch ${this.current}${by}`;
    return `the lease of session ${this.session} (epoch ${this.held}) was lost: ${now}`;
  }
}

/** An interrupt settles; at `settlesBy` (awake time) it is over. Nothing was begun. */
export class InterruptSettling extends Schema.TaggedError<InterruptSettling>()(
  "InterruptSettling",
  { ...where, turn: TurnId, settlesBy: Schema.Number },
) {
  override get message(): string {
    return `session ${this.session} settles an interrupted turn; try again`;
  }
}

/** The turn was interrupted, or dropped before it began: then `turn` is `null`. */
export class TurnInterrupted extends Schema.TaggedError<TurnInterrupted>()("TurnInterrupted", {
  ...where,
  turn: Schema.NullOr(TurnId),
  by: InterruptCause,
}) {
  override get message(): string {
    const what = this.turn === null ? "was dropped before it began" : "was interrupted";
    return `the turn in session ${this.session} ${what}: ${this.by}`;
  }
}
