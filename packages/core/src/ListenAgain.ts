/**
 * ListenAgain: asking tmux, and having the server of this home listen again when its socket was
 * removed.
 *
 * Only the one server of this home that lives is told, recorded or not, once: it was shown to be
 * a tmux server, and started for our socket, because the signal ends any other program, and one
 * that just starts: a server that is not recorded is given time to answer first. Where something
 * else stands at the path, or it does not help, nobody was found. Reads never do this.
 */
import { Effect, Either } from "effect";
import { type ProcessId, sameProcess } from "./Identity.js";
import { lookUntil } from "./LookUntil.js";
import { listAlone, serversOfSocket } from "./OtherServer.js";
import { ProcessTable } from "./ProcessTable.js";
import { Registry } from "./Registry.js";
import { ServerSocket } from "./ServerSocket.js";
import type { LookupFailed } from "./SessionError.js";
import { Settings } from "./Settings.js";
import { serverLife } from "./Sight.js";
import { type Listing, Tmux } from "./Tmux.js";

/**
 * The process of the one server that was started for our socket and lives, recorded or not; none
 * where a recorded one lives that may be another, or the registry could not be asked. A damaged one
 * knows of none: it is rebuilt from what the server tells.
 */
const livingServer = Effect.fnUntraced(function* (attempted: string) {
  const registry = yield* Registry;
  const found = yield* Effect.either(serversOfSocket);
  if (Either.isLeft(found)) return null;
  const [first, ...more] = found.right.map(({ id }) => id);
  if (first === undefined || more.length > 0) return null;
  let isRecorded = false;
  const recorded = yield* registry.servers.pipe(
    Effect.catchTags({
      RegistryCorrupt: () => Effect.succeed([]),
      RegistryUnavailable: () => Effect.succeed(null),
    }),
  );
  if (recorded === null) return null;
  for (const known of recorded) {
    const same = sameProcess(known.process, first);
    isRecorded ||= same;
    if (same) continue;
    const life = yield* Effect.either(serverLife(known, null, attempted));
    if (Either.isLeft(life) || life.right === "alive") return null;
  }
  return { server: first, isRecorded };
});

/** Tells the server to listen again: `taken` where that would take somebody's place. */
const tell = Effect.fnUntraced(function* (server: ProcessId) {
  const processes = yield* ProcessTable;
  const socket = yield* ServerSocket;
  if (!(yield* socket.makeRoom)) return "taken";
  yield* processes.signal(server, "USR1");
  return "told";
});

/** Asks until a server answers, the recorded one has ended, or the bound passes. */
const untilHeard = Effect.fnUntraced(function* <R>(
  server: ProcessId,
  attempted: string,
  ask: Effect.Effect<Listing, LookupFailed, R>,
) {
  const { listenBoundMs, lookSpacingMs } = yield* Settings;
  let answer = yield* Effect.either(ask);
  let first = true;
  const look = Effect.gen(function* () {
    if (!first) answer = yield* Effect.either(ask);
    first = false;
    // A client may be cut off by the server that begins to listen: that is no answer yet.
    if (Either.isLeft(answer)) return false;
    if (answer.right._tag === "Server") return true;
    return (yield* serverLife({ process: server }, null, attempted)) !== "alive";
  });
  yield* lookUntil({ boundMs: listenBoundMs, spacingMs: lookSpacingMs }, look);
  return yield* answer;
});

/** An answer, and whether a server was told to listen again for it. */
export interface Heard {
  readonly listing: Listing;
  readonly told: boolean;
}

/**
 * Asks, and again when the server was told to listen. `NoServer` is nobody at the socket still,
 * and no more proof of an end than before.
 */
export const askOrHeal = Effect.fnUntraced(function* <R>(
  attempted: string,
  ask: Effect.Effect<Listing, LookupFailed, R>,
) {
  const first = yield* ask;
  const unhealed: Heard = { listing: first, told: false };
  if (first._tag === "Server") return unhealed;
  const living = yield* livingServer(attempted);
  if (living === null) return unhealed;
  const { isRecorded, server } = living;
  if (!isRecorded) {
    // One that just starts would be ended by the signal; it answers in a moment.
    const listing = yield* untilHeard(server, attempted, ask);
    if (listing._tag === "Server") return { listing, told: false };
  }
  const told = yield* Effect.either(tell(server));
  if (Either.isLeft(told)) {
    // Whether the server has ended is still to be proven, and that fails where it lives.
    yield* Effect.logWarning("the tmux server was not told to listen again", told.left);
    return unhealed;
  }
  const heard: Heard =
    told.right === "taken"
      ? { listing: yield* ask, told: false }
      : { listing: yield* untilHeard(server, attempted, ask), told: true };
  return heard;
});

/**
 * The same for a listing of this home's server, beside which no other one lives; `NoServer` where
 * every one is dead. One that lives may have been started behind the listing, so then it is asked
 * once more.
 */
export const listProven = Effect.fnUntraced(function* (attempted: string) {
  const tmux = yield* Tmux;
  const heard = Effect.map(askOrHeal(attempted, tmux.list(attempted)), ({ listing }) => listing);
  return yield* listAlone(attempted, heard);
});
