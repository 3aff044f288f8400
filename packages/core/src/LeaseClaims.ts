/**
 * LeaseClaims: how a writer gets a lease, or takes one over.
 *
 * Of one name one of these runs at a time in this program; between programs the transaction of the
 * registry decides. None can be interrupted between the question and its answer, so a writer has
 * what it was given or nothing. What was given up is claimed again, never used again. A takeover
 * asks the old turn to stop only when it is done.
 */
import { Clock, Effect, Option } from "effect";
import { HeldLease, type HeldLeases, type LeaseWriter } from "./HeldLeases.js";
import { type LeaseId, type LeaseRecord, type OwnedLease, ownedLease } from "./Lease.js";
import { leftInDoubt } from "./LeaseDoubt.js";
import type { CapacityReached, LeaseHeld, LeaseLost } from "./LeaseError.js";
import { leaseHeld } from "./LeaseRows.js";
import type { Leases } from "./Leases.js";
import type { NameLocks } from "./NameLocks.js";
import type { Registry } from "./Registry.js";
import type { LeaseRequest } from "./RegistryLeases.js";
import type { NotFound, RegistryFailure } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";

/** Why a lease is not given: nobody is there, somebody holds it, there is no room, or unknown. */
export type ClaimRefused = NotFound | LeaseHeld | CapacityReached | RegistryFailure;

/** What leases are claimed with. */
export interface Claiming {
  readonly registry: Registry["Type"];
  readonly held: HeldLeases;
  readonly locks: NameLocks;
  readonly component: string;
  readonly capacity: number | null;
  readonly newId: Effect.Effect<LeaseId>;
  /** Run when something is held. */
  readonly onHeld: Effect.Effect<unknown>;
}

/** How a lease is asked for; and who wants it, noted in the step in which its writer has it. */
type Ask<E> = (request: LeaseRequest) => Effect.Effect<LeaseRecord, E>;
type Wants = (own: HeldLease) => void;

/** The calls of `Leases` that give a lease to somebody. */
export interface LeaseClaims extends Pick<Leases["Type"], "claimBy" | "takeOver"> {
  /** As `Leases.claim`, for whoever wants it in this way. */
  readonly claim: (writer: LeaseWriter, wants: Wants) => Effect.Effect<ClaimedLease, ClaimRefused>;
}

const attempted = "lease";

/** A lease, as it was given to its writer, and what is done behind that. */
export interface ClaimedLease {
  readonly own: HeldLease;
  readonly lease: OwnedLease;
  readonly behind: Effect.Effect<void>;
}

const leaseOf = ({ lease }: ClaimedLease): OwnedLease => lease;

/** Whether a sibling's lease may be taken from it: nobody is at that, or it gave the lease up. */
const isLeft = ({ state, writer }: HeldLease): boolean =>
  state._tag === "Owed" || (state._tag === "Held" && !writer.attended());

/**
 * Asks for a lease, or for that of a sibling; a writer that is refused holds nothing. It is vouched
 * for before the answer, also where the sibling hears first that it has lost it.
 */
const claimed = <E>(
  claiming: Claiming,
  writer: LeaseWriter,
  ask: Ask<E>,
  from: HeldLease | null = null,
) =>
  Effect.gen(function* () {
    const { capacity, component, held, newId } = claiming;
    const { actor, session, surface } = writer;
    const owed = held.by(session, actor);
    const own = owed?.state._tag === "Owed" ? owed : new HeldLease(writer);
    own.step({ _tag: "Wanted" });
    held.add(own);
    const request = { session, attempted, component, actor, surface, capacity };
    const record = yield* ask({ ...request, lease: yield* newId }).pipe(
      Effect.onError((cause) =>
        Effect.suspend(() => {
          own.step({ _tag: "Refused" });
          held.prune();
          return leftInDoubt(claiming, cause, from);
        }),
      ),
    );
    const lease = ownedLease(record);
    own.step({ _tag: "Claimed", lease });
    own.written(record, from);
    const got: ClaimedLease = { own, lease, behind: Effect.void };
    return got;
  });

/** The lease of a sibling for this writer; the same one at a new epoch. */
const takenFrom = (claiming: Claiming, sibling: HeldLease, writer: LeaseWriter) =>
  Effect.gen(function* () {
    const { lease } = sibling;
    if (lease === null) return yield* Effect.dieMessage("a sibling without a lease");
    const isOwed = sibling.state._tag === "Owed";
    const asks: Ask<NotFound | LeaseHeld | LeaseLost | RegistryFailure> = ({ actor, session }) =>
      claiming.registry.moveLease(lease, { attempted, session, actor });
    const got: ClaimedLease = yield* claimed(claiming, writer, asks, sibling);
    sibling.step({ _tag: "TakenOver" });
    claiming.held.prune();
    // Who gave it up runs nothing under it that could be asked to stop.
    return { ...got, behind: isOwed ? Effect.void : sibling.writer.taken };
  });

/** Asks, and where a sibling that is left holds it, takes it from him. */
const claimedOrTaken = (
  claiming: Claiming,
  writer: LeaseWriter,
): Effect.Effect<ClaimedLease, ClaimRefused> =>
  Effect.catchTag(
    claimed(claiming, writer, claiming.registry.claimLease),
    "LeaseHeld",
    (refusal) => {
      const sibling = claiming.held.sibling(writer.session, writer.actor);
      if (sibling === null || !isLeft(sibling)) return refusal;
      // What is lost meanwhile is nobody's that we could take it from.
      return Effect.catchTag(takenFrom(claiming, sibling, writer), "LeaseLost", () => refusal);
    },
  );

/** Asks in this way; a sibling that held it has lost it, if it was given. */
const claimedOver = <E>(claiming: Claiming, writer: LeaseWriter, ask: Ask<E>) =>
  Effect.suspend(() => {
    const { held } = claiming;
    const sibling = held.sibling(writer.session, writer.actor);
    return Effect.map(claimed(claiming, writer, ask), (got): ClaimedLease => {
      if (sibling === null) return got;
      sibling.step({ _tag: "Mismatch" });
      held.prune();
      return { ...got, behind: sibling.writer.taken };
    });
  });

/** What a writer has already, else what it gets; one that is given up is not its own any more. */
const knownOrClaimed = (
  claiming: Claiming,
  writer: LeaseWriter,
): Effect.Effect<ClaimedLease, ClaimRefused> => {
  const { actor, session } = writer;
  const own = claiming.held.by(session, actor);
  if (own === null || own.state._tag === "Owed") return claimedOrTaken(claiming, writer);
  if (own.state._tag === "Held") {
    return Effect.succeed({ own, lease: own.state.lease, behind: Effect.void });
  }
  // It waits for a turn of this very writer, and goes behind that.
  return Effect.flatMap(
    claiming.registry.leaseOf(session),
    Option.match({
      onNone: () => claimedOrTaken(claiming, writer),
      onSome: (view) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => leaseHeld(view, now, attempted)),
    }),
  );
};

/** What is done behind a takeover changes nothing of it. */
const andBehind = <E>(got: Effect.Effect<ClaimedLease, E>): Effect.Effect<ClaimedLease, E> =>
  Effect.tap(got, ({ behind, lease }) =>
    Effect.catchAllCause(behind, (cause) =>
      Effect.logWarning(`a turn of ${lease.session} was not asked to stop`, cause),
    ),
  );

const keeps: Wants = (own) => own.keep();

/** The calls, over the leases that are held. */
export const leaseClaims = (claiming: Claiming): LeaseClaims => {
  const { held, locks, onHeld, registry } = claiming;
  const wanted = <E>(got: Effect.Effect<ClaimedLease, E>, wants: Wants) =>
    Effect.tap(got, ({ own }) =>
      Effect.zipRight(
        Effect.sync(() => wants(own)),
        onHeld,
      ),
    );
  const alone = <E>(session: SessionName, got: Effect.Effect<ClaimedLease, E>, wants: Wants) =>
    andBehind(locks.alone(session)(Effect.uninterruptible(wanted(got, wants))));
  return {
    claim: (writer, wants) => {
      const got = Effect.suspend(() => knownOrClaimed(claiming, writer));
      return alone(writer.session, got, wants);
    },
    // Not alone: the message that asks for it is, and one that it waits for may want to be.
    claimBy: (writer, ask) => {
      const got = claimedOver(claiming, writer, ask);
      return Effect.map(andBehind(Effect.uninterruptible(wanted(got, keeps))), leaseOf);
    },
    takeOver: (from, writer) => {
      const got = Effect.suspend((): Effect.Effect<ClaimedLease, ClaimRefused | LeaseLost> => {
        const sibling = held.by(writer.session, from);
        // Who is not there, or not left, is refused as by a claim: with who holds it.
        if (sibling === null || !isLeft(sibling)) {
          return claimed(claiming, writer, registry.claimLease);
        }
        return takenFrom(claiming, sibling, writer);
      });
      return Effect.map(alone(writer.session, got, keeps), leaseOf);
    },
  };
};
