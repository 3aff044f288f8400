/**
 * How tests ask a fake tmux: a command list in, what the client left behind out.
 *
 * Commands are joined by ";" in one argv, as a shell would pass them. A text is sourced.
 */
import type { LookupFailed } from "@troupe/core";
import { type TmuxReply, type TmuxRequest, TmuxTransport } from "@troupe/tmux";
import { Effect } from "effect";

/** A request as the typed client makes them, for an argv. */
export const request = (argv: ReadonlyArray<string>): TmuxRequest => ({
  argv,
  stdin: null,
  startsServer: true,
  path: null,
  deadlineMs: 3_000,
  session: null,
  attempted: "test",
});

const run = (asked: TmuxRequest): Effect.Effect<TmuxReply, LookupFailed, TmuxTransport> =>
  Effect.flatMap(TmuxTransport, (transport) => transport.run(asked));

/** Runs one argv. */
export const tmux = (...words: ReadonlyArray<string>) => run(request(words));

/** Runs a text on stdin of `source-file -`. */
export const source = (text: string) =>
  run({ ...request(["source-file", "-"]), stdin: text, startsServer: false });

/** What a list printed, when it ended well. */
export const printed = (...words: ReadonlyArray<string>) =>
  Effect.map(tmux(...words), ({ exitCode, stderr, stdout }) =>
    exitCode === 0 && stderr === "" ? stdout : `exit ${exitCode}: ${stderr}`,
  );

/** Starts a server that stays without sessions and keeps dead panes. */
export const boot = tmux(
  "start-server",
  ";",
  "set-option",
  "-s",
  "exit-empty",
  "off",
  ";",
  "set-option",
  "-g",
  "remain-on-exit",
  "on",
);

/** Starts a session with a program, in the way of the typed client. */
export const start = (session: string, ...program: ReadonlyArray<string>) =>
  printed(
    "new-session",
    "-d",
    "-P",
    "-F",
    "#{session_id} #{pane_id} #{pane_pid}",
    "-s",
    session,
    "--",
    "/bin/sh",
    "-c",
    'exec "$0" "$@"',
    ...program,
  );

/** How the program of a session is: dead or not, its code, its signal. */
export const state = (session: string) =>
  printed(
    "display-message",
    "-p",
    "-t",
    `=${session}:`,
    "#{pane_dead} #{pane_dead_status} #{pane_dead_signal}",
  );

/** The screen of a session without blank lines at its end. */
export const screen = (session: string) =>
  Effect.map(printed("capture-pane", "-p", "-t", `=${session}:`), (text) => text.trimEnd());
