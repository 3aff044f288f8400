/**
 * Connecting: a client on its way to a server: what stands at the socket, and whether a new server
 * is started.
 *
 * All of it comes before any look at the commands, except that a list which parses and has a
 * command that starts servers may start one.
 */
import { buildArgv, ParseFailure } from "./CommandBuilder.js";
import { parseArgv } from "./CommandGrammar.js";
import { findCommandName } from "./CommandNames.js";
import { commandSpecs } from "./CommandSpecs.js";
import type { ClientReply, ClientRequest, Machine } from "./Machine.js";
import { Server } from "./Server.js";

// The list is read on a server that was never there.
const startsServer = (machine: Machine, argv: ReadonlyArray<string>): boolean => {
  if (argv.length === 0) return true;
  const starts = parseArgv(argv).some(({ words: [name] }) => {
    const found = typeof name === "string" ? findCommandName(name) : { error: "" };
    return "name" in found && commandSpecs.get(found.name)?.startsServer === true;
  });
  if (!starts) return false;
  const draft = new Server(machine, machine.tree.draft("tmux: client"));
  return !(buildArgv(draft, argv) instanceof ParseFailure);
};

const failed = (stderr: string): ClientReply => ({ exitCode: 1, stdout: "", stderr });

/** The server that the client comes to, or what it ends with when there is none. */
export const connect = (machine: Machine, request: ClientRequest): Server | ClientReply => {
  const { socket } = machine;
  const path = machine.settings.socket;
  const connecting = (why: string) => failed(`error connecting to ${path} (${why})\n`);
  if (socket._tag === "Listening") return socket.server;
  if (socket._tag === "Denied") return connecting("Permission denied");
  const starts = request.startsServer && startsServer(machine, request.argv);
  if (socket._tag === "DirectoryMissing") {
    if (!starts) return connecting("No such file or directory");
    const told = machine.rules.tellsMissingDirectory;
    const stderr = told ? `error creating ${path} (No such file or directory)\n` : "";
    return { exitCode: 0, stdout: "", stderr };
  }
  if (starts) return machine.startServer();
  if (socket._tag === "Stale") return failed(`no server running on ${path}\n`);
  return connecting("No such file or directory");
};
