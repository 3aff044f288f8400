/**
 * SessionClient: somebody who is at a writer of this program: a person's window, a socket, a
 * stream.
 *
 * It is one peer, known by its id. It may be told what happens, or only be there. A tmux client on
 * somebody's terminal is none of these: it is tmux's, and seen by a look.
 */
import { Effect, Schema } from "effect";
import type { AttachElement } from "./AttachElement.js";
import { type AwakeClock, AwakeMillis } from "./AwakeClock.js";

/** One client; whoever comes back with the same id is the same one. */
export const ClientId = Schema.String.pipe(Schema.minLength(1), Schema.brand("ClientId"));
export type ClientId = typeof ClientId.Type;

/** Who is attached. */
export interface SessionClient {
  /** Not empty: that is nobody, who is refused as one that is gone. */
  readonly id: string;
  /**
   * Whether its peer is gone; one that throws is. Asked in the very step that would bind it, so it
   * is no effect: as it comes, and again where it waited; and now and then while it is attached.
   */
  readonly isClosed?: (() => boolean) | undefined;
  /**
   * Ends when its peer is gone, however it ends. Never closed by us: it is the client's own; nor is
   * it waited for when the client has left otherwise.
   */
  readonly closed?: Effect.Effect<void> | undefined;
  /**
   * Takes the next element; the one behind it comes when this is done. One that fails, dies, or
   * takes longer than `viewerBoundMs` awake ends all that this peer is attached by, for good, and
   * is nobody else's concern: another peer with the same id is told by its own.
   */
  readonly deliver?: ((element: AttachElement) => Effect.Effect<void, unknown>) | undefined;
}

/** Whether the peer answers that it is gone, or cannot answer any more. */
export const isGone = ({ isClosed }: SessionClient): boolean => {
  try {
    return isClosed?.() === true;
  } catch {
    return true;
  }
};

/** How long nobody asks a peer that does not tell by itself whether it is gone, in time awake. */
const PEER_LOOK_MS = 300_000;

/** Done when the peer is gone: as it tells, and as it answers. */
export const peerGone = (
  { closed = Effect.never, id, isClosed }: SessionClient,
  awake: AwakeClock["Type"],
): Effect.Effect<void> => {
  const look = Effect.gen(function* () {
    yield* awake.sleepUntil(AwakeMillis((yield* awake.now) + PEER_LOOK_MS));
    return isClosed?.() === true;
  });
  const answered =
    isClosed === undefined ? Effect.never : Effect.repeat(look, { until: (isOver) => isOver });
  // Left behind by who is first: it may hear of no interruption, or take its time.
  const told = Effect.interruptible(Effect.disconnect(closed));
  return Effect.catchAllCause(Effect.raceFirst(told, answered), (cause) =>
    // It is interrupted with its attachment, and by nothing else.
    Effect.logWarning(`the peer of client ${id} is taken for gone`, cause),
  ).pipe(Effect.asVoid);
};

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
