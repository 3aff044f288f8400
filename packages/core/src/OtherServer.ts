/**
 * OtherServer: whether a tmux server that was started for our socket lives and is not the one that
 * answers there.
 *
 * A recorded server is known by its row; one that no row tells of, where a registry was lost, by
 * the command line that it was started with. The processes are gone through only where nobody
 * answers or who answers is not recorded: who is recorded was looked at in that way once.
 */
import { Effect } from "effect";
import { type ServerId, sameServer } from "./Identity.js";
import { ProcessTable } from "./ProcessTable.js";
import { Registry } from "./Registry.js";
import { ServerSocket } from "./ServerSocket.js";
import type { SessionRecord } from "./Session.js";
import type { LookupFailed, RegistryFailure } from "./SessionError.js";
import { serverEnd, splitServer } from "./Sight.js";
import { type Listing, Tmux } from "./Tmux.js";

/** The living tmux servers that were started for our socket, whatever is recorded. */
export const serversOfSocket = Effect.gen(function* () {
  const processes = yield* ProcessTable;
  const socket = yield* ServerSocket;
  const servers = (yield* processes.snapshot).filter(({ tmuxServer }) => tmuxServer);
  return yield* Effect.filter(servers, ({ id }) => socket.isServedBy(id.pid));
});

/** Fails where one of them lives beside the one that answers, whatever is recorded. */
export const noServerOfSocket = Effect.fnUntraced(function* (
  session: string | null,
  attempted: string,
  answering: ServerId | null,
) {
  const other = (yield* serversOfSocket).find(({ id }) => id.pid !== answering?.pid);
  if (other !== undefined) return yield* splitServer(session, attempted, other.id.pid);
});

/**
 * Proof that no server of this home lives beside the one that answers; before a server is started,
 * used or taken for all that there is.
 */
export const noOtherServer = Effect.fnUntraced(function* (
  session: string | null,
  attempted: string,
  answering: ServerId | null,
) {
  const registry = yield* Registry;
  let isKnown = false;
  for (const known of yield* registry.servers) {
    const answers = answering !== null && sameServer(known.server, answering);
    if (answers) isKnown = true;
    else yield* serverEnd(known, session, attempted);
  }
  if (!isKnown) yield* noServerOfSocket(session, attempted, answering);
});

/** A listing, and why it does not tell of every session of this home; `null` where it does. */
export interface Surveyed {
  readonly listing: Listing;
  readonly beside: LookupFailed | null;
}

/** What the listing says, and whether another server lives beside who answered it. */
const judged = Effect.fnUntraced(function* (
  records: ReadonlyArray<SessionRecord>,
  attempted: string,
  listing: Listing,
) {
  const answering = listing._tag === "Server" ? listing.server : null;
  const isOurs = ({ server }: SessionRecord) =>
    server !== null && answering !== null && sameServer(server, answering);
  const told: Surveyed = { listing, beside: null };
  // A row of the server that answers is enough to know it.
  if (records.some(isOurs)) return told;
  return yield* noOtherServer(null, attempted, answering).pipe(
    Effect.as(told),
    Effect.catchTag("LookupFailed", (beside) => Effect.succeed<Surveyed>({ listing, beside })),
  );
});

/**
 * Asks, by `ask` where that may do more than to list, and whether another server lives. Who answers
 * may have come or gone behind the answer, so where one does it is listed once more.
 */
export const surveyed = Effect.fnUntraced(function* <R>(
  records: ReadonlyArray<SessionRecord>,
  attempted: string,
  ask: Effect.Effect<Listing, LookupFailed | RegistryFailure, R>,
) {
  const tmux = yield* Tmux;
  const first = yield* judged(records, attempted, yield* ask);
  return first.beside === null
    ? first
    : yield* judged(records, attempted, yield* tmux.list(attempted));
});

/** The same for who needs all of it: `LookupFailed` where another one lives. */
export const listAlone = Effect.fnUntraced(function* <R>(
  attempted: string,
  ask: Effect.Effect<Listing, LookupFailed | RegistryFailure, R>,
) {
  const { beside, listing } = yield* surveyed([], attempted, ask);
  return beside === null ? listing : yield* beside;
});
