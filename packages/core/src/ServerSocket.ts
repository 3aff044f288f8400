/**
 * ServerSocket: the port to the file at which the tmux server of a home is reached.
 *
 * A server whose file was removed lives on out of reach, and listens there again when it is told
 * to, which takes the path from whoever has it by then. So what stands there is looked at first.
 * Not for talking to the server: that is `Tmux`.
 */
import { Context, type Effect } from "effect";
import type { LookupFailed } from "./SessionError.js";

/** The socket of one home. */
export class ServerSocket extends Context.Tag("@troupe/core/ServerSocket")<
  ServerSocket,
  {
    /**
     * Whether the process with this pid was started as a tmux for this very socket: its command
     * line says so. One that is gone was not.
     */
    readonly isServedBy: (pid: number) => Effect.Effect<boolean, LookupFailed>;
    /**
     * Makes the directory of the socket where it is missing, private, and tells whether a server
     * may listen at the path without taking the place of anything: nothing stands there, or a
     * socket that nobody listens at. The answer may be old when it is used.
     */
    readonly makeRoom: Effect.Effect<boolean, LookupFailed>;
  }
>() {}
