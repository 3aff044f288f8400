/**
 * Attaching: clients come to sessions, are moved to others, and leave.
 *
 * How many show a session is counted anew only by some commands, as in tmux: until then the old
 * number stands. A client that is told to leave does so when the command list has ended.
 */
import type { AttachedClient } from "./AttachedClient.js";
import type { Server } from "./Server.js";
import type { Session } from "./Session.js";

/** Counts the clients of every session; those that leave do not count. */
export const countAttached = (server: Server): void => {
  for (const session of server.sessions) {
    session.attached = server.clients.filter(
      (client) => client.session === session && !client.leaving,
    ).length;
  }
};

/** Sessions that nobody shows end where `destroy-unattached` says so. */
export const endUnattached = (server: Server): void => {
  for (const session of server.sessions) {
    const ends = session.options.isOn("destroy-unattached");
    if (ends && session.attached === 0) server.destroySession(session);
  }
};

/** A client that is there begins to show a session. */
export const showSession = (server: Server, client: AttachedClient, session: Session): void => {
  client.session = session;
  countAttached(server);
  session.activityOrder = server.nextActivity();
  session.activity = server.seconds();
  session.lastAttached = server.seconds();
  endUnattached(server);
};

/** Lets a client go when the list has ended. */
export const detachClient = (client: AttachedClient): void => {
  client.leaving = true;
};

/** A client of any kind has left, and with it those that were told to. */
export const clientLeft = (server: Server): void => {
  server.clients = server.clients.filter(({ leaving }) => !leaving);
  countAttached(server);
  endUnattached(server);
};

// The one that was used least lately, whatever one would expect.
const nextSession = (server: Server, ended: Session): Session | null => {
  const how = ended.options.text("detach-on-destroy");
  if (how === "on") return null;
  return server.sessions
    .filter((each) => each !== ended && (how === "off" || each.attached === 0))
    .reduce<Session | null>(
      (best, each) => (best === null || each.activityOrder < best.activityOrder ? each : best),
      null,
    );
};

/** The clients of a session that ends leave, or show another one: `detach-on-destroy` says. */
export const moveClients = (server: Server, ended: Session): void => {
  const next = nextSession(server, ended);
  const clients = server.clients.filter(({ session }) => session === ended);
  if (next === null) server.clients = server.clients.filter((each) => !clients.includes(each));
  else {
    for (const client of clients) {
      client.lastSession = ended;
      showSession(server, client, next);
    }
  }
  countAttached(server);
};

/** The client that a command about a session means: the last to come of those that show it. */
export const bestClient = (server: Server, session: Session): AttachedClient | null => {
  const anyone = session.attached === 0;
  return server.clients.findLast((each) => anyone || each.session === session) ?? null;
};
