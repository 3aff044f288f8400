/**
 * Turns: the service that runs work in sessions, one turn of a writer at a time.
 *
 * The only way to run one: what asks for it, a user or a timer, comes through the same door, shows
 * the lease to be current, and is over only when nothing of it can write any more. An interrupt is
 * for one turn; its cause tells the caller what he gets. A turn whose lease is lost is interrupted
 * as soon as the log of the home tells, and what it asks for meanwhile is refused by the lease.
 */
import { Context, Effect, Layer } from "effect";
import { AwakeClock } from "./AwakeClock.js";
import { Ids } from "./Ids.js";
import type { ClaimRefused } from "./LeaseClaims.js";
import type {
  InterruptCause,
  InterruptSettling,
  LeaseLost,
  TurnInterrupted,
} from "./LeaseError.js";
import { Leases } from "./Leases.js";
import { ProcessTable } from "./ProcessTable.js";
import { Registry } from "./Registry.js";
import type { Closing, MailboxFull } from "./SessionError.js";
import { Settings } from "./Settings.js";
import { makeTurnGate, type TurnActivity } from "./TurnGate.js";
import type { TurnBody } from "./TurnHandle.js";
import { insideTurns } from "./TurnInside.js";
import { isInside, settledWithin, stopSeat } from "./TurnInterrupt.js";
import { runTurn, type TurnServices } from "./TurnRun.js";
import type { TurnSeat } from "./TurnSeat.js";

/** Why a turn does not run, or ran no more. */
export type TurnRefused =
  | ClaimRefused
  | LeaseLost
  | InterruptSettling
  | TurnInterrupted
  | Closing
  | MailboxFull;

/** How a turn is run. */
export interface TurnOptions {
  /** Wait for an interrupt that settles; else it is `InterruptSettling`. */
  readonly waitForSettle?: boolean | undefined;
}

/** Turns in sessions. */
export class Turns extends Context.Tag("@troupe/core/Turns")<
  Turns,
  {
    /**
     * Runs the body as a turn of this writer, behind those that wait already, under its lease,
     * which is claimed for the first one. Done when nothing of it can write any more; an
     * interrupted caller leaves at once what waits, and ends what runs.
     */
    readonly run: <A, E, R>(
      seat: TurnSeat,
      body: TurnBody<A, E, R>,
      options?: TurnOptions,
    ) => Effect.Effect<A, E | TurnRefused, R>;
    /** Interrupts the turn that runs, and drops what waits behind it; whether one ran. */
    readonly interrupt: (seat: TurnSeat, cause: InterruptCause) => Effect.Effect<boolean>;
    /**
     * Waits until the turn that runs is settled, for so long at most; whether it is. From inside
     * that turn it does not wait.
     */
    readonly settled: (seat: TurnSeat, waitMs: number) => Effect.Effect<boolean>;
    /** Whether the caller is part of the turn that runs. */
    readonly isInside: (seat: TurnSeat) => Effect.Effect<boolean>;
    /** What runs, and when something last happened. */
    readonly activity: Effect.Effect<TurnActivity>;
    /**
     * Refuses every further turn with `Closing`; done when what was let in has unwound. From inside
     * a turn it does not wait.
     */
    readonly retire: Effect.Effect<void>;
  }
>() {
  /** The service. Closing it interrupts nothing: each turn is its caller's. */
  static readonly layer: Layer.Layer<Turns, never, TurnPorts> = Layer.scoped(
    Turns,
    Effect.gen(function* () {
      const awake = yield* AwakeClock;
      const gate = yield* makeTurnGate(awake);
      const services: TurnServices = {
        awake,
        gate,
        leases: yield* Leases,
        registry: yield* Registry,
        processes: yield* ProcessTable,
        ids: yield* Ids,
        settings: yield* Settings,
        scope: yield* Effect.scope,
      };
      return {
        run: (seat, body, options) => runTurn(services, seat, body, options),
        interrupt: (seat, cause) => stopSeat(services, seat, cause),
        settled: (seat, waitMs) => settledWithin(services, seat, waitMs),
        isInside,
        activity: gate.activity,
        retire: Effect.flatMap(insideTurns, ([inside]) =>
          inside === undefined ? gate.retire : gate.close,
        ),
      };
    }),
  );
}

/** What the service is made over. */
export type TurnPorts = Leases | Registry | ProcessTable | Ids | AwakeClock;
