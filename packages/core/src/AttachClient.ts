/**
 * AttachClient: the part of the port to tmux that is about clients on somebody's terminal.
 *
 * Such a client is run by whoever has the terminal, so the port gives an argv and starts nothing.
 * The argv checks inside tmux what was looked at before: another server or another incarnation
 * behind the id ends the client with a refusal, before it draws anything.
 */
import type { Effect } from "effect";
import type { IncarnationId, ServerId } from "./Identity.js";
import type { LookupFailed, TmuxRefused } from "./SessionError.js";
import type { SessionName } from "./SessionName.js";
import type { SeenSession } from "./Tmux.js";

/** A client that shows a session now; `name` is what tmux calls it. */
export interface SeenClient {
  readonly name: string;
  readonly readOnly: boolean;
}

/** What a client is to show. */
export interface AttachRequest {
  readonly server: ServerId;
  readonly sessionId: string;
  readonly incarnation: IncarnationId;
  /** The client that is to show it in place of what it shows; `null` is a new one. */
  readonly client: SeenClient | null;
  readonly readOnly: boolean;
  /** Whether the new one runs in another tmux, with this prefix; `null` when it does not. */
  readonly nested: { readonly prefix: string } | null;
}

/** The calls. */
export interface AttachClient {
  /** Whether the path is the socket of this server, however it is spelled. */
  readonly isOurSocket: (path: string) => Effect.Effect<boolean>;
  /** The clients that show the session, the one used last first. */
  readonly clients: (
    session: SeenSession,
    server: ServerId,
  ) => Effect.Effect<ReadonlyArray<SeenClient>, LookupFailed>;
  /** What runs the client, or tells the one that is there. Pure. */
  readonly argv: (request: AttachRequest) => ReadonlyArray<string>;
  /**
   * Gives the server the key bindings of a text in tmux's configuration language. They hold for
   * all of its clients and until it ends. `TmuxRefused` names the line that is no key binding,
   * before anything was done, or what tmux said of one.
   */
  readonly bindKeys: (
    session: SessionName,
    server: ServerId,
    text: string,
  ) => Effect.Effect<void, LookupFailed | TmuxRefused>;
}
