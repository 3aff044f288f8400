/**
 * ServerEnd: how a server ends, and how it is told to do things by signals.
 *
 * However it ends, the terminals of its panes go with it. The socket stays as a file that nobody
 * listens at.
 */
import type { Machine } from "./Machine.js";
import { closePane } from "./PaneEnd.js";
import type { Server } from "./Server.js";

/** `exit`: by itself or on TERM. `crash`: killed; its clients are told that it exited. */
export const endServer = (machine: Machine, server: Server, how: "exit" | "crash"): void => {
  if (!server.alive) return;
  server.alive = false;
  server.tellNews();
  for (const pane of server.panes()) closePane(server, pane);
  machine.servers = machine.servers.filter((other) => other !== server);
  if (machine.socket._tag === "Listening" && machine.socket.server === server) {
    machine.socket = { _tag: "Stale" };
  }
  if (machine.socket._tag === "Denied" && machine.socket.behind._tag === "Listening") {
    if (machine.socket.behind.server === server) {
      machine.socket = { _tag: "Denied", behind: { _tag: "Stale" } };
    }
  }
  machine.abandon(server);
  machine.tree.finish(
    server.process,
    how === "exit" ? { _tag: "Exited", code: 0 } : { _tag: "Signalled", signal: "KILL" },
  );
};

/** TERM and INT end it, HUP is ignored, CHLD makes it reap, USR1 makes it listen again. */
export const handleSignals = (machine: Machine, server: Server): void => {
  const { process } = server;
  const end = () => {
    server.ending = true;
  };
  process.handlers.set("TERM", end);
  process.handlers.set("INT", end);
  process.handlers.set("HUP", "ignore");
  process.handlers.set("CHLD", () => server.reapZombies());
  process.handlers.set("USR1", () => {
    // Without its directory no socket can be made: the server goes on as it was.
    if (machine.socket._tag === "DirectoryMissing") return;
    machine.socket = { _tag: "Listening", server };
  });
  process.ended.push(() => endServer(machine, server, "crash"));
};
