/**
 * LettingGo: what this program holds of incarnations that others ended goes when it hears of that.
 *
 * Whoever reads the rows of a name hears it: each message of the name, a call of a name that has no
 * row any more, and a reconcile of everything, which hears of all. An incarnation that was held
 * before its row was looked for and is not there behind that has ended for good, so it is let go
 * whatever was made meanwhile. Nothing is asked for this alone.
 */
import { Effect, Option } from "effect";
import type { IncarnationId } from "./Identity.js";
import { isFinal } from "./Lifecycle.js";
import { Registry } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import type { SessionName } from "./SessionName.js";
import { SessionScopes } from "./SessionScopes.js";

/** The incarnation, unless it has ended. */
const livingOf = (known: Option.Option<SessionRecord>): IncarnationId | null =>
  Option.isSome(known) && !isFinal(known.value.state) ? known.value.incarnation : null;

/**
 * The newest incarnation of the name; what is held for another ends. Only inside a message of the
 * name, beside which no other makes one.
 */
export const newestAlone = Effect.fnUntraced(function* (session: SessionName) {
  const registry = yield* Registry;
  const scopes = yield* SessionScopes;
  const known = yield* registry.get(session);
  yield* scopes.closeOthers(session, livingOf(known));
  return known;
});

/** The newest incarnation of the name; where there is none, `letGo` ends what was held of it. */
export const newestOrHeld = Effect.fnUntraced(function* (session: SessionName) {
  const registry = yield* Registry;
  const scopes = yield* SessionScopes;
  const held = yield* scopes.heldOf(session);
  const known = yield* registry.get(session);
  const letGo = held === null ? Effect.void : scopes.close(session, held);
  return { record: Option.getOrNull(known), letGo };
});

/** What a reading of all rows says of a name: its living incarnation, or `null`: not known. */
interface Told {
  readonly session: string;
  readonly incarnation: IncarnationId | null;
}

/** Reads all rows, and lets go of what was held before that and is of none of them. */
export const lettingGo = <A extends Told, E, R>(reading: Effect.Effect<ReadonlyArray<A>, E, R>) =>
  Effect.gen(function* () {
    const scopes = yield* SessionScopes;
    const held = yield* scopes.held;
    const all = yield* reading;
    const living = new Set(all.map(({ incarnation, session }) => incarnation ?? session));
    for (const { incarnation, session } of held) {
      if (!living.has(incarnation) && !living.has(session)) {
        yield* scopes.close(session, incarnation);
      }
    }
    return all;
  });
