/**
 * ReconcileAll: one listing and one query that make a plan, then a message for each name that has
 * something to be done.
 *
 * The plan only chooses names: each message takes the claim, reads its row and looks again before
 * it acts. It goes on past a name that fails, and leaves alone what a living program holds. With
 * nothing to do it costs that one listing and that one query.
 */
import { Effect, Either, Option, Schema } from "effect";
import { decide } from "./Lifecycle.js";
import type { ProcessTable } from "./ProcessTable.js";
import { Registry, type Unreadable } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import type { SessionActor } from "./SessionActor.js";
import { RegistryCorrupt } from "./SessionError.js";
import { SessionName } from "./SessionName.js";
import type { ReconcileItem } from "./Sessions.js";
import { Settings } from "./Settings.js";
import { observe } from "./Sight.js";
import { type Listing, Tmux } from "./Tmux.js";

const attempted = "reconcile";

const isSessionName = Schema.is(SessionName);

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

/**
 * Names that tmux has beside what the active rows say: late effects of ended incarnations, and
 * sessions of this home that no row knows; and what of it could not be looked up.
 */
interface Late {
  readonly names: ReadonlySet<SessionName>;
  readonly failures: ReadonlyArray<ReconcileItem>;
}

const lateOnes = Effect.fnUntraced(function* (
  known: ReadonlyArray<SessionRecord>,
  listing: Listing,
) {
  const registry = yield* Registry;
  const { home } = yield* Settings;
  const active = new Set<string>(known.map((record) => record.incarnation));
  const names = new Set<SessionName>();
  const failures: Array<ReconcileItem> = [];
  for (const { mark, name } of listing._tag === "Server" ? listing.sessions : []) {
    if (mark === null || mark.home !== home || active.has(mark.incarnation)) continue;
    const found = yield* Effect.either(registry.find(mark.incarnation));
    if (Either.isLeft(found)) failures.push({ session: name, outcome: Either.left(found.left) });
    else if (Option.isSome(found.right)) names.add(found.right.value.session);
    else if (isSessionName(name)) names.add(name);
  }
  const late: Late = { names, failures };
  return late;
});

/** The part of one record in the plan: told at once, or a message. */
const plan = Effect.fnUntraced(function* (
  actor: SessionActor,
  record: SessionRecord,
  listing: Listing,
  late: Late,
) {
  const { holder } = record.claim;
  if (holder === "alive" || holder === "unknown") {
    return untouched(record, `held by ${record.claim.owner}`);
  }
  const seen = yield* Effect.either(observe(record, listing, attempted));
  if (Either.isLeft(seen)) return { session: record.session, outcome: Either.left(seen.left) };
  const decision = decide(record, seen.right);
  const idle = decision._tag === "Nothing" && !late.names.has(record.session);
  return idle ? untouched(record, decision.why) : yield* send(actor, record.session);
});

const unread = ({ detail, session }: Unreadable): ReconcileItem => ({
  session,
  outcome: Either.left(new RegistryCorrupt({ session, attempted, detail })),
});

/** Reconciles every name of this home. */
export const reconcileEvery = (actor: SessionActor) =>
  Effect.gen(function* () {
    const registry = yield* Registry;
    const tmux = yield* Tmux;
    const { records, unreadable } = yield* registry.list({ ended: false });
    const listing = yield* tmux.list(attempted);
    const late = yield* lateOnes(records, listing);
    const items = yield* Effect.forEach(records, (record) => plan(actor, record, listing, late));
    const planned = new Set<string>(records.map((record) => record.session));
    const ended = [...late.names].filter((name) => !planned.has(name));
    const more = yield* Effect.forEach(ended, (session) => send(actor, session));
    const report: ReadonlyArray<ReconcileItem> = [
      ...items,
      ...more,
      ...late.failures,
      ...unreadable.map(unread),
    ];
    return report;
  });

/** What `reconcileEvery` needs beside the actors. */
export type ReconcileServices = Registry | Tmux | ProcessTable;
