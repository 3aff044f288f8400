/**
 * Looks: the looks of one kind that somebody takes while he waits: when the next one is due,
 * whether one is under way, and how the last one failed.
 *
 * The pause behind a look doubles up to a longest one, and is at least four times as long as the
 * look took, so that looking never takes most of the time. A look that fails tells nothing; only
 * that it could not be had is remembered.
 */
import { Clock, Effect, Either } from "effect";
import { LookupFailed, type RegistryFailure } from "./SessionError.js";

/** A look that has taken so long when the time is up is one that could not be had. */
const SLOW_MS = 250;

/** Why something could not be found out. */
export type Unknown = LookupFailed | RegistryFailure;

/** Mutable; one fiber at a time looks. */
export class Looks {
  private pauseMs: number;
  private sinceMs: number | null = null;
  private last: "none" | "told" | Unknown = "none";

  constructor(
    /** When the next look is due. */
    public dueMs: number,
    private readonly firstMs: number,
    private readonly longestMs: number,
  ) {
    this.pauseMs = firstMs;
  }

  /** Takes a look; `null` when it failed. */
  take<A, R>(ask: Effect.Effect<A, Unknown, R>) {
    return Effect.gen(this, function* () {
      const beganMs = yield* Clock.currentTimeMillis;
      this.sinceMs = beganMs;
      const taken = yield* Effect.either(ask);
      const now = yield* Clock.currentTimeMillis;
      this.sinceMs = null;
      this.last = Either.isLeft(taken) ? taken.left : "told";
      this.dueMs = now + Math.max(this.pauseMs, 4 * (now - beganMs));
      this.pauseMs = Math.min(2 * this.pauseMs, this.longestMs);
      return Either.isRight(taken) ? { told: taken.right } : null;
    });
  }

  /** The next look is due at once, and the pause behind it is a first one again. */
  hurry(now: number): void {
    this.dueMs = now;
    this.pauseMs = this.firstMs;
  }

  /** The next pause is a first one again, where the next look has been due for a longest one. */
  rest(now: number): void {
    if (now >= this.dueMs + this.longestMs) this.pauseMs = this.firstMs;
  }

  /** Why the last look told nothing; `null` when it did. */
  doubt(now: number, session: string, attempted: string): Unknown | null {
    const isSlow = this.sinceMs !== null && now >= this.sinceMs + SLOW_MS;
    if (this.last === "none" || (this.last === "told" && isSlow)) {
      const detail = "it was not answered before the time was up";
      return new LookupFailed({ session, attempted, source: "tmux", reason: "timeout", detail });
    }
    return this.last === "told" ? null : this.last;
  }
}
