/**
 * ServerStatus: the tmux server of this home as it answers now, with whose sessions it has.
 *
 * One listing, and proof that no other server of this home lives out of reach: one that does is
 * neither none nor told of. Where the registry cannot be read the processes alone prove it.
 */
import { Effect } from "effect";
import { listAlone, noServerOfSocket } from "./OtherServer.js";
import { Settings } from "./Settings.js";
import { type Listing, Tmux } from "./Tmux.js";

const attempted = "look at the server";

/** The server that answers; times are milliseconds since 1970. `foreign` are not of this home. */
export interface RunningServer {
  readonly pid: number;
  readonly startedAt: number;
  readonly version: string;
  readonly sessions: ReadonlyArray<string>;
  readonly foreign: ReadonlyArray<string>;
}

/** The server, or `null` and what tmux said where none answers. */
export interface ServerStatus {
  readonly server: RunningServer | null;
  readonly detail: string | null;
}

const alone = (listing: Listing) =>
  noServerOfSocket(null, attempted, listing._tag === "Server" ? listing.server : null);

/** Asks tmux. */
export const serverStatus = Effect.gen(function* () {
  const tmux = yield* Tmux;
  const { home } = yield* Settings;
  const unread = () => Effect.tap(tmux.list(attempted), alone);
  const listing = yield* listAlone(attempted, tmux.list(attempted)).pipe(
    Effect.catchTags({ RegistryCorrupt: unread, RegistryUnavailable: unread }),
  );
  if (listing._tag === "NoServer") {
    const none: ServerStatus = { server: null, detail: listing.detail };
    return none;
  }
  const { pid, startTime } = listing.server;
  const names = (ours: boolean) =>
    listing.sessions.filter(({ mark }) => (mark?.home === home) === ours).map(({ name }) => name);
  const found: ServerStatus = {
    server: {
      pid,
      startedAt: startTime * 1_000,
      version: listing.version,
      sessions: names(true),
      foreign: names(false),
    },
    detail: null,
  };
  return found;
});
