/**
 * DetachmentWatch: the one fiber that waits for a writer that nobody is at.
 *
 * A new detachment starts one, and whoever is there again cuts it off; one that is cut off too late
 * finds another number, and does nothing. Not what decides.
 */
import { Effect, Fiber, type Scope } from "effect";
import { type Orphan, reap, watchOrphan } from "./OrphanReaper.js";

/** Of one writer. */
export class DetachmentWatch {
  private fiber: Fiber.RuntimeFiber<void> | null = null;

  constructor(
    private readonly orphan: Orphan,
    private readonly scope: Scope.Scope,
  ) {}

  /** Watches the detachment that there is now. */
  readonly start: Effect.Effect<void> = Effect.suspend(() =>
    Effect.map(
      Effect.forkIn(Effect.interruptible(watchOrphan(this.orphan)), this.scope),
      (fiber) => {
        this.fiber = fiber;
      },
    ),
  );

  /** Waits for nobody any more, where somebody is there; is not waited for itself. */
  readonly cut: Effect.Effect<void> = Effect.suspend(() => {
    const { fiber } = this;
    if (fiber === null || this.orphan.attendance.detachment !== null) return Effect.void;
    this.fiber = null;
    return Fiber.interruptFork(fiber);
  });

  /** Ends the writer, as the step that was just taken says. */
  readonly reap: Effect.Effect<void> = Effect.suspend(() =>
    Effect.asVoid(Effect.forkIn(reap(this.orphan), this.scope)),
  );
}
