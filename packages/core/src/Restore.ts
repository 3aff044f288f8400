/**
 * Restore: the flow that makes a session anew that was lost or whose programs ended.
 *
 * The same name, directory, command and size, as a new generation. Everything is checked first;
 * then what is left of the old one is ended and shown to be gone, and its row stays as it is; then
 * the old generation ends and the new one begins, in one transaction; from there on it is a create.
 * One that fails or is cut off leaves the session lost, with its name, to be restored again.
 */
import { Effect, Option, Redacted } from "effect";
import { beforeKill } from "./BeforeKill.js";
import { makeOrUndo } from "./Create.js";
import { type Creation, DEFAULT_PATH } from "./Creation.js";
import { endFound } from "./Delete.js";
import { behindSnapshot } from "./Forgotten.js";
import type { Holding } from "./Holding.js";
import { Host } from "./Host.js";
import { type Doomed, refuseGuests } from "./Kill.js";
import { endLate } from "./LateEffect.js";
import { endChanges, isFinal, isRestoration } from "./Lifecycle.js";
import { missing } from "./Missing.js";
import { checkDirectory, checkProgram } from "./Program.js";
import { milliseconds } from "./Quantity.js";
import { settleSession } from "./Reconcile.js";
import type { Change, Ending } from "./Registry.js";
import { serverFor } from "./ServerInUse.js";
import type { SessionRecord } from "./Session.js";
import { AlreadyExists, ForeignSession } from "./SessionError.js";
import { SessionScopes } from "./SessionScopes.js";
import { Settings } from "./Settings.js";
import { observe } from "./Sight.js";
import { type GivenAgain, suppliedAgain } from "./SuppliedAgain.js";
import type { Listing } from "./Tmux.js";
import { undoCutOff } from "./Undo.js";
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
const isRestorable = ({ state }: SessionRecord): boolean =>
  ["lost", "exited", "failed"].includes(state);

/**
 * The row brought up to what is seen, if it is one that can be restored. A restore that was cut off
 * is undone first.
 */
const restorable = Effect.fnUntraced(function* (holding: Holding, first: Doomed) {
  const { session } = holding;
  const cut = isRestoration(first.record);
  const doomed = cut ? yield* undoCutOff(holding, first) : first;
  const { state } = doomed.record;
  const changes = ["running", "exited", "lost"].includes(state);
  const now = changes ? yield* settleSession(holding, doomed) : doomed;
  if (isRestorable(now.record)) return now;
  if (isFinal(now.record.state)) return yield* missing({ session, attempted }, now.record);
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

/** What is left of the session ends, kept and recorded before; the row, in the state it had. */
const endRemains = Effect.fnUntraced(function* (holding: Holding, doomed: Doomed) {
  const { graceMs } = yield* Settings;
  yield* refuseGuests(doomed);
  yield* beforeKill(doomed, doomed.record.terminals);
  const seen = doomed.seen._tag === "Present" ? doomed.seen.session : null;
  const found = yield* victims(sessionLives(doomed.record, seen));
  const record =
    found.length === 0
      ? doomed.record
      : yield* holding.commit(doomed.record.incarnation, [recorded(null, found)]);
  const lives = sessionLives(record, seen);
  yield* endFound(holding, { ...doomed, record }, { lives, found, graceMs }).pipe(
    // No row says that a kill was begun, so it may not come behind this message: the look raises
    // the fence, or leaves it due.
    Effect.tapErrorTag("KillUnconfirmed", () => Effect.either(holding.look(attempted))),
  );
  return record;
});

/** The changes that end the old generation, which is shown to be gone: by way of `lost`. */
const lastOf = (record: SessionRecord): ReadonlyArray<Change> =>
  record.state === "lost"
    ? endChanges(record, "deleted", "restored")
    : [
        ...endChanges(record, "lost", "ended to be restored"),
        { _tag: "Move", to: "deleted", cause: "restored" },
      ];

/** Ends what is left of the old generation; how its row ends, unless it has ended. */
const endOld = Effect.fnUntraced(function* (holding: Holding, doomed: Doomed) {
  if (isFinal(doomed.record.state)) {
    if (doomed.seen._tag === "Present") yield* endLate(holding, doomed, { release: false });
    return undefined;
  }
  const record = yield* endRemains(holding, doomed);
  const ending: Ending = { incarnation: record.incarnation, changes: lastOf(record) };
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
  if (known === null) return yield* missing({ session, attempted }, null);
  const listing = yield* holding.look(attempted);
  const seen = yield* observe(known, listing, attempted);
  const old = yield* restorable(holding, { record: known, listing, seen, attempted });
  const creation = yield* creationOf(old.record, options);
  yield* refuseStranger(old.record, old.listing);
  const { server, version } = yield* serverFor(holding, old.listing);
  const made = Effect.flatMap(endOld(holding, old), (ending) =>
    makeOrUndo(holding, creation, { server, version, ending }),
  );
  return yield* made.pipe(behindSnapshot(old.record));
});
