/**
 * TmuxTransport: the port below `TmuxClient`: a command list goes in, bytes and an exit code come
 * out.
 *
 * It knows the socket and the program, and nothing of sessions. It never interprets an answer: an
 * exit code of 0 proves nothing (a tmux client ends with 0 on SIGTERM), and what to believe is
 * decided in `TmuxFailure`. Real: `ProcessTransport` and `ControlTransport`. In memory, to the
 * byte: `FakeTmux`.
 */

import type { LookupFailed } from "@troupe/core";
import { Context, type Effect } from "effect";

/** One run of a tmux client. */
export interface TmuxRequest {
  /** What stands behind the client's global flags: commands, with `;` as an element of its own. */
  readonly argv: ReadonlyArray<string>;
  /** What the client reads: the list of `source-file -`, or the bytes of `load-buffer -`. */
  readonly stdin: string | Uint8Array | null;
  /**
   * Whether the answer may come among others, over a connection: there is no text in it that a
   * program in a pane chose, and the list ends neither the server nor its client. Left out: no.
   */
  readonly framed?: boolean;
  /** Whether this run may start the server; any other run is made with `-N`. */
  readonly startsServer: boolean;
  /**
   * The PATH of the client. tmux gives it to the panes that the list makes, over any `-e PATH=`
   * (measured on 3.3a); `null` is the transport's own minimal one.
   */
  readonly path: string | null;
  /** After this the client is ended with SIGKILL and the run fails with reason `timeout`. */
  readonly deadlineMs: number;
  /** For errors: whose list this is, and what was attempted. */
  readonly session: string | null;
  readonly attempted: string;
}

/** What a client left behind. Text is decoded as UTF-8; `exitCode` is of an unsignalled end. */
export interface TmuxReply {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs command lists. A run that does not end by itself with an exit code (deadline, signal, spawn
 * error) fails with `LookupFailed`, and its commands may still take effect later. Interruption
 * ends the client with SIGKILL, with the same caveat.
 */
export class TmuxTransport extends Context.Tag("@troupe/tmux/TmuxTransport")<
  TmuxTransport,
  {
    /** Runs one command list in one client, to its end or its deadline. */
    readonly run: (request: TmuxRequest) => Effect.Effect<TmuxReply, LookupFailed>;
    /** The socket, for messages. */
    readonly socket: string;
    /** The tmux program, for a command that somebody else runs. */
    readonly program: string;
  }
>() {}
