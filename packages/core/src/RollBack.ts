/**
 * RollBack: undoing a creation inside its own message, and saying what could not be undone.
 *
 * The cause of the creation comes out unchanged when everything was undone. When the kill could
 * not be confirmed the error is `KillUnconfirmed` or `ProcessesSurvived`, with the cause of the
 * creation in `after`; when the registry failed, both causes are in the exit, the creation's first.
 */
import { Cause, Effect, Exit } from "effect";
import { masked, type SuppliedEnvironment } from "./Environment.js";
import type { Holding } from "./Holding.js";
import type { SessionRecord } from "./Session.js";
import { KillUnconfirmed, ProcessesSurvived } from "./SessionError.js";

/** The cause in words, without a stack: it is kept in a row and told in an error. */
const wordsOf = (cause: Cause.Cause<{ readonly _tag: string; readonly message: string }>) => {
  const failure = Cause.failureOption(cause);
  if (failure._tag === "Some") return `${failure.value._tag}: ${failure.value.message}`;
  if (Cause.isInterruptedOnly(cause)) return "interrupted";
  return `a bug: ${String(Cause.squash(cause))}`;
};

/** What can be left of a creation that is undone, beside what the registry says. */
type Left = { readonly _tag: string; readonly message: string };

/** A creation that failed, and how to undo it. */
export interface Failed<E, E2, R> {
  readonly attempted: string;
  readonly environment: SuppliedEnvironment;
  readonly cause: Cause.Cause<E>;
  /** Undoes what there is; the record instead, when the creation had succeeded after all. */
  readonly undo: (why: string) => Effect.Effect<SessionRecord | null, E2, R>;
}

/** Undoes the creation, then fails with its cause, or with what is left and that cause. */
export const rollBack = Effect.fnUntraced(function* <E extends Left, E2 extends Left, R>(
  holding: Holding,
  { attempted, cause, environment, undo }: Failed<E, E2, R>,
) {
  const why = masked(wordsOf(cause), environment);
  const undone = yield* Effect.exit(undo(why));
  if (Exit.isSuccess(undone)) return undone.value ?? (yield* Effect.failCause(cause));
  const { session } = holding;
  const left = Cause.failureOption(undone.cause);
  if (left._tag === "Some") {
    const after = why;
    if (left.value instanceof ProcessesSurvived) {
      const { pids, terminal } = left.value;
      return yield* new ProcessesSurvived({ session, attempted, terminal, pids, after });
    }
    if (left.value._tag === "KillUnconfirmed" || left.value._tag === "LookupFailed") {
      yield* holding.leaveUnknown;
      const detail = left.value.message;
      const terminal = left.value instanceof KillUnconfirmed ? left.value.terminal : null;
      return yield* new KillUnconfirmed({ session, attempted, terminal, detail, after });
    }
  }
  return yield* Effect.failCause(Cause.sequential(cause, undone.cause));
});
