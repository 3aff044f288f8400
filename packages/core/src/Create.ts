/**
 * Create: the flow that makes a session, all or nothing.
 *
 * Look; the intent row; one command list; the start window; `running` or `exited`. Whatever fails
 * behind the intent, an error, a defect or an interruption, is undone by the same message: the
 * session is killed and verified, the row becomes `failed`. When that cannot be shown the row
 * stays `creating` and the error carries both causes. Only the start window can be interrupted.
 */
import { Effect, Exit } from "effect";
import { clearName } from "./ClearName.js";
import type { Creation } from "./Creation.js";
import { baseEnvironment } from "./Environment.js";
import type { Holding } from "./Holding.js";
import { Host } from "./Host.js";
import { type IncarnationId, type ServerId, TerminalId } from "./Identity.js";
import { Ids } from "./Ids.js";
import { ProcessTable } from "./ProcessTable.js";
import type { Change } from "./Registry.js";
import { rollBack } from "./RollBack.js";
import type { SessionRecord } from "./Session.js";
import { Busy, ForeignSession, LookupFailed, TmuxRefused } from "./SessionError.js";
import { Settings } from "./Settings.js";
import { noOtherServer, observe } from "./Sight.js";
import { startWindow } from "./StartWindow.js";
import { type CreateSession, type Listing, Tmux } from "./Tmux.js";

const attempted = "create";

/** The terminal that a session is made with. */
const FIRST = TerminalId.make("main");

/** The server that answers, or a new one; never a second beside one that lives. */
const serverFor = Effect.fnUntraced(function* (session: string, listing: Listing) {
  const tmux = yield* Tmux;
  const answering = listing._tag === "Server" ? listing.server : null;
  yield* noOtherServer(session, attempted, answering);
  return listing._tag === "Server" ? listing : yield* tmux.boot(attempted);
});

/** How the server is known among the machine's processes; it must be seen to live. */
export const recordServer = Effect.fnUntraced(function* (
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

/** From the intent row to the last one. */
const make = Effect.fnUntraced(function* (
  holding: Holding,
  creation: Creation,
  incarnation: IncarnationId,
  booted: { readonly server: ServerId; readonly version: string },
) {
  const { requestId, spec } = creation;
  const { server } = booted;
  const known = yield* recordServer(holding.session, booted);
  const begin: Change = { _tag: "Begin", spec, server, requestId };
  const record = yield* holding.begin(incarnation, [known, begin]);
  const request = yield* requestOf(holding, record, server, creation);
  const made = yield* makeSession(holding, record, request);
  const changes = yield* startWindow(holding, record, made, server, creation);
  return yield* holding.commit(incarnation, changes, { release: true });
});

/** Makes the session; the record as it is then. Whatever fails is undone before this ends. */
export const createSession = Effect.fn("Sessions.create.flow")(function* (
  holding: Holding,
  creation: Creation,
) {
  const ids = yield* Ids;
  const listing = yield* holding.look(attempted);
  const before = yield* clearName(holding, creation, listing);
  if (before !== null) return before;
  const booted = yield* serverFor(holding.session, listing);
  const incarnation = yield* ids.incarnation;
  const exit = yield* Effect.exit(make(holding, creation, incarnation, booted));
  if (Exit.isSuccess(exit)) return exit.value;
  return yield* rollBack(holding, incarnation, creation.environment, exit.cause);
});
