/**
 * Plan: what a reconcile would do about each name of this home, and why, from one listing and one
 * query.
 *
 * It writes nothing, takes no claim and changes nothing in tmux. A plan is not acted on: whoever is
 * due takes the claim, reads its row and looks again. What cannot be looked up is in the plan as
 * that, and so is a row that cannot be read.
 */
import { Effect, Either, Option, Schema } from "effect";
import type { IncarnationId } from "./Identity.js";
import { type Decision, decide, isFinal, programLives, undoneState } from "./Lifecycle.js";
import { askOrHeal } from "./ListenAgain.js";
import { surveyed } from "./OtherServer.js";
import { Registry, type Unreadable } from "./Registry.js";
import type { SessionRecord, SessionState } from "./Session.js";
import { type LookupFailed, RegistryCorrupt, type RegistryFailure } from "./SessionError.js";
import { SessionName } from "./SessionName.js";
import type { ReconcileResult } from "./SessionView.js";
import { Settings } from "./Settings.js";
import { observe } from "./Sight.js";
import { limitDue } from "./TimeLimits.js";
import { type Listing, type SeenSession, Tmux } from "./Tmux.js";

const attempted = "reconcile";

/**
 * One name's part. `outcome` is what it would come to; with `due` something is to be done, if only
 * to take the claim of a program that died.
 */
export interface Planned {
  readonly session: string;
  /** Of the row that holds the name; `null` where there is none, or it is not known. */
  readonly incarnation: IncarnationId | null;
  readonly due: boolean;
  readonly outcome: Either.Either<ReconcileResult, LookupFailed | RegistryFailure>;
}

const isSessionName = Schema.is(SessionName);
const isCorrupt = Schema.is(RegistryCorrupt);

/** The state that a row would have. */
const stateAfter = (record: SessionRecord, decision: Decision): SessionState => {
  const { state } = record;
  switch (decision._tag) {
    case "Undo":
    case "Fail":
      return undoneState(record);
    case "FinishDelete":
      return "deleted";
    case "Refresh":
      return decision.changes.reduce((at, c) => (c._tag === "Move" ? c.to : at), state);
    case "Nothing":
    case "FinishTerminal":
    case "KillLate":
      return state;
  }
};

const planned = (
  { generation, incarnation, session, state }: SessionRecord,
  fields: { readonly after: SessionState; readonly changed: boolean; readonly why: string },
): Planned => ({
  session,
  incarnation: isFinal(state) ? null : incarnation,
  due: fields.changed,
  outcome: Either.right({ session, generation, before: state, ...fields }),
});

const unknown = (
  session: string,
  failure: LookupFailed | RegistryFailure,
  incarnation: IncarnationId | null = null,
): Planned => ({
  session,
  incarnation,
  due: false,
  outcome: Either.left(failure),
});

const unread = ({ detail, session }: Unreadable): Planned =>
  unknown(session, new RegistryCorrupt({ session, attempted, detail }));

/** A session of this home that is no active row's. */
interface Late {
  readonly seen: SeenSession;
  /** Whose it was; `null` when no row knows it. */
  readonly owner: SessionRecord | null;
}

const lateOnes = Effect.fnUntraced(function* (
  known: ReadonlyArray<SessionRecord>,
  listing: Listing,
) {
  const registry = yield* Registry;
  const { home } = yield* Settings;
  const active = new Set<string>(known.map((record) => record.incarnation));
  const late: Array<Late> = [];
  const failures: Array<Planned> = [];
  for (const seen of listing._tag === "Server" ? listing.sessions : []) {
    const { mark, name } = seen;
    if (mark === null || mark.home !== home || active.has(mark.incarnation)) continue;
    const found = yield* Effect.either(registry.find(mark.incarnation));
    if (Either.isLeft(found)) failures.push(unknown(name, found.left));
    else late.push({ seen, owner: Option.getOrNull(found.right) });
  }
  return { late, failures };
});

/** The part of a row that holds its name. */
const planRecord = Effect.fnUntraced(function* (
  record: SessionRecord,
  listing: Listing,
  late: ReadonlyArray<Late>,
) {
  const { claim, session, state } = record;
  if (claim.holder === "alive" || claim.holder === "unknown") {
    return planned(record, { after: state, changed: false, why: `held by ${claim.owner}` });
  }
  const seen = yield* Effect.either(observe(record, listing, attempted));
  if (Either.isLeft(seen)) return unknown(session, seen.left, record.incarnation);
  const decision = decide(record, seen.right);
  const over = yield* limitDue(record, seen.right, decision._tag);
  if (over !== null) return planned(record, { after: "deleted", changed: true, why: over });
  const left = late.find(({ owner }) => owner?.session === session)?.owner?.generation;
  const why =
    left === undefined ? decision.why : `${decision.why}; ends what generation ${left} left`;
  const changed = decision._tag !== "Nothing" || left !== undefined;
  const plan = planned(record, { after: stateAfter(record, decision), changed, why });
  // What a program asked of tmux before it died, or gave up, may still come: whoever takes the
  // claim bars that, in a server that answers.
  const mayCome = claim.holder === "dead" || (claim.fenceDue && listing._tag === "Server");
  return { ...plan, due: changed || mayCome };
});

/** The part of a session that no active row is of. Beside another server it is not taken up. */
const planLate =
  (beside: LookupFailed | null) =>
  ({ owner, seen }: Late): ReadonlyArray<Planned> => {
    if (owner !== null) {
      const { why } = decide(owner, { _tag: "Present", session: seen });
      return [planned(owner, { after: owner.state, changed: true, why })];
    }
    const { mark, name } = seen;
    if (mark === null || !isSessionName(name)) return [];
    if (beside !== null) return [unknown(name, beside)];
    const after = programLives(seen) ? "running" : "exited";
    const result: ReconcileResult = {
      session: name,
      generation: mark.generation,
      before: after,
      after,
      changed: true,
      why: "adopted: no row knew it",
    };
    return [{ session: name, incarnation: null, due: true, outcome: Either.right(result) }];
  };

/**
 * The plan of every name, those that hold their names first. With `heals`, a server whose socket
 * was removed is told to listen again before.
 */
export const planEvery = Effect.fnUntraced(function* (how: { readonly heals: boolean }) {
  const registry = yield* Registry;
  const tmux = yield* Tmux;
  const { records, unreadable } = yield* registry.list({ ended: false });
  const ask = tmux.list(attempted);
  const heard = Effect.map(askOrHeal(attempted, ask), ({ listing }) => listing);
  const { beside, listing } = yield* surveyed(records, attempted, how.heals ? heard : ask);
  const { failures, late } = yield* lateOnes(records, listing);
  const known = yield* Effect.forEach(records, (record) => planRecord(record, listing, late));
  const names = new Set<string>(known.map(({ session }) => session));
  const more = late.flatMap(planLate(beside)).filter(({ session }) => !names.has(session));
  const once = more.filter(
    ({ session }, at) => more.findIndex((m) => m.session === session) === at,
  );
  // A row that cannot be read is told as that, and not again for what tmux shows of it.
  const damaged = new Set(unreadable.map(({ session }) => session));
  const others = failures.filter(
    ({ outcome, session }) =>
      !(damaged.has(session) && Either.isLeft(outcome) && isCorrupt(outcome.left)),
  );
  const plan: ReadonlyArray<Planned> = [...known, ...once, ...others, ...unreadable.map(unread)];
  // What is told of nobody is told of all: a server out of reach may have sessions without rows.
  const isTold = plan.some(({ outcome }) => Either.isLeft(outcome));
  return beside === null || isTold ? plan : yield* beside;
});
