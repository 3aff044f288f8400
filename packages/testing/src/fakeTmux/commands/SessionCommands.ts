/**
 * SessionCommands: commands about sessions that are there, and about the clients that show them.
 *
 * `has-session` is nothing but its target. A kill is done when the command is, unless a test asked
 * for sessions that linger.
 */
import { detachClient } from "../Attaching.js";
import type { CommandResult, CommandRun, CommandSpec } from "../Command.js";
import { formatLine } from "../FormatContext.js";
import { lingerOrDestroy } from "../Lingering.js";
import { checkSessionName, refusedName } from "../SessionName.js";
import { listing } from "./Listing.js";

const target = { flag: "t", kind: "session" } as const;

const hasSession: CommandSpec = {
  name: "has-session",
  usage: "[-t target-session]",
  shape: { template: "t:", least: 0, most: 0 },
  target,
  run: () => "normal",
};

const kill = ({ args, server, target: found }: CommandRun): CommandResult => {
  if (args.has("C")) return "normal";
  const all = args.has("a") ? server.sessions.filter((each) => each !== found.session) : [];
  const doomed = args.has("a") ? all : found.session === null ? [] : [found.session];
  for (const session of doomed) lingerOrDestroy(server, session);
  return "normal";
};

const killSession: CommandSpec = {
  name: "kill-session",
  usage: "[-aC] [-t target-session]",
  shape: { template: "aCt:", least: 0, most: 0 },
  target,
  run: kill,
};

const rename = (run: CommandRun): CommandResult => {
  const { args, server } = run;
  const { session } = run.target;
  const asked = run.format(args.text(0) ?? "");
  const name = checkSessionName(server, asked);
  if (name === null) return run.fail(refusedName(server, asked));
  if (session === null || name === session.name) return "normal";
  if (server.findSession(name) !== null) return run.fail(`duplicate session: ${name}`);
  session.name = name;
  server.sortSessions();
  return "normal";
};

const renameSession: CommandSpec = {
  name: "rename-session",
  usage: "[-t target-session] new-name",
  shape: { template: "t:", least: 1, most: 1 },
  target,
  run: rename,
};

const sessionLine =
  "#{session_name}: #{session_windows} windows (created #{t:session_created})" +
  "#{?session_grouped, (group ,}#{session_group}#{?session_grouped,),}" +
  "#{?session_attached, (attached),}";

const listSessions: CommandSpec = {
  name: "list-sessions",
  usage: "[-F format] [-f filter]",
  shape: { template: "F:f:", least: 0, most: 0 },
  run: (run) => {
    listing(
      run,
      run.server.sessions.map((session) => ({ session })),
      sessionLine,
    );
    return "normal";
  },
};

const clientLine =
  "#{client_name}: #{session_name} [#{client_width}x#{client_height} #{client_termname}] " +
  "#{?#{!=:#{client_uid},#{uid}},[user #{?client_user,#{client_user},#{client_uid},}] ,}" +
  "#{?client_flags,(,}#{client_flags}#{?client_flags,),}";

const listClients: CommandSpec = {
  name: "list-clients",
  usage: "[-F format] [-t target-session]",
  shape: { template: "F:t:", least: 0, most: 0 },
  target,
  run: (run) => {
    const wanted = run.args.has("t") ? run.target.session : null;
    run.server.clients
      .filter(({ session }) => wanted === null || session === wanted)
      .forEach((client, at) => {
        run.print(formatLine(run, { client }, run.args.get("F") ?? clientLine, at));
      });
    return "normal";
  },
};

const detach = ({ args, server, source, targetClient }: CommandRun): CommandResult => {
  const leaving = args.has("s")
    ? server.clients.filter(({ session }) => session === source.session)
    : args.has("a")
      ? server.clients.filter((each) => each !== targetClient)
      : server.clients.filter((each) => each === targetClient);
  for (const client of leaving) detachClient(client);
  return "normal";
};

const detachCommand: CommandSpec = {
  name: "detach-client",
  usage: "[-aP] [-E shell-command] [-s target-session] [-t target-client]",
  shape: { template: "aE:s:t:P", least: 0, most: 0 },
  source: { flag: "s", kind: "session", canFail: true },
  client: { flag: "t", canFail: false },
  run: detach,
};

/** In no particular order. */
export const sessionCommands: ReadonlyArray<CommandSpec> = [
  hasSession,
  killSession,
  renameSession,
  listSessions,
  listClients,
  detachCommand,
];
