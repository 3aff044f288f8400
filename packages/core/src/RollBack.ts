/**
 * RollBack: undoing a create inside its own message, and saying what could not be undone.
 *
 * What a failed write did is unknown, so the row is read again first: a create whose last write
 * took effect has succeeded. The cause of the create comes out unchanged when everything was
 * undone. When the kill could not be confirmed the error is `KillUnconfirmed` or
 * `ProcessesSurvived`, with the cause of the create in `after`; when the registry failed, both
 * causes are in the exit, the create's first.
 */
import { Cause, Effect, Exit, Option } from "effect";
import { masked, type SuppliedEnvironment } from "./Environment.js";
import type { Holding } from "./Holding.js";
import type { IncarnationId } from "./Identity.js";
import { isFinal } from "./Lifecycle.js";
import { Registry } from "./Registry.js";
import { KillUnconfirmed, ProcessesSurvived } from "./SessionError.js";
import { observe } from "./Sight.js";
import { undoCreation } from "./Undo.js";

const attempted = "create: roll back";

/** Undoes what there is; the record instead, when the create had succeeded after all. */
const undo = Effect.fnUntraced(function* (
  holding: Holding,
  incarnation: IncarnationId,
  cause: string,
) {
  const registry = yield* Registry;
  const record = Option.getOrNull(yield* registry.find(incarnation));
  if (record === null || isFinal(record.state)) return null;
  if (record.state !== "creating") return record;
  const listing = yield* holding.look(attempted);
  const seen = yield* observe(record, listing, attempted);
  const doomed = { record, listing, seen, attempted };
  yield* undoCreation(holding, doomed, cause, { release: true });
  return null;
});

/** The cause in words, without a stack: it is kept in a row and told in an error. */
const wordsOf = (cause: Cause.Cause<{ readonly _tag: string; readonly message: string }>) => {
  const failure = Cause.failureOption(cause);
  if (failure._tag === "Some") return `${failure.value._tag}: ${failure.value.message}`;
  if (Cause.isInterruptedOnly(cause)) return "interrupted";
  return `a bug: ${String(Cause.squash(cause))}`;
};

/** Undoes the creation, then fails with its cause, or with what is left and that cause. */
export const rollBack = Effect.fnUntraced(function* <
  E extends { readonly _tag: string; readonly message: string },
>(
  holding: Holding,
  incarnation: IncarnationId,
  supplied: SuppliedEnvironment,
  cause: Cause.Cause<E>,
) {
  const why = masked(wordsOf(cause), supplied);
  const undone = yield* Effect.exit(undo(holding, incarnation, why));
  if (Exit.isSuccess(undone)) return undone.value ?? (yield* Effect.failCause(cause));
  const { session } = holding;
  const failure = Cause.failureOption(undone.cause);
  if (failure._tag === "Some") {
    const left = failure.value;
    switch (left._tag) {
      case "ProcessesSurvived":
        return yield* new ProcessesSurvived({ session, attempted, pids: left.pids, after: why });
      case "KillUnconfirmed":
      case "LookupFailed":
        yield* holding.leaveUnknown;
        return yield* new KillUnconfirmed({
          session,
          attempted,
          detail: left.message,
          after: why,
        });
    }
  }
  return yield* Effect.failCause(Cause.sequential(cause, undone.cause));
});
