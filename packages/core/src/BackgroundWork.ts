/**
 * BackgroundWork: what runs for a writer beside its turns, as far as the host says so.
 *
 * A hold counts as long as its scope is open; a question is asked whenever it matters, and one that
 * fails, dies or hangs counts as work, because nobody knows. Whoever comes with a question of his
 * own adds it; a client that comes again has his newest one asked. It starts and ends nothing.
 */
import { Effect, type Scope } from "effect";
import type { Presence } from "./OrphanDecision.js";
import { presenceOf } from "./OrphanReaper.js";

/** How long the question may take. */
const BOUND_MS = 5_000;

/** One writer's. */
export class BackgroundWork {
  private readonly holds = new Set<object>();

  /** The questions, each by whose it is; by itself where it is nobody's. */
  private readonly asked = new Map<unknown, Effect.Effect<boolean, unknown>>();

  /** `asked`: whether something runs that nobody holds. */
  constructor(
    asked: Effect.Effect<boolean, unknown> | undefined,
    /** Run when something begins or ends to run: the writer is used by that. */
    private readonly used: Effect.Effect<void> = Effect.void,
  ) {
    this.ask(asked);
  }

  /** One question more, to the end of the writer; the same one again, or of the same, is none. */
  ask(asked: Effect.Effect<boolean, unknown> | undefined, by: unknown = asked): void {
    if (asked !== undefined) this.asked.set(by, asked);
  }

  get isHeld(): boolean {
    return this.holds.size > 0;
  }

  /** Says that something runs until the scope closes. */
  readonly hold: Effect.Effect<void, never, Scope.Scope> = Effect.acquireRelease(
    Effect.suspend(() => {
      const hold = {};
      this.holds.add(hold);
      return Effect.as(this.used, hold);
    }),
    (hold) =>
      Effect.suspend(() => {
        this.holds.delete(hold);
        return this.used;
      }),
  ).pipe(Effect.asVoid);

  /** Whether something runs. */
  readonly presence: Effect.Effect<Presence> = Effect.suspend(() => {
    if (this.isHeld) return Effect.succeed<Presence>("some");
    const looks = Effect.forEach(this.asked.values(), (asked) => presenceOf(asked, BOUND_MS), {
      concurrency: "unbounded",
    });
    return Effect.map(looks, (found): Presence => {
      if (found.includes("some")) return "some";
      return found.includes("unknown") ? "unknown" : "none";
    });
  });
}
