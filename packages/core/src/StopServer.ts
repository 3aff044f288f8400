/**
 * StopServer: the flow that ends a tmux server which has no session.
 *
 * It belongs to no name: that no session is there is checked by tmux in the list that ends it. One
 * that lives out of reach is not "none": it is told to listen again, or that fails.
 * Done means that the process is gone, which is looked at to the bound of a kill.
 */
import { Effect } from "effect";
import { sameProcess } from "./Identity.js";
import { listProven } from "./ListenAgain.js";
import { lookUntil } from "./LookUntil.js";
import { ProcessTable } from "./ProcessTable.js";
import { KillUnconfirmed, type LookupFailed, type RegistryFailure } from "./SessionError.js";
import { Settings } from "./Settings.js";
import { Tmux } from "./Tmux.js";

const attempted = "stop the server";

/**
 * Ends the tmux server of this home when it has no session; `kept` when it has one, `none` when
 * there is no server. Success with `stopped` means that its process is gone.
 */
export type StopServer = Effect.Effect<
  "stopped" | "kept" | "none",
  LookupFailed | KillUnconfirmed | RegistryFailure
>;

/** Ends the server that answers at the socket, if it has no session. */
export const stopServer = Effect.gen(function* () {
  const tmux = yield* Tmux;
  const processes = yield* ProcessTable;
  const { killBoundMs, lookSpacingMs } = yield* Settings;
  const listing = yield* listProven(attempted);
  if (listing._tag === "NoServer") return "none";
  const entry = yield* processes.look(listing.server.pid);
  const answer = yield* tmux.stop(listing.server);
  if (answer === "kept") return "kept";
  if (answer === "elsewhere" || entry === null) return "none";
  const look = Effect.map(
    processes.look(entry.id.pid),
    (now) => now === null || !sameProcess(now.id, entry.id),
  );
  const gone = yield* lookUntil({ boundMs: killBoundMs, spacingMs: lookSpacingMs }, look);
  if (gone) return "stopped";
  const detail = `tmux server ${entry.id.pid} said that it stops and still lives`;
  return yield* new KillUnconfirmed({ session: null, attempted, detail, after: null });
});
