/**
 * Lingering: sessions that were killed and are still listed for a while.
 *
 * The real tmux has no such lag; a test asks for it, to see that a kill is believed only when the
 * session is gone. Until then the session is there for everything, and its programs run.
 */
import type { Server } from "./Server.js";
import type { Session } from "./Session.js";

/** Ends the session, now or when so many more clients have been served as was asked for. */
export const lingerOrDestroy = (server: Server, session: Session): void => {
  const runs = server.machine.lingerRuns;
  if (runs <= 0) server.destroySession(session);
  else if (!server.lingering.has(session)) server.lingering.set(session, runs);
};

/** One client has been served. */
export const countLingering = (server: Server): void => {
  for (const [session, runs] of [...server.lingering]) {
    if (runs > 0) server.lingering.set(session, runs - 1);
    else {
      server.lingering.delete(session);
      server.destroySession(session);
    }
  }
};
