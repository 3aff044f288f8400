/**
 * BackgroundWork: what runs for a writer beside its turns, as far as the host says so.
 *
 * A hold counts as long as its scope is open; a question is asked whenever it matters, and one that
 * fails, dies or hangs counts as work, because nobody knows. It starts and ends nothing.
 */
import { Effect, type Scope } from "effect";
import type { Presence } from "./OrphanDecision.js";
import { presenceOf } from "./OrphanReaper.js";

/** How long the question may take. */
const BOUND_MS = 5_000;

/** One writer's. */
export class BackgroundWork {
  private readonly holds = new Set<object>();

  /** `asked`: whether something runs that nobody holds. */
  constructor(private readonly asked: Effect.Effect<boolean, unknown> | undefined) {}

  get isHeld(): boolean {
    return this.holds.size > 0;
  }

  /** Says that something runs until the scope closes. */
  readonly hold: Effect.Effect<void, never, Scope.Scope> = Effect.acquireRelease(
    Effect.sync(() => {
      const hold = {};
      this.holds.add(hold);
      return hold;
    }),
    (hold) => Effect.sync(() => this.holds.delete(hold)),
  ).pipe(Effect.asVoid);

  /** Whether something runs. */
  readonly presence: Effect.Effect<Presence> = Effect.suspend(() => {
    if (this.isHeld) return Effect.succeed<Presence>("some");
    if (this.asked === undefined) return Effect.succeed<Presence>("none");
    return presenceOf(this.asked, BOUND_MS);
  });
}
