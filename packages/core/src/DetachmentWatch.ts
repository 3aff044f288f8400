/**
 * DetachmentWatch: the one fiber that waits for a writer that nobody is at.
 *
 * A new detachment starts one, and the step that leaves that detachment cuts it off, whoever takes
 * it: somebody who is there again, the end of the writer, a detachment anew. One that is cut off
 * too late finds another number, and does nothing. Not what decides.
 */
import { Effect, type Fiber, type Scope } from "effect";
import { type Orphan, reap, watchOrphan } from "./OrphanReaper.js";
import { askToEnd, forkOwned } from "./OwnedFiber.js";

interface Watched {
  readonly generation: number;
  fiber: Fiber.RuntimeFiber<void> | null;
}

/** Of one writer. */
export class DetachmentWatch {
  private watched: Watched | null = null;

  constructor(
    private readonly orphan: Orphan,
    private readonly scope: Scope.Scope,
  ) {
    orphan.attendance.follow(() => this.cut());
  }

  /** Watches the detachment that there is now, unless that is watched. */
  readonly start: Effect.Effect<void> = Effect.suspend(() => {
    const generation = this.orphan.attendance.detachment;
    if (generation === null || this.watched?.generation === generation) return Effect.void;
    const watched: Watched = { generation, fiber: null };
    this.watched = watched;
    return Effect.map(forkOwned(this.scope, watchOrphan(this.orphan)), (fiber) => {
      watched.fiber = fiber;
      // It may be over before it has begun.
      if (this.watched !== watched) askToEnd(fiber);
    });
  }).pipe(Effect.uninterruptible);

  /** Ends the writer, as the step that was just taken says. */
  readonly reap: Effect.Effect<void> = Effect.suspend(() =>
    Effect.asVoid(forkOwned(this.scope, reap(this.orphan))),
  );

  /** Waits no more for a detachment that is over; is not waited for itself. */
  private cut(): void {
    const { watched } = this;
    if (watched === null || watched.generation === this.orphan.attendance.detachment) return;
    this.watched = null;
    askToEnd(watched.fiber);
  }
}
