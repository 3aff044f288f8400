/**
 * NativeClients: the tmux clients that show a session, as a look tells them.
 *
 * They belong to people, whichever program started them, and none of them is touched here. That
 * there is none is an answer only of the server that has the session, or of the proof that it is
 * gone; whatever else is, it could not be found out.
 */
import { Effect, Option } from "effect";
import type { SeenClient } from "./AttachClient.js";
import { isFinal } from "./Lifecycle.js";
import { Registry } from "./Registry.js";
import { NotFound } from "./SessionError.js";
import type { GetFailure } from "./SessionFailures.js";
import type { SessionName } from "./SessionName.js";
import { observe } from "./Sight.js";
import { Tmux } from "./Tmux.js";

const attempted = "look for clients";

/**
 * The tmux clients that show the session, whoever they are, the one used last first; none also
 * where it is proved to be gone.
 */
export type ClientsOf = (session: string) => Effect.Effect<ReadonlyArray<SeenClient>, GetFailure>;

/** The clients of the newest incarnation of the name, the one used last first. */
export const nativeClients = Effect.fnUntraced(function* (session: SessionName) {
  const registry = yield* Registry;
  const tmux = yield* Tmux;
  const record = Option.getOrNull(yield* registry.get(session));
  if (record === null || isFinal(record.state)) {
    return yield* new NotFound({ session, attempted, state: record?.state ?? null });
  }
  const listing = yield* tmux.list(attempted);
  const seen = yield* observe(record, listing, attempted);
  if (seen._tag === "Absent" || listing._tag === "NoServer") {
    const none: ReadonlyArray<SeenClient> = [];
    return none;
  }
  const clients = yield* tmux.attach.clients(seen.session, listing.server);
  // Another server that answers meanwhile has none either, and proves nothing of this one.
  if (clients.length === 0) yield* observe(record, yield* tmux.list(attempted), attempted);
  return clients;
});
