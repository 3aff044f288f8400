/**
 * Reply: the answer of one message, for everyone who waits for it.
 *
 * As a `Deferred`, at a tenth of what making one costs: there is one for each message. It is told
 * once; what is told later is dropped. Whoever is interrupted while it waits is forgotten.
 */
import { Effect, type Exit } from "effect";

type Waiter = (exit: Exit.Exit<unknown, unknown>) => void;

/** Mutable; told in one synchronous step. */
export class Reply {
  private exit: Exit.Exit<unknown, unknown> | null = null;
  private readonly waiters: Array<Waiter> = [];

  /** Tells everyone who waits, in the order in which they came, and who asks later. */
  tell(exit: Exit.Exit<unknown, unknown>): void {
    if (this.exit !== null) return;
    this.exit = exit;
    for (const waiter of this.waiters.splice(0)) waiter(exit);
  }

  /** Waits until it is told. */
  get told(): Effect.Effect<unknown, unknown> {
    return Effect.suspend(
      () =>
        this.exit ??
        Effect.async<unknown, unknown>((resume) => {
          // Told between the look and this, which a scheduler may put apart.
          if (this.exit !== null) return resume(this.exit);
          this.waiters.push(resume);
          return Effect.sync(() => {
            const at = this.waiters.indexOf(resume);
            if (at >= 0) this.waiters.splice(at, 1);
          });
        }),
    );
  }
}
