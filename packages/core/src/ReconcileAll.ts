/**
 * ReconcileAll: one listing and one query that make a plan, then a message for each name that has
 * something to be done.
 *
 * The plan only chooses names: each message takes the claim, reads its row and looks again before
 * it acts. It goes on past a name that fails, and leaves alone what a living program holds. With
 * nothing to do it costs that one listing and that one query.
 */
import { Effect, Either, Option } from "effect";
import { decide } from "./Lifecycle.js";
import type { ProcessTable } from "./ProcessTable.js";
import { Registry } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import type { SessionActor } from "./SessionActor.js";
import type { SessionName } from "./SessionName.js";
import type { ReconcileItem } from "./Sessions.js";
import { Settings } from "./Settings.js";
import { observe } from "./Sight.js";
import { type Listing, Tmux } from "./Tmux.js";

const untouched = (record: SessionRecord, why: string): ReconcileItem => ({
  session: record.session,
  outcome: Either.right({
    session: record.session,
    generation: record.generation,
    before: record.state,
    after: record.state,
    changed: false,
    why,
  }),
});

const send = (actor: SessionActor, session: SessionName): Effect.Effect<ReconcileItem> =>
  Effect.map(Effect.either(actor.reconcile(session)), (outcome) => ({ session, outcome }));

/** The part of one record in the plan: told at once, or a message. */
const plan = Effect.fnUntraced(function* (
  actor: SessionActor,
  record: SessionRecord,
  listing: Listing,
) {
  const { holder } = record.claim;
  if (holder === "alive" || holder === "unknown") {
    return untouched(record, `held by ${record.claim.owner}`);
  }
  const seen = yield* Effect.either(observe(record, listing, "reconcile"));
  if (Either.isLeft(seen)) return { session: record.session, outcome: Either.left(seen.left) };
  const decision = decide(record, seen.right);
  if (decision._tag === "Nothing") return untouched(record, decision.why);
  return yield* send(actor, record.session);
});

/** Names whose ended incarnation is in tmux again: late effects. */
const late = Effect.fnUntraced(function* (known: ReadonlyArray<SessionRecord>, listing: Listing) {
  const registry = yield* Registry;
  const { home } = yield* Settings;
  const active = new Set<string>(known.map((record) => record.incarnation));
  const names = new Set<SessionName>();
  for (const { mark } of listing._tag === "Server" ? listing.sessions : []) {
    if (mark === null || mark.home !== home || active.has(mark.incarnation)) continue;
    const owner = Option.getOrNull(yield* registry.find(mark.incarnation));
    if (owner !== null) names.add(owner.session);
  }
  for (const record of known) names.delete(record.session);
  return [...names];
});

/** Reconciles every name of this home. */
export const reconcileEvery = (actor: SessionActor) =>
  Effect.gen(function* () {
    const registry = yield* Registry;
    const tmux = yield* Tmux;
    const { records } = yield* registry.list({ ended: false });
    const listing = yield* tmux.list("reconcile");
    const items = yield* Effect.forEach(records, (record) => plan(actor, record, listing));
    const others = yield* late(records, listing);
    const more = yield* Effect.forEach(others, (session) => send(actor, session));
    const report: ReadonlyArray<ReconcileItem> = [...items, ...more];
    return report;
  });

/** What `reconcileEvery` needs beside the actors. */
export type ReconcileServices = Registry | Tmux | ProcessTable;
