/**
 * Create: the flow that makes a session, all or nothing.
 *
 * Look; the intent row; one command list; the start window; `running` or `exited`. Whatever fails
 * behind the intent, an error, a defect or an interruption, is undone by the same message: the
 * session is killed and verified, the row becomes `failed`. When that cannot be shown the row
 * stays `creating` and the error carries both causes. Only the start window can be interrupted.
 */
import { Cause, Effect, Exit, Option } from "effect";
import type { Creation } from "./Creation.js";
import { baseEnvironment, masked } from "./Environment.js";
import type { Holding } from "./Holding.js";
import { Host } from "./Host.js";
import { type ServerId, TerminalId } from "./Identity.js";
import { Ids } from "./Ids.js";
import { endSession } from "./Kill.js";
import { isFinal } from "./Lifecycle.js";
import { ProcessTable } from "./ProcessTable.js";
import { type Change, Registry } from "./Registry.js";
import { rollBack } from "./RollBack.js";
import type { SessionRecord } from "./Session.js";
import { AlreadyExists, Busy, ForeignSession, LookupFailed, TmuxRefused } from "./SessionError.js";
import { Settings } from "./Settings.js";
import { noOtherServer, observe } from "./Sight.js";
import { startWindow } from "./StartWindow.js";
import { type CreateSession, type Listing, type SeenSession, Tmux } from "./Tmux.js";
import { undoCreation } from "./Undo.js";

const attempted = "create";

/** The terminal that a session is made with. */
const FIRST = TerminalId.make("main");

/** Refuses a name that is held; takes back a creation that a dead program left. */
const clearTheName = Effect.fnUntraced(function* (holding: Holding, listing: Listing) {
  const registry = yield* Registry;
  const { session } = holding;
  const known = Option.getOrNull(yield* registry.get(session));
  if (known !== null) {
    if (known.state !== "creating" && !isFinal(known.state)) {
      return yield* new AlreadyExists({ session, attempted, state: known.state });
    }
    const seen = yield* observe(known, listing, attempted);
    const doomed = { record: known, listing, seen, attempted };
    if (known.state === "creating")
      yield* undoCreation(holding, doomed, "cut off", { release: false });
    else if (seen._tag === "Present") yield* endSession(holding, doomed);
  }
  const sessions = listing._tag === "Server" ? listing.sessions : [];
  const other = sessions.find((s) => s.name === session);
  const ours = known !== null && other?.mark?.incarnation === known.incarnation;
  if (other === undefined || ours) return;
  return yield* new ForeignSession({ session, attempted, sessionId: other.sessionId });
});

/** The server that answers, or a new one; never a second beside one that lives. */
const serverFor = Effect.fnUntraced(function* (session: string, listing: Listing) {
  const tmux = yield* Tmux;
  const answering = listing._tag === "Server" ? listing.server : null;
  yield* noOtherServer(session, attempted, answering);
  return listing._tag === "Server" ? listing : yield* tmux.boot(attempted);
});

/** How the server is known among the machine's processes; it must be seen to live. */
const recordServer = Effect.fnUntraced(function* (
  session: string,
  { server, version }: { readonly server: ServerId; readonly version: string },
) {
  const processes = yield* ProcessTable;
  const entry = yield* processes.look(server.pid);
  if (entry !== null) {
    return { _tag: "Server", record: { server, version, process: entry.id } } satisfies Change;
  }
  return yield* new LookupFailed({
    session,
    attempted,
    source: "processes",
    reason: "server-exited",
    detail: `tmux server ${server.pid} answered and is not among the processes`,
  });
});

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
  request: CreateSession,
) {
  const tmux = yield* Tmux;
  const made = yield* tmux
    .create(request)
    .pipe(
      Effect.catchTag("LookupFailed", (failure) =>
        Effect.map(
          lookForMark(holding, record, failure),
          (session) => ({ _tag: "Created", session }) as const,
        ),
      ),
    );
  if (made._tag === "Created") return made.session;
  if (made._tag === "NameTaken") return yield* takenBy(holding, record, made.detail);
  const { session } = record;
  if (made._tag === "Stale") {
    return yield* new Busy({ session, attempted, holder: null, reason: "overtaken" });
  }
  return yield* new LookupFailed({
    session,
    attempted,
    source: "tmux",
    reason: "server-exited",
    detail: made.detail,
  });
});

const requestOf = Effect.fnUntraced(function* (
  holding: Holding,
  record: SessionRecord,
  server: ServerId,
  { environment, spec }: Creation,
) {
  const host = yield* Host;
  const { home } = yield* Settings;
  const { generation, incarnation, session } = record;
  const request: CreateSession = {
    ...holding.fence(),
    server,
    mark: { incarnation, home, generation },
    terminal: FIRST,
    spec,
    base: baseEnvironment(session, incarnation, host.environment),
    environment,
  };
  return request;
});

/** Makes the session; the record as it is then. */
export const createSession = Effect.fn("Sessions.create.flow")(function* (
  holding: Holding,
  creation: Creation,
) {
  const ids = yield* Ids;
  const { session } = holding;
  const listing = yield* holding.look(attempted);
  yield* clearTheName(holding, listing);
  const booted = yield* serverFor(session, listing);
  const serverChange = yield* recordServer(session, booted);
  const incarnation = yield* ids.incarnation;
  const { server } = booted;
  const begin: Change = { _tag: "Begin", spec: creation.spec, server, requestId: null };
  const record = yield* holding.begin(incarnation, [serverChange, begin]);

  let made: SeenSession | null = null;
  const exit = yield* Effect.exit(
    Effect.gen(function* () {
      const request = yield* requestOf(holding, record, server, creation);
      made = yield* makeSession(holding, record, request);
      const changes = yield* startWindow(holding, record, made, server, creation);
      return yield* holding.commit(incarnation, changes, { release: true });
    }),
  );
  if (Exit.isSuccess(exit)) return exit.value;
  return yield* rollBack(
    holding,
    record,
    masked(Cause.pretty(exit.cause), creation.environment),
    exit.cause,
  );
});
