/**
 * ServerInUse: the tmux server in which something is made, and how it is known from then on.
 *
 * The one that answers, or one that is started where none of this home lives; never a second one
 * beside it. It is written as the process that it is, so it must be seen among them.
 */
import { Effect } from "effect";
import type { Holding } from "./Holding.js";
import type { ServerId } from "./Identity.js";
import { noOtherServer } from "./OtherServer.js";
import { ProcessTable } from "./ProcessTable.js";
import type { Change } from "./Registry.js";
import { LookupFailed } from "./SessionError.js";
import { type Listing, Tmux } from "./Tmux.js";

const attempted = "create";

/**
 * The server that answers, or a new one; never a second beside one that lives. One that lives and
 * did not answer may be of another name's create, booted behind our look: that is looked at again.
 */
export const serverFor = Effect.fnUntraced(function* (holding: Holding, listing: Listing) {
  const tmux = yield* Tmux;
  const { session } = holding;
  if (listing._tag === "Server") {
    yield* noOtherServer(session, attempted, listing.server);
    return listing;
  }
  const free = yield* Effect.either(noOtherServer(session, attempted, null));
  if (free._tag === "Right") return yield* tmux.boot(attempted);
  const again = yield* holding.look(attempted);
  if (again._tag !== "Server") return yield* free.left;
  yield* noOtherServer(session, attempted, again.server);
  return again;
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
