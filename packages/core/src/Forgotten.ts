/**
 * Forgotten: a snapshot of what a gc has forgotten meanwhile goes, too, whoever kept it.
 *
 * A snapshot is kept before the first row of its message is written. One that was overtaken before
 * that keeps it behind all that others did, and fails then, refused or in doubt: where no row is
 * left that the snapshot is of, it is removed again. A gc looks once more behind the row, so one of
 * the two finds it; of a program that dies in between, a later gc finds a file without a row.
 */
import { Effect } from "effect";
import { Registry } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import type { LookupFailed, RegistryFailure } from "./SessionError.js";
import { Snapshots } from "./Snapshots.js";

/** Whether another incarnation keeps something in the same place: generations begin anew. */
const isOfAnother = Effect.fnUntraced(function* ({
  generation,
  incarnation,
  session,
}: SessionRecord) {
  const snapshots = yield* Snapshots;
  for (const { generation: of, terminal } of yield* snapshots.list(session)) {
    const kept = of === generation ? yield* snapshots.read(session, of, terminal) : null;
    if (kept !== null && kept.incarnation !== incarnation) return true;
  }
  return false;
});

/** Removes what is kept of the incarnation, unless it is known, or may be. */
const removeForgotten = (
  record: SessionRecord,
): Effect.Effect<void, LookupFailed | RegistryFailure, Registry | Snapshots> =>
  Effect.gen(function* () {
    const { generation, incarnation, session } = record;
    const registry = yield* Registry;
    const { records, unreadable } = yield* registry.history(session);
    if (unreadable.length > 0 || records.some((r) => r.incarnation === incarnation)) return;
    if (yield* isOfAnother(record)) return;
    const snapshots = yield* Snapshots;
    yield* snapshots.remove(session, generation);
  });

/** Does what comes behind a snapshot of the incarnation, to its first write; see above. */
export const behindSnapshot =
  (record: SessionRecord) =>
  <A, E, R>(write: Effect.Effect<A, E, R>) =>
    Effect.tapErrorCause(write, () =>
      Effect.catchAll(removeForgotten(record), (failure) =>
        Effect.logWarning(`a snapshot of ${record.session} is left to gc: ${failure.message}`),
      ),
    );
