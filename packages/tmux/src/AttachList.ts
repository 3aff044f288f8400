/**
 * AttachList: the argv of a client on somebody's terminal, and the list of the clients there are.
 *
 * Server, id and mark are checked by the client's own command list, in front of `attach-session`;
 * where they are not right it runs a command that always fails. `-E` leaves the session's
 * environment alone. The prefix is an option of the session, for all of its clients; a hook puts
 * it back when the last of them leaves (measured on 3.3a: also one that SIGKILL ended).
 */
import {
  type AttachRequest,
  type LookupFailed,
  type SeenClient,
  type ServerId,
  sameServer,
} from "@troupe/core";
import { Either } from "effect";
import { both, END, HELLO, joined, quote, sequence, serverIs, when } from "./TmuxCommand.js";
import { type Asked, failureOf, garbled, isClean, linesOf } from "./TmuxFailure.js";
import { parseHello } from "./TmuxFormat.js";
import type { TmuxReply, TmuxTransport } from "./TmuxTransport.js";

/** No session has this id, so looking for it fails on every version. */
const refuse = `has-session -t ${quote("$")}`;

/** Behind the attaching, so that a client that could not be attached leaves nothing. */
const setPrefix = (id: string, prefix: string): ReadonlyArray<string> => {
  const hook = "client-detached[7411]";
  const back = sequence(`set-option -u -t ${id} prefix`, `set-hook -u -t ${id} ${hook}`);
  const whenLast = when("#{==:#{session_attached},0}", back, null, null);
  return [
    `set-hook -t ${id} ${hook} { ${whenLast} }`,
    `set-option -t ${id} -- prefix ${quote(prefix)}`,
  ];
};

/**
 * What runs the client, or tells the one that is there. `switch-client -r` turns read-only off
 * where it is on, so it is left out there.
 */
export const attachArgv = (
  { program, socket }: Pick<TmuxTransport["Type"], "program" | "socket">,
  { client, incarnation, nested, readOnly, server, sessionId }: AttachRequest,
): ReadonlyArray<string> => {
  const identity = `#{==:#{session_id}/#{@troupe-inc},${sessionId}/${incarnation}}`;
  const flag = readOnly && client?.readOnly !== true ? " -r" : "";
  const act =
    client === null
      ? `attach-session -E${flag} -t ${sessionId}`
      : `switch-client -E${flag} -c ${quote(client.name)} -t ${sessionId}`;
  const acts = nested === null ? act : sequence(act, ...setPrefix(sessionId, nested.prefix));
  const outOf = nested === null ? [] : ["env", "-u", "TMUX", "-u", "TMUX_PANE"];
  const condition = both(serverIs(server), identity);
  const list = ["if-shell", "-F", "-t", sessionId, condition, acts, refuse];
  return [...outOf, program, "-N", "-S", socket, ...list];
};

/** The argv that asks for the clients of a session. */
export const clientsList = (sessionId: string): ReadonlyArray<string> =>
  joined(
    ["display-message", "-p", HELLO],
    [
      "list-clients",
      "-t",
      sessionId,
      "-F",
      "C #{client_activity} #{client_readonly} #{client_name}",
    ],
    ["display-message", "-p", END],
  );

const CLIENT = /^C ([0-9]+) ([01]?) (.+)$/;

/** The clients, the one used last first; none when this server has no such session any more. */
export const readClients = (
  asked: Asked,
  server: ServerId,
  reply: TmuxReply,
): Either.Either<ReadonlyArray<SeenClient>, LookupFailed> => {
  const [greeting, ...lines] = linesOf(reply);
  const hello = parseHello(greeting);
  if (hello === null) {
    const failure = failureOf(asked, reply);
    return failure === "no-server" ? Either.right([]) : Either.left(failure);
  }
  const absent =
    reply.exitCode === 1 && /^(can't find session: |no current target)/.test(reply.stderr);
  if (!sameServer(hello.server, server) || absent) return Either.right([]);
  const rows = lines.slice(0, -1).map((line) => CLIENT.exec(line));
  const whole = isClean(reply) && lines.at(-1) === END && rows.every((row) => row !== null);
  if (!whole) return Either.left(garbled(asked, reply));
  const clients = rows.map((row) => ({
    usedAt: Number(row?.[1]),
    client: { name: row?.[3] ?? "", readOnly: row?.[2] === "1" },
  }));
  return Either.right(clients.sort((a, b) => b.usedAt - a.usedAt).map(({ client }) => client));
};
