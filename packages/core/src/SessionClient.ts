/**
 * SessionClient: somebody who is at a writer of this program: a person's window, a socket, a
 * stream.
 *
 * It is one peer, known by its id. It may be told what happens, or only be there. A tmux client on
 * somebody's terminal is none of these: it is tmux's, and seen by a look.
 */
import { type Effect, Schema } from "effect";
import type { AttachElement } from "./AttachElement.js";
import type { AwakeMillis } from "./AwakeClock.js";

/** One client; whoever comes back with the same id is the same one. */
export const ClientId = Schema.String.pipe(Schema.minLength(1), Schema.brand("ClientId"));
export type ClientId = typeof ClientId.Type;

/** Who is attached. */
export interface SessionClient {
  /** Not empty. */
  readonly id: string;
  /** Whether its peer is gone. Asked in the very step that would bind it, so it is no effect. */
  readonly isClosed?: (() => boolean) | undefined;
  /** Ends when its peer is gone. Never closed by us: it is the client's own. */
  readonly closed?: Effect.Effect<void> | undefined;
  /**
   * Takes the next element; the one behind it comes when this is done. One that fails, dies, or
   * takes longer than `viewerBoundMs` awake ends what this peer is attached by, for good, and is
   * nobody else's concern: another peer with the same id is told by its own.
   */
  readonly deliver?: ((element: AttachElement) => Effect.Effect<void, unknown>) | undefined;
}

/** A client as a writer counts it. */
export interface Viewer {
  readonly client: ClientId;
  /** When it came. */
  readonly since: AwakeMillis;
  /** Its open attachments, each by a number of its own: it leaves with the last one. */
  readonly holds: ReadonlyArray<number>;
  /** Whether the writer ends when it was the last one, without grace. */
  readonly closes: boolean;
}
