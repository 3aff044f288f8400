/**
 * Create: the flow that makes a session, all or nothing.
 *
 * Look; the intent row; one command list; the start window; `running` or `exited`. Whatever fails
 * behind the intent, an error, a defect or an interruption, is undone by the same message: the
 * session is killed and verified, the row becomes `failed`; `lost` where it takes the place of one
 * that is restored. When that cannot be shown the row stays `creating` and the error carries both
 * causes. A server that ends behind the look, so that nothing was made, is looked for once more.
 */
import { Cause, Data, Effect, Exit, Option } from "effect";
import { clearName } from "./ClearName.js";
import type { Creation } from "./Creation.js";
import { terminalLives } from "./EndTerminal.js";
import { baseEnvironment } from "./Environment.js";
import { unlessOvertaken } from "./HigherFence.js";
import type { Holding } from "./Holding.js";
import { Host } from "./Host.js";
import { type IncarnationId, type ServerId, TerminalId } from "./Identity.js";
import { Ids } from "./Ids.js";
import { isFinal, isRestoration, terminalOf } from "./Lifecycle.js";
import { recordingOf } from "./Recording.js";
import { type Change, type Ending, Registry } from "./Registry.js";
import { rollBack } from "./RollBack.js";
import { recordServer, serverFor } from "./ServerInUse.js";
import type { SessionRecord } from "./Session.js";
import { ForeignSession, LookupFailed, TmuxRefused } from "./SessionError.js";
import { SessionScopes } from "./SessionScopes.js";
import { Settings } from "./Settings.js";
import { observe } from "./Sight.js";
import { inItsWindow, startWindow } from "./StartWindow.js";
import { type CreateSession, type SeenSession, Tmux } from "./Tmux.js";
import { undoCreation } from "./Undo.js";
import { leaders, recorded, sessionLives, victims } from "./Victims.js";

const attempted = "create";
const rollingBack = "create: roll back";

/** The terminal that a session is made with. */
export const FIRST = TerminalId.make("main");

/** The server that was seen is there no more, and nothing was made: somebody may look again. */
class Nowhere extends Data.TaggedError("Nowhere")<{ readonly failure: LookupFailed }> {
  override get message(): string {
    return this.failure.message;
  }
}

/** After an unknown outcome: behind a raised fence, tmux has it with our mark or never will. */
const lookForMark = Effect.fnUntraced(function* (
  holding: Holding,
  record: SessionRecord,
  failure: LookupFailed,
) {
  yield* holding.outcomeUnknown;
  const seen = yield* observe(record, yield* holding.look(attempted), attempted);
  return seen._tag === "Present" ? seen.session : yield* failure;
});

/** Somebody took the name behind our look; whose it is now is looked up once. */
const takenBy = Effect.fnUntraced(function* (
  holding: Holding,
  { session }: SessionRecord,
  detail: string,
) {
  const listing = yield* holding.look(attempted);
  const sessions = listing._tag === "Server" ? listing.sessions : [];
  const other = sessions.find((s) => s.name === session);
  if (other === undefined) return yield* new TmuxRefused({ session, attempted, detail });
  return yield* new ForeignSession({ session, attempted, sessionId: other.sessionId });
});

/** One command list; what came of it. */
const makeSession = Effect.fnUntraced(function* (
  holding: Holding,
  record: SessionRecord,
  request: Omit<CreateSession, "epoch">,
) {
  const tmux = yield* Tmux;
  const { server } = request;
  const made = yield* unlessOvertaken(holding, { server, attempted }, () =>
    tmux
      .create({ ...request, ...holding.fence() })
      .pipe(
        Effect.catchTag("LookupFailed", (failure) =>
          Effect.map(
            lookForMark(holding, record, failure),
            (session) => ({ _tag: "Created", session }) as const,
          ),
        ),
      ),
  );
  if (made._tag === "Created") return made.session;
  if (made._tag === "NameTaken") return yield* takenBy(holding, record, made.detail);
  const { session } = record;
  const where = { session, attempted, source: "tmux", reason: "server-exited" } as const;
  return yield* new Nowhere({ failure: new LookupFailed({ ...where, detail: made.detail }) });
});

const requestOf = Effect.fnUntraced(function* (
  record: SessionRecord,
  server: ServerId,
  { environment, spec }: Creation,
) {
  const host = yield* Host;
  const { home } = yield* Settings;
  const { generation, incarnation, session } = record;
  const request: Omit<CreateSession, "epoch"> = {
    session,
    server,
    mark: { incarnation, home, generation },
    terminal: FIRST,
    spec,
    recording: yield* recordingOf(record, FIRST),
    base: baseEnvironment(session, incarnation, host.environment),
    environment,
  };
  return request;
});

/** What is written when the program lived, or ended well, and was given that long to start. */
const startedChanges = Effect.fnUntraced(function* (
  record: SessionRecord,
  made: SeenSession,
  session: SeenSession,
  startWindowMs: number,
) {
  const terminals = session.terminals.flatMap((t) =>
    terminalOf(inItsWindow(t, made), record.spec.command),
  );
  const seen = { _tag: "Present", session } as const;
  const first = terminals.find(({ terminal }) => terminal === FIRST);
  // What a user made meanwhile in a window of his own is not of this terminal.
  const lives =
    first === undefined
      ? sessionLives(record, null)
      : terminalLives({ record, seen, terminal: first });
  const found = yield* startWindowMs === 0 ? leaders(lives) : victims(lives);
  const to = terminals.some((t) => t.state === "running") ? "running" : "exited";
  const changes: ReadonlyArray<Change> = [
    ...terminals.map((t): Change => ({ _tag: "Terminal", record: t })),
    recorded(FIRST, found),
    { _tag: "Move", to, cause: null, sessionId: session.sessionId },
  ];
  return changes;
});

/**
 * Undoes what there is of the creation. What a failed write did is unknown, so the row is read
 * again first: a create whose last write took effect has succeeded, and its record is the answer.
 */
const undo = (
  holding: Holding,
  incarnation: IncarnationId,
  { environment }: Creation,
  how: { readonly release: boolean },
) =>
  Effect.fnUntraced(function* (why: string) {
    const registry = yield* Registry;
    const scopes = yield* SessionScopes;
    const record = Option.getOrNull(yield* registry.find(incarnation));
    // One that is lost and was never in tmux was undone by somebody else.
    const undone = record?.state === "lost" && record.sessionId === null;
    if (record === null || isFinal(record.state) || undone) return null;
    if (record.state !== "creating") return record;
    const listing = yield* holding.look(rollingBack);
    const seen = yield* observe(record, listing, rollingBack);
    const doomed = { record, listing, seen, attempted: rollingBack };
    const restores = isRestoration(record);
    const cause = restores ? `restore failed: ${why}` : why;
    yield* undoCreation(holding, doomed, cause, how);
    // What is lost is still to be restored, by this program with the values that it holds.
    if (restores) yield* scopes.open(record.session, incarnation, environment);
    return null;
  });

/** Where a session is made, and the incarnation of its name that ends with the intent row. */
export interface Place {
  readonly server: ServerId;
  readonly version: string;
  readonly ending?: Ending | undefined;
}

/** From the intent row to the last one. */
const make = Effect.fnUntraced(function* (
  holding: Holding,
  creation: Creation,
  incarnation: IncarnationId,
  place: Place,
) {
  const { requestId, spec } = creation;
  const { ending, server } = place;
  const known = yield* recordServer(holding.session, place).pipe(
    Effect.mapError((failure) =>
      failure.reason === "server-exited" ? new Nowhere({ failure }) : failure,
    ),
  );
  const restores = ending !== undefined;
  const begin: Change = { _tag: "Begin", spec, server, requestId, restores };
  const record = yield* holding.begin(incarnation, [known, begin], ending);
  const request = yield* requestOf(record, server, creation);
  const made = yield* makeSession(holding, record, request);
  const { environment, startWindowMs } = creation;
  const { command } = spec;
  const start = { attempted, record, server, terminal: FIRST, command, environment, startWindowMs };
  const session = yield* startWindow(holding, made, start);
  const changes = yield* startedChanges(record, made, session, startWindowMs);
  // A caller that left behind the window is not given a session either.
  yield* Effect.allowInterrupt;
  return yield* holding.commit(incarnation, changes, { release: true });
});

const isNowhere = <E>(cause: Cause.Cause<E>): boolean =>
  Option.exists(Cause.failureOption(cause), (failure) => failure instanceof Nowhere);

/**
 * Makes a session of a free name. Whatever fails is undone before this ends, and the claim is given
 * back with that unless it `looksAgain` and there is a reason to.
 */
const makeAndTell = Effect.fnUntraced(function* (
  holding: Holding,
  creation: Creation,
  place: Place,
  looksAgain: boolean,
) {
  const ids = yield* Ids;
  const scopes = yield* SessionScopes;
  const incarnation = yield* ids.incarnation;
  const exit = yield* Effect.exit(make(holding, creation, incarnation, place));
  const made = Exit.isSuccess(exit)
    ? exit.value
    : yield* rollBack(holding, {
        attempted: rollingBack,
        environment: creation.environment,
        cause: exit.cause,
        undo: undo(holding, incarnation, creation, {
          release: !(looksAgain && isNowhere(exit.cause)),
        }),
      });
  yield* scopes.open(holding.session, incarnation, creation.environment);
  return made;
});

const asTold = ({ failure }: Nowhere) => Effect.fail(failure);

/** Makes a session of a free name, at that place or nowhere. Whatever fails is undone. */
export const makeOrUndo = (holding: Holding, creation: Creation, place: Place) =>
  makeAndTell(holding, creation, place, false).pipe(Effect.catchTag("Nowhere", asTold));

const createFrom = Effect.fnUntraced(function* (
  holding: Holding,
  creation: Creation,
  looksAgain: boolean,
) {
  const scopes = yield* SessionScopes;
  const listing = yield* holding.look(attempted);
  const before = yield* clearName(holding, creation, listing);
  if (before !== null) {
    // The same request again may come from a program that has started anew, with its values.
    const open = scopes.open(holding.session, before.incarnation, creation.environment);
    return isFinal(before.state) ? before : yield* Effect.as(open, before);
  }
  const { server, version } = yield* serverFor(holding, listing);
  return yield* makeAndTell(holding, creation, { server, version }, looksAgain);
});

/** Makes the session; the record as it is then. Whatever fails is undone before this ends. */
export const createSession = Effect.fn("Sessions.create.flow")(function* (
  holding: Holding,
  creation: Creation,
) {
  const again = Effect.zipRight(Effect.allowInterrupt, createFrom(holding, creation, false));
  return yield* createFrom(holding, creation, true).pipe(
    Effect.catchTag("Nowhere", () => again),
    Effect.catchTag("Nowhere", asTold),
  );
});
