/**
 * Restore: the flow that makes a session anew that was lost or whose programs ended.
 *
 * The same name, directory, command and size, as a new generation. Everything is checked first;
 * then what is left of the old one is ended and shown to be gone; then the old generation ends and
 * the new one begins, in one transaction; from there on it is a create, all or nothing. One that
 * was cut off, or whose program did not start, can be asked for again: its row says what it was.
 */
import { Effect, Option, Redacted } from "effect";
import { makeOrUndo, serverFor } from "./Create.js";
import { type Creation, DEFAULT_PATH } from "./Creation.js";
import { endSeen, RESTORING } from "./Delete.js";
import type { Holding } from "./Holding.js";
import { Host } from "./Host.js";
import { type Doomed, endSession } from "./Kill.js";
import { endLate } from "./LateEffect.js";
import { endChanges, isFinal } from "./Lifecycle.js";
import { checkDirectory, checkProgram } from "./Program.js";
import { milliseconds } from "./Quantity.js";
import { settleSession } from "./Reconcile.js";
import type { Ending } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import { AlreadyExists, ForeignSession, NotFound } from "./SessionError.js";
import { SessionScopes } from "./SessionScopes.js";
import { Settings } from "./Settings.js";
import { observe } from "./Sight.js";
import { type GivenAgain, suppliedAgain } from "./SuppliedAgain.js";
import type { Listing } from "./Tmux.js";
import { recorded, sessionLives, victims } from "./Victims.js";

const attempted = "restore";

/** How a session is to be restored. What is not given is as it was made. */
export interface RestoreOptions extends GivenAgain {
  readonly startWindowMs?: number | undefined;
}

/** The input of the new generation, checked as that of a create is. */
const creationOf = Effect.fnUntraced(function* (record: SessionRecord, options: RestoreOptions) {
  const host = yield* Host;
  const settings = yield* Settings;
  const scopes = yield* SessionScopes;
  const { incarnation, session, spec } = record;
  const checked = { session, attempted };
  const held = yield* scopes.environment(session, incarnation);
  const { environment, names } = yield* suppliedAgain(checked, spec, held, options);
  yield* checkDirectory(checked, spec.cwd);
  const own = environment.get("PATH");
  const path = own === undefined ? host.environment.get("PATH") : Redacted.value(own);
  yield* checkProgram(checked, spec.command, spec.cwd, path ?? DEFAULT_PATH);
  const creation: Creation = {
    spec: { ...spec, envNames: names },
    environment,
    startWindowMs: options.startWindowMs ?? settings.startWindowMs,
    requestId: null,
    replace: false,
  };
  return creation;
});

/** Whether the row is of something that a restore makes anew. */
const isRestorable = ({ cause, state }: SessionRecord): boolean =>
  ["lost", "exited", "failed"].includes(state) ||
  (["deleting", "deleted"].includes(state) && cause === RESTORING);

/** The row brought up to what is seen, if it is one that can be restored. */
const restorable = Effect.fnUntraced(function* (holding: Holding, doomed: Doomed) {
  const { session } = holding;
  const { state } = doomed.record;
  const changes = ["running", "exited", "lost"].includes(state);
  const now = changes ? yield* settleSession(holding, doomed) : doomed;
  if (isRestorable(now.record)) return now;
  if (isFinal(now.record.state)) return yield* new NotFound({ session, attempted });
  return yield* new AlreadyExists({ session, attempted, state: now.record.state });
});

/** Refuses when somebody else has the name in tmux. */
const refuseStranger = Effect.fnUntraced(function* (record: SessionRecord, listing: Listing) {
  const { incarnation, session } = record;
  const sessions = listing._tag === "Server" ? listing.sessions : [];
  const other = sessions.find(({ name }) => name === session);
  if (other === undefined || other.mark?.incarnation === incarnation) return;
  return yield* new ForeignSession({ session, attempted, sessionId: other.sessionId });
});

/** What lived in a session that tmux has no more ends, recorded before it is killed. */
const endRemains = Effect.fnUntraced(function* (holding: Holding, doomed: Doomed) {
  const found = yield* victims(sessionLives(doomed.record, null));
  const record =
    found.length === 0
      ? doomed.record
      : yield* holding.commit(doomed.record.incarnation, [recorded(null, found)]);
  yield* endSession(holding, { ...doomed, record });
  return record;
});

/** Ends what is left of the old generation; how its row ends, unless it has ended. */
const endOld = Effect.fnUntraced(function* (holding: Holding, doomed: Doomed) {
  const { graceMs } = yield* Settings;
  const { record, seen } = doomed;
  if (isFinal(record.state)) {
    if (seen._tag === "Present") yield* endLate(holding, doomed, { release: false });
    return undefined;
  }
  const how = { graceMs, spareDetached: false, snapshot: true, release: false, restoring: true };
  const ended =
    record.state === "lost"
      ? yield* endRemains(holding, doomed)
      : (yield* endSeen(holding, doomed, how)).record;
  const { incarnation } = ended;
  const ending: Ending = { incarnation, changes: endChanges(ended, "deleted", "restored") };
  return ending;
});

/** Makes the session anew; its record as it is then. */
export const restoreSession = Effect.fn("Sessions.restore.flow")(function* (
  holding: Holding,
  options: RestoreOptions,
) {
  const { session } = holding;
  milliseconds("startWindowMs", options.startWindowMs);
  const known = Option.getOrNull(yield* holding.newest);
  if (known === null) return yield* new NotFound({ session, attempted });
  const listing = yield* holding.look(attempted);
  const seen = yield* observe(known, listing, attempted);
  const old = yield* restorable(holding, { record: known, listing, seen, attempted });
  const creation = yield* creationOf(old.record, options);
  yield* refuseStranger(old.record, old.listing);
  const { server, version } = yield* serverFor(holding, old.listing);
  const ending = yield* endOld(holding, old);
  return yield* makeOrUndo(holding, creation, { server, version, ending });
});
