/**
 * ListenAgain: asking tmux, and having the server of this home listen again when its socket was
 * removed.
 *
 * Only the one recorded server that lives is told, once, after it was shown to be that very
 * process, a tmux server, and started for our socket: the signal ends any other program. Where
 * something else stands at the path, or it does not help, nobody was found, and the death of the
 * server is for the caller to prove. For what changes something; reads never do this.
 */
import { Effect, Either } from "effect";
import { sameProcess } from "./Identity.js";
import { lookUntil } from "./LookUntil.js";
import { ProcessTable } from "./ProcessTable.js";
import { Registry, type ServerRecord } from "./Registry.js";
import { ServerSocket } from "./ServerSocket.js";
import type { LookupFailed } from "./SessionError.js";
import { Settings } from "./Settings.js";
import { noOtherServer, serverLife, splitServer } from "./Sight.js";
import { type Listing, Tmux } from "./Tmux.js";

/** The recorded server that lives; none where there may be another. */
const livingServer = Effect.fnUntraced(function* (attempted: string) {
  const registry = yield* Registry;
  const living: Array<ServerRecord> = [];
  for (const known of yield* registry.servers) {
    const life = yield* Effect.either(serverLife(known, null, attempted));
    if (Either.isLeft(life)) return null;
    if (life.right === "alive") living.push(known);
  }
  return living.length === 1 ? (living[0] ?? null) : null;
});

/** Tells the server to listen again: `taken` where that would take somebody's place. */
const tell = Effect.fnUntraced(function* ({ process }: ServerRecord) {
  const processes = yield* ProcessTable;
  const socket = yield* ServerSocket;
  const entry = yield* processes.look(process.pid);
  const proven = entry !== null && sameProcess(entry.id, process) && entry.tmuxServer;
  if (!proven || !(yield* socket.isServedBy(process.pid))) return "stranger";
  if (!(yield* socket.makeRoom)) return "taken";
  yield* processes.signal(process, "USR1");
  return "told";
});

/** Asks until a server answers, the recorded one has ended, or the bound passes. */
const untilHeard = Effect.fnUntraced(function* <R>(
  record: ServerRecord,
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
    return (yield* serverLife(record, null, attempted)) !== "alive";
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
  const record = yield* livingServer(attempted);
  if (record === null) return unhealed;
  const told = yield* Effect.either(tell(record));
  if (Either.isLeft(told)) {
    // Whether the server has ended is still to be proven, and that fails where it lives.
    yield* Effect.logWarning("the tmux server was not told to listen again", told.left);
    return unhealed;
  }
  if (told.right === "stranger") return unhealed;
  const heard: Heard =
    told.right === "taken"
      ? { listing: yield* ask, told: false }
      : { listing: yield* untilHeard(record, attempted, ask), told: true };
  return heard;
});

/**
 * The same for a listing of this home's server; `NoServer` where every recorded one is dead. One
 * that lives may have been started and recorded behind the listing, so then it is asked once more.
 */
export const listProven = Effect.fnUntraced(function* (attempted: string) {
  const tmux = yield* Tmux;
  const { listing } = yield* askOrHeal(attempted, tmux.list(attempted));
  if (listing._tag === "Server") return listing;
  const proven = yield* Effect.either(noOtherServer(null, attempted, null));
  if (Either.isRight(proven)) return listing;
  const again = yield* tmux.list(attempted);
  return again._tag === "Server" ? again : yield* proven.left;
});

/** Fails when a tmux server that was started for our socket lives, whatever is recorded. */
export const noServerOfSocket = Effect.fnUntraced(function* (attempted: string) {
  const processes = yield* ProcessTable;
  const socket = yield* ServerSocket;
  for (const { id, tmuxServer } of yield* processes.snapshot) {
    if (tmuxServer && (yield* socket.isServedBy(id.pid))) {
      return yield* splitServer(null, attempted, id.pid);
    }
  }
});
