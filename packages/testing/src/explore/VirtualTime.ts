/**
 * VirtualTime: an Effect clock whose time stands still until the earliest sleep is woken.
 *
 * Sleeps that end at the same instant end in the order in which they began, as real timers do, and
 * at whole milliseconds, as what a clock tells. A sleep without an end is never woken. It drives
 * nothing itself: the explorer wakes when nothing else can run, `VirtualClock` when a test says so.
 */
import { Clock, Duration, Effect } from "effect";

interface Sleep {
  readonly endsAt: number;
  readonly owner: unknown;
  readonly wake: () => void;
}

/** Mutable; one for each run or test. */
export class VirtualTime implements Clock.Clock {
  readonly [Clock.ClockTypeId]: Clock.ClockTypeId = Clock.ClockTypeId;
  private nowMs = 0;
  private sleeps: Array<Sleep> = [];

  /** `ownerOf` says whose a sleep is that begins now, for `lose`. */
  constructor(private readonly ownerOf: () => unknown = () => null) {}

  unsafeCurrentTimeMillis(): number {
    return this.nowMs;
  }

  unsafeCurrentTimeNanos(): bigint {
    return BigInt(Math.trunc(this.nowMs)) * 1_000_000n;
  }

  readonly currentTimeMillis = Effect.sync(() => this.unsafeCurrentTimeMillis());
  readonly currentTimeNanos = Effect.sync(() => this.unsafeCurrentTimeNanos());

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return Effect.async<void>((resume) => {
      const endsAt = this.nowMs + Math.ceil(Duration.toMillis(duration));
      if (endsAt === Number.POSITIVE_INFINITY) return Effect.void;
      const sleep = { endsAt, owner: this.ownerOf(), wake: () => resume(Effect.void) };
      this.sleeps.push(sleep);
      return Effect.sync(() => {
        this.sleeps = this.sleeps.filter((other) => other !== sleep);
      });
    });
  }

  /** When the next sleep ends, now if it should have before; `null` when nobody sleeps. */
  get next(): number | null {
    const sleep = this.earliest();
    return sleep === undefined ? null : Math.max(sleep.endsAt, this.nowMs);
  }

  /** Whose sleep ends next. */
  get nextOwner(): unknown {
    return this.earliest()?.owner ?? null;
  }

  /** Moves to the end of the earliest sleep and wakes it. */
  wakeNext(): void {
    const sleep = this.earliest();
    if (sleep === undefined) return;
    this.sleeps = this.sleeps.filter((other) => other !== sleep);
    this.moveTo(sleep.endsAt);
    sleep.wake();
  }

  /** Moves to an instant, never back; sleeps that should have ended before are next. */
  moveTo(millis: number): void {
    this.nowMs = Math.max(this.nowMs, millis);
  }

  /** Forgets the sleeps of an owner, who is never woken. */
  lose(owner: unknown): void {
    this.sleeps = this.sleeps.filter((sleep) => sleep.owner !== owner);
  }

  private earliest(): Sleep | undefined {
    let [first] = this.sleeps;
    for (const sleep of this.sleeps) {
      if (first !== undefined && sleep.endsAt < first.endsAt) first = sleep;
    }
    return first;
  }
}
