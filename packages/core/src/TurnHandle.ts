/**
 * TurnHandle: what the body of a turn has of it.
 *
 * It is of this turn alone: behind its end nothing of it does anything.
 */
import { Effect } from "effect";
import type { AwakeClock } from "./AwakeClock.js";
import type { ProcessId } from "./Identity.js";
import type { Lease, TurnId } from "./Lease.js";
import type { InterruptCause, LeaseLost } from "./LeaseError.js";
import type { Leases } from "./Leases.js";
import type { ProcessTable } from "./ProcessTable.js";
import type { RegistryFailure } from "./SessionError.js";
import { stillThere } from "./TurnChild.js";
import type { TurnGate } from "./TurnGate.js";
import { stopTurn } from "./TurnInterrupt.js";
import type { RunningTurn, TurnSeat } from "./TurnSeat.js";

/** A turn, to whoever runs it. */
export interface TurnHandle {
  readonly id: TurnId;
  /** Says that something happened. */
  readonly touch: Effect.Effect<void>;
  /** Interrupts this turn; whether it still ran. */
  readonly interrupt: (cause: InterruptCause) => Effect.Effect<boolean>;
  /**
   * Names a process that runs it, as soon as that is known: the lease is then not given up for
   * dead, and the turn not over, before that is gone. Any number are named, one by one, and all
   * count, as do those of a sibling that had the lease. `null`: of its own there is none any more.
   * Not interrupted half-way: what is noted is written.
   */
  readonly child: (process: ProcessId | null) => Effect.Effect<void, LeaseLost | RegistryFailure>;
}

/** Work in a session. It has a lease, or it does not run. */
export type TurnBody<A, E, R> = (turn: TurnHandle, lease: Lease) => Effect.Effect<A, E, R>;

/** What a handle needs. */
interface HandleServices {
  readonly awake: AwakeClock["Type"];
  readonly gate: TurnGate;
  readonly leases: Leases["Type"];
  readonly processes: ProcessTable["Type"];
  readonly settings: { readonly turnSettleMs: number };
}

/** Remembers the child beside those before it that are not positively gone. */
const named = (services: HandleServices, turn: RunningTurn, child: ProcessId) =>
  Effect.gen(function* () {
    const before = turn.children;
    turn.children = [...before, child];
    const left = yield* stillThere(services, before);
    turn.children = turn.children.filter((one) => !before.includes(one) || left.includes(one));
  });

/** Writes the children down, as they are when it is their turn to be written. */
const written = ({ leases }: HandleServices, turn: RunningTurn, lease: Lease) =>
  Effect.suspend(() => leases.guarded(leases.latest(lease), { children: turn.children }));

/** The handle of a turn. */
export const handleOf = (
  services: HandleServices,
  seat: TurnSeat,
  turn: RunningTurn,
  lease: Lease,
): TurnHandle => {
  // Of two at once an older list could be written last, and a program that dies then says no more.
  const oneByOne = Effect.unsafeMakeSemaphore(1).withPermits(1);
  // Those of a turn before it are not its own to take back.
  const { children: inherited } = turn;
  return {
    id: turn.id,
    touch: Effect.flatMap(services.awake.now, (now) =>
      Effect.suspend(() => {
        if (seat.running !== turn) return Effect.void;
        turn.lastActivity = now;
        return services.gate.touch;
      }),
    ),
    interrupt: (cause) => stopTurn(services, seat, turn.id, cause),
    child: (process) =>
      Effect.suspend(() => {
        if (seat.running !== turn || turn.isOver) return Effect.void;
        if (process === null) turn.children = inherited;
        const noted = process === null ? Effect.void : named(services, turn, process);
        return Effect.uninterruptible(
          Effect.zipRight(noted, oneByOne(written(services, turn, lease))),
        );
      }),
  };
};
