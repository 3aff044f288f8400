/**
 * LeaseClaims: how a writer gets a lease, takes one over, and moves it.
 *
 * Of one name one of these runs at a time in this program; between programs the transaction of the
 * registry decides. None can be interrupted between the question and its answer, so a writer has
 * what it was given or nothing. A takeover asks the old turn to stop only when it is done.
 */
import { Effect } from "effect";
import { HeldLease, type HeldLeases, type LeaseWriter } from "./HeldLeases.js";
import { type LeaseId, type LeaseRecord, type OwnedLease, ownedLease } from "./Lease.js";
import type { CapacityReached, LeaseHeld, LeaseLost } from "./LeaseError.js";
import { leaseLost } from "./LeaseRows.js";
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

/** How a lease is asked for. */
type Ask<E> = (request: LeaseRequest) => Effect.Effect<LeaseRecord, E>;

/** The calls of `Leases` that give a lease to somebody. */
export type LeaseClaims = Pick<Leases["Type"], "claim" | "claimBy" | "takeOver" | "reanchor">;

const attempted = "lease";

/** A lease, and what is done behind it. */
interface Got {
  readonly lease: OwnedLease;
  readonly behind: Effect.Effect<void>;
}

/** Whether a sibling's lease may be taken from it. */
const isLeft = ({ ended, state, writer }: HeldLease): boolean =>
  state._tag === "Held" && !ended && !writer.attended();

/** The lease of a sibling for this writer; the same one at a new epoch. */
const takenFrom = ({ held, registry }: Claiming, sibling: HeldLease, writer: LeaseWriter) =>
  Effect.gen(function* () {
    const { actor, session } = writer;
    const from = sibling.lease;
    if (from === null) return yield* Effect.dieMessage("a sibling without a lease");
    const record = yield* registry.moveLease(from, { attempted, session, actor });
    sibling.step({ _tag: "TakenOver" });
    const own = new HeldLease(writer);
    own.step({ _tag: "Wanted" });
    const lease = ownedLease(record);
    own.step({ _tag: "Claimed", lease });
    held.add(own);
    held.prune();
    const got: Got = { lease, behind: sibling.writer.taken };
    return got;
  });

/** Asks for a lease; a writer that is refused holds nothing. */
const claimed = <E>(claiming: Claiming, writer: LeaseWriter, ask: Ask<E>) =>
  Effect.gen(function* () {
    const { capacity, component, held, newId } = claiming;
    const { actor, session, surface } = writer;
    const own = new HeldLease(writer);
    own.step({ _tag: "Wanted" });
    held.add(own);
    const request = { session, attempted, component, actor, surface, capacity };
    const record = yield* ask({ ...request, lease: yield* newId }).pipe(
      Effect.onError(() =>
        Effect.sync(() => {
          own.step({ _tag: "Refused" });
          held.prune();
        }),
      ),
    );
    const lease = ownedLease(record);
    own.step({ _tag: "Claimed", lease });
    const got: Got = { lease, behind: Effect.void };
    return got;
  });

/** Asks, and where a sibling that is left holds it, takes it from him. */
const claimedOrTaken = (
  claiming: Claiming,
  writer: LeaseWriter,
): Effect.Effect<Got, ClaimRefused> =>
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
    return Effect.map(claimed(claiming, writer, ask), (got): Got => {
      if (sibling === null) return got;
      sibling.step({ _tag: "Mismatch" });
      held.prune();
      return { ...got, behind: sibling.writer.taken };
    });
  });

/** What is done behind a takeover changes nothing of it. */
const andBehind = <E>(got: Effect.Effect<Got, E>): Effect.Effect<OwnedLease, E> =>
  Effect.flatMap(got, ({ behind, lease }) =>
    Effect.as(
      Effect.catchAllCause(behind, (cause) =>
        Effect.logWarning(`a turn of ${lease.session} was not asked to stop`, cause),
      ),
      lease,
    ),
  );

/** The calls, over the leases that are held. */
export const leaseClaims = (claiming: Claiming): LeaseClaims => {
  const { held, locks, onHeld, registry } = claiming;
  const known = (writer: LeaseWriter): OwnedLease | null =>
    held.by(writer.session, writer.actor)?.lease ?? null;
  const alone = <A, E>(session: SessionName, effect: Effect.Effect<A, E>) =>
    locks.alone(session)(Effect.uninterruptible(Effect.tap(effect, onHeld)));
  return {
    claim: (writer) =>
      Effect.suspend(() => {
        const got = Effect.suspend((): Effect.Effect<Got, ClaimRefused> => {
          const lease = known(writer);
          if (lease !== null) return Effect.succeed({ lease, behind: Effect.void });
          return claimedOrTaken(claiming, writer);
        });
        return andBehind(alone(writer.session, got));
      }),
    // Not alone: the message that asks for it is, and one that it waits for may want to be.
    claimBy: (writer, ask) =>
      andBehind(Effect.uninterruptible(Effect.tap(claimedOver(claiming, writer, ask), onHeld))),
    takeOver: (from, writer) => {
      const got = Effect.suspend((): Effect.Effect<Got, ClaimRefused | LeaseLost> => {
        const sibling = held.by(writer.session, from);
        // Who is not there, or not left, is refused as by a claim: with who holds it.
        if (sibling === null || !isLeft(sibling)) {
          return claimed(claiming, writer, registry.claimLease);
        }
        return takenFrom(claiming, sibling, writer);
      });
      return andBehind(alone(writer.session, got));
    },
    reanchor: (lease, to) => {
      const moved = Effect.suspend(() => {
        const own = held.of(lease);
        if (own === null || own.state._tag !== "Held") return leaseLost([], lease, attempted);
        return registry.moveLease(lease, { attempted, session: to, actor: lease.actor }).pipe(
          Effect.tapError((error) =>
            Effect.sync(() => {
              if (error._tag === "LeaseLost") own.step({ _tag: "Mismatch" });
              held.prune();
            }),
          ),
          Effect.map((record) => {
            const anchored = ownedLease(record);
            own.step({ _tag: "Moved", lease: anchored });
            return anchored;
          }),
        );
      });
      return alone(lease.session, moved);
    },
  };
};
