/**
 * TargetClient: the attached client that a command is about.
 *
 * Where none is named it is one that shows the session of the latest activity, else any. Only some
 * commands mind when there is none.
 */
import type { AttachedClient } from "./AttachedClient.js";
import { bestClient } from "./Attaching.js";
import type { Command } from "./Command.js";
import type { Server } from "./Server.js";

/** The client, `null` where none is needed, or what tmux says about its absence. */
export const findTargetClient = (
  server: Server,
  { args, spec }: Command,
): AttachedClient | null | string => {
  const { client } = spec;
  const named = client === undefined ? null : args.get(client.flag);
  const needed = client?.canFail === false;
  if (named === null) {
    const best = server.bestSession();
    const found = best === null ? null : bestClient(server, best);
    return found ?? (needed ? "no current client" : null);
  }
  const name = named.replace(/:$/, "");
  const found = server.clients.find((each) => each.name === name);
  return found ?? (needed ? `can't find client: ${name}` : null);
};
