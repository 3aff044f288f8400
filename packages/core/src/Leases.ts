/**
 * Leases: the service. Who may run turns in a session, across the programs on a home.
 *
 * A lease is claimed for the first turn and never for a create, an attach or a look; whatever is
 * not proven is refused, and why is told by type. What is claimed is vouched for until its row is
 * gone. Of one name one thing happens at a time in this program; what several programs do rests on
 * the registry's transactions. Bound to the registry that it was made over, whatever comes later.
 */
import { Context, type Effect, Layer, type Option, type Scope } from "effect";
import type { AwakeClock } from "./AwakeClock.js";
import type { LeaseWriter } from "./HeldLeases.js";
import type { ProcessId } from "./Identity.js";
import type { Ids } from "./Ids.js";
import type {
  ActorId,
  BorrowedLease,
  Lease,
  LeaseRecord,
  LeaseRef,
  LeaseView,
  LeaseVouch,
  OwnedLease,
  Settlement,
  TurnId,
} from "./Lease.js";
import type { ClaimRefused } from "./LeaseClaims.js";
import type { LeaseHeld, LeaseLost } from "./LeaseError.js";
import { makeLeases } from "./LeaseService.js";
import type { NameLocks } from "./NameLocks.js";
import type { ProcessTable } from "./ProcessTable.js";
import type { Registry } from "./Registry.js";
import type { LeaseNote, LeaseRequest, LeasesSwept } from "./RegistryLeases.js";
import type { RegistryFailure } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";

/** What the service is made over. */
export type LeasePorts = Registry | Ids | AwakeClock | ProcessTable;

/**
 * A turn that runs on behind the end of its writer, and the processes that run it, if others. It
 * may name others as long as it runs: they are asked for at each look; others are another array.
 */
export interface Unsettled {
  readonly turn: TurnId;
  readonly children: ReadonlyArray<ProcessId>;
}

/** Leases of sessions. */
export class Leases extends Context.Tag("@troupe/core/Leases")<
  Leases,
  {
    /**
     * The lease for this writer, with what it has already; else claimed once. Where a sibling of
     * this program holds it that no client is at, it is taken over from him. Whoever is interrupted
     * in it has the lease or nothing.
     */
    readonly claim: (writer: LeaseWriter) => Effect.Effect<OwnedLease, ClaimRefused>;
    /**
     * As `claim`, but asked for in this way, for a writer that holds none: by it a takeover goes
     * over a holder who lives. A sibling that held the lease is told as by any takeover.
     */
    readonly claimBy: <E>(
      writer: LeaseWriter,
      ask: (request: LeaseRequest) => Effect.Effect<LeaseRecord, E>,
    ) => Effect.Effect<OwnedLease, E>;
    /**
     * As `claim`, until the scope closes, which gives it back, as it is then; also where it was
     * moved. One that its writer had already stays with whoever had it.
     */
    readonly acquire: (writer: LeaseWriter) => Effect.Effect<OwnedLease, ClaimRefused, Scope.Scope>;
    /** What a child may use of its parent's: refused unless it is for this name, and current. */
    readonly borrow: (
      vouch: LeaseVouch,
      expecting: SessionName,
    ) => Effect.Effect<BorrowedLease, LeaseHeld | LeaseLost | RegistryFailure>;
    /**
     * Takes the lease that `from`, another writer of this program, holds for the name of `writer`;
     * the same lease at a new epoch. Refused while a client is at `from`, or it ends. The turn of
     * `from` is asked to stop behind it.
     */
    readonly takeOver: (
      from: ActorId,
      writer: LeaseWriter,
    ) => Effect.Effect<OwnedLease, ClaimRefused | LeaseLost>;
    /** Moves it to another name, which it has before it lets go of its own, or changes nothing. */
    readonly reanchor: (
      lease: OwnedLease,
      to: SessionName,
    ) => Effect.Effect<OwnedLease, ClaimRefused | LeaseLost>;
    /** What became of it: where it was moved, the name and epoch that it has by now. */
    readonly latest: <A extends Lease>(lease: A) => A | OwnedLease;
    /** That the lease was lost, and who has the name now; for who found out that it is. */
    readonly lost: (lease: LeaseRef, attempted: string) => Effect.Effect<LeaseLost>;
    /**
     * Shows that the lease is current, and writes what its holder says of itself, in one
     * transaction; the processes that it names then, also those that a sibling named from whom it
     * was taken. A borrowed one is only looked at, and names none.
     */
    readonly guarded: (
      lease: Lease,
      note?: LeaseNote,
    ) => Effect.Effect<ReadonlyArray<ProcessId>, LeaseLost | RegistryFailure>;
    /**
     * Gives it back, wherever it was moved. Idempotent; when it fails it is owed: nobody uses it
     * before he claims it again, and the next try or the sweep gives it back.
     */
    readonly release: (lease: OwnedLease) => Effect.Effect<void, RegistryFailure>;
    /** Gives it back when this turn is settled, whatever the scope of its writer does. */
    readonly defer: (lease: OwnedLease, unsettled: Unsettled) => Effect.Effect<void>;
    /**
     * Gives back all that this writer holds, for whatever name, and what it owes; with a turn that
     * runs on, behind that.
     */
    readonly end: (
      actor: ActorId,
      unsettled: Unsettled | null,
    ) => Effect.Effect<void, RegistryFailure>;
    /** Tells that a turn can write no more; of one that nothing waits for it says nothing. */
    readonly settle: (settlement: Settlement) => Effect.Effect<void>;
    /** Does it while nothing is done with the lease of this name in this program. */
    readonly alone: NameLocks["alone"];
    /** Who holds the name's lease, and whether he lives. */
    readonly current: (
      session: SessionName,
    ) => Effect.Effect<Option.Option<LeaseView>, RegistryFailure>;
    /** Every lease of the home, oldest first. */
    readonly all: Effect.Effect<ReadonlyArray<LeaseView>, RegistryFailure>;
    /** Removes a lease whose holder is proved dead; whether there was one. Else `LeaseHeld`. */
    readonly clear: (session: SessionName) => Effect.Effect<boolean, LeaseHeld | RegistryFailure>;
    /** Removes what is left behind: of the dead, and of this program what nobody answers for. */
    readonly sweep: Effect.Effect<LeasesSwept, RegistryFailure>;
  }
>() {
  /** The service; `component` is the part of the program that answers for its leases. */
  static readonly layerFor = (component: string): Layer.Layer<Leases, never, LeasePorts> =>
    Layer.scoped(Leases, makeLeases(component));

  /** The same for a program that has no parts. */
  static readonly layer: Layer.Layer<Leases, never, LeasePorts> = Leases.layerFor("sessions");
}
