/**
 * Sight: from one listing of tmux to a positive fact about one incarnation.
 *
 * Present is a session with its mark. Absent needs proof: the server that it was recorded in
 * answered without it, or that server is proven dead. Anything between is `LookupFailed`: a
 * server that lives and cannot be reached (its socket was removed, or another server took the
 * path) still has its sessions.
 */
import { Effect } from "effect";
import { sameBoot, sameServer } from "./Identity.js";
import type { Observation } from "./Lifecycle.js";
import { ProcessTable } from "./ProcessTable.js";
import { Registry, type ServerRecord } from "./Registry.js";
import type { SessionRecord } from "./Session.js";
import { LookupFailed, type RegistryFailure } from "./SessionError.js";
import type { Listing } from "./Tmux.js";

/** Why a recorded server is known to be dead. */
export type ServerEnd = "server gone" | "reboot";

/** A server that lives and does not answer at the socket still has its sessions. */
export const splitServer = (session: string | null, attempted: string, pid: number): LookupFailed =>
  new LookupFailed({
    session,
    attempted,
    source: "processes",
    reason: "split-server",
    detail: `tmux server ${pid} lives and does not answer at the socket`,
  });

/** Pids that are counted elsewhere, in another container say, cannot be looked at from here. */
export const outOfSight = (session: string | null, attempted: string): LookupFailed =>
  new LookupFailed({
    session,
    attempted,
    source: "processes",
    reason: "unclear",
    detail: "it was recorded in another pid namespace, whose processes cannot be seen from here",
  });

/** Whether a recorded server lives, or how it ended; `LookupFailed` when that cannot be seen. */
export const serverLife = Effect.fnUntraced(function* (
  record: Pick<ServerRecord, "process">,
  session: string | null,
  attempted: string,
) {
  const processes = yield* ProcessTable;
  const bootId = yield* processes.bootId;
  if (!sameBoot(bootId, record.process.bootId)) return "reboot" as const;
  if (bootId !== record.process.bootId) return yield* outOfSight(session, attempted);
  const entry = yield* processes.look(record.process.pid);
  if (entry === null || entry.id.startTime !== record.process.startTime) {
    return "server gone" as const;
  }
  return "alive" as const;
});

/** Proof that a recorded server is dead; `LookupFailed` when it lives. */
export const serverEnd = Effect.fnUntraced(function* (
  record: ServerRecord,
  session: string | null,
  attempted: string,
) {
  const life = yield* serverLife(record, session, attempted);
  if (life === "alive") return yield* splitServer(session, attempted, record.server.pid);
  return life satisfies ServerEnd;
});

/** What is positively known of this incarnation. */
export const observe = (
  record: SessionRecord,
  listing: Listing,
  attempted: string,
): Effect.Effect<Observation, LookupFailed | RegistryFailure, Registry | ProcessTable> =>
  Effect.gen(function* () {
    const sessions = listing._tag === "Server" ? listing.sessions : [];
    const session = sessions.find((s) => s.mark?.incarnation === record.incarnation);
    if (session !== undefined) return { _tag: "Present", session };
    const replaced = sessions.some((s) => s.name === record.session);
    const home = record.server;
    if (home === null) return { _tag: "Absent", why: "vanished" };
    if (listing._tag === "Server" && sameServer(listing.server, home)) {
      return { _tag: "Absent", why: replaced ? "replaced" : "vanished" };
    }
    const registry = yield* Registry;
    const known = (yield* registry.servers).find((s) => sameServer(s.server, home));
    if (known === undefined) return yield* splitServer(record.session, attempted, home.pid);
    return { _tag: "Absent", why: yield* serverEnd(known, record.session, attempted) };
  });
