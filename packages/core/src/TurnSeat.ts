/**
 * TurnSeat: the place of one writer in a session: the turn that runs, and those that wait for it.
 *
 * One turn at a time, the others in order, so many and no more. An interrupt is for one turn: it
 * drops what waits behind it, and one that comes late meets no other. A seat that closes lets
 * nobody in again. Changes are single synchronous steps; nothing runs here.
 */
import { Deferred, Effect, Exit, type Fiber, FiberId } from "effect";
import type { AwakeMillis } from "./AwakeClock.js";
import type { EndReason } from "./EndReason.js";
import type { LeaseWriter } from "./HeldLeases.js";
import type { ProcessId } from "./Identity.js";
import type { Lease, TurnId } from "./Lease.js";
import { type InterruptCause, TurnInterrupted } from "./LeaseError.js";
import { Closing, MailboxFull } from "./SessionError.js";

const attempted = "run a turn";

/** A turn that runs, or ends. */
export interface RunningTurn {
  readonly id: TurnId;
  readonly startedAt: AwakeMillis;
  /** When something last happened in it, in awake time; its begin, while nothing did. */
  lastActivity: AwakeMillis;
  fiber: Fiber.RuntimeFiber<unknown, unknown> | null;
  /** Why it was interrupted; `null` while nobody did. */
  cause: InterruptCause | null;
  /** When its interrupt is over, one way or the other. */
  settlesBy: AwakeMillis | null;
  /** The processes that run it, where others do and may still live; oldest first. */
  children: ReadonlyArray<ProcessId>;
  /** Whether nothing of it runs any more: whom it names from then on it names in vain. */
  isOver: boolean;
  /** Done when nothing of it can write any more. */
  readonly settled: Deferred.Deferred<void>;
}

/** Why who waits does not come in. */
export type Dropped = TurnInterrupted | Closing;

/** What tells whether who was let in was dropped before it began. */
type Entering = Effect.Effect<() => Dropped | null, Dropped | MailboxFull>;

interface Ticket {
  readonly go: Deferred.Deferred<void, Dropped>;
  isIn: boolean;
}

/** How long a lease is kept: as long as the writer is there, or for each turn. */
export type LeaseKind = "interactive" | "turn";

/** One writer's. */
export class TurnSeat {
  running: RunningTurn | null = null;
  lease: Lease | null = null;
  /** Whether the lease was lost: this writer runs no turn any more. */
  isLost = false;
  closing: EndReason | null = null;
  private isTaken = false;
  /** Whether who has the seat was let in and has not begun. */
  private isEntering = false;
  private waiting: Array<Ticket> = [];
  /** Grows with all that drops who waits; who was let in before and has not begun is void. */
  private drops = 0;
  private lastDrop: Dropped | null = null;

  constructor(
    readonly writer: LeaseWriter,
    readonly kind: LeaseKind,
    private readonly bound: number,
  ) {}

  /** Whether a turn is in it, or on its way in. */
  get isInUse(): boolean {
    return this.isTaken;
  }

  /** Whether a turn was accepted that has not begun: it waits, or its lease is asked for. */
  get isAwaited(): boolean {
    return this.isEntering || this.waiting.length > 0;
  }

  /** Waits for the seat; in order. Gives what tells later whether it was dropped meanwhile. */
  readonly enter = Effect.suspend((): Entering => {
    const { session } = this.writer;
    if (this.closing !== null) return new Closing({ session, attempted });
    const { drops } = this;
    const isDropped = () => (this.drops === drops ? null : this.lastDrop);
    if (!this.isTaken) {
      this.isTaken = true;
      this.isEntering = true;
      return Effect.succeed(isDropped);
    }
    if (this.waiting.length >= this.bound) {
      return new MailboxFull({ session, attempted, bound: this.bound });
    }
    const ticket: Ticket = { go: Deferred.unsafeMake(FiberId.none), isIn: false };
    this.waiting.push(ticket);
    return Deferred.await(ticket.go).pipe(
      Effect.as(isDropped),
      Effect.onInterrupt(() => this.takeOut(ticket)),
    );
  });

  /** Why who was let in does not begin, as far as the seat knows; `lost` is its lease. */
  refusal(dropped: () => Dropped | null): Dropped | "lost" | null {
    const { session } = this.writer;
    if (this.closing !== null) return new Closing({ session, attempted });
    if (this.isLost && this.lease !== null) return "lost";
    return dropped();
  }

  /**
   * Begins the turn that was let in, in the step in which nothing speaks against it; else why not.
   * From that step on an interrupt meets the turn, and an end waits for it.
   */
  begin(turn: RunningTurn, dropped: () => Dropped | null): Dropped | "lost" | null {
    const refusal = this.refusal(dropped);
    if (refusal === null) {
      this.running = turn;
      this.isEntering = false;
    }
    return refusal;
  }

  /** Gives the seat to who waits longest. */
  leave(): void {
    const next = this.waiting.shift();
    this.isEntering = next !== undefined;
    if (next === undefined) {
      this.isTaken = false;
      return;
    }
    next.isIn = true;
    Deferred.unsafeDone(next.go, Exit.void);
  }

  /** Tells all who wait that they do not come in, also who is in and has not begun. */
  drop(why: Dropped): void {
    this.drops += 1;
    this.lastDrop = why;
    for (const { go } of this.waiting.splice(0)) Deferred.unsafeDone(go, Exit.fail(why));
  }

  /** Interrupts this turn, once; `false` when it is not the one that runs. */
  interrupt(turn: TurnId, cause: InterruptCause, settlesBy: AwakeMillis): boolean {
    const { running } = this;
    if (running === null || running.id !== turn) return false;
    const { session } = this.writer;
    this.drop(new TurnInterrupted({ session, attempted, turn: null, by: cause }));
    if (running.cause === null) {
      running.cause = cause;
      running.settlesBy = settlesBy;
    }
    return true;
  }

  private takeOut(ticket: Ticket): Effect.Effect<void> {
    return Effect.sync(() => {
      this.waiting = this.waiting.filter((other) => other !== ticket);
      // It was let in at the moment at which it left: the next one is.
      if (ticket.isIn) this.leave();
    });
  }
}
