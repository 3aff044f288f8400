/**
 * Tellings: what each peer at a writer is being told, by a fiber of its own.
 *
 * An element is given when the one before it was taken. A peer that fails, dies or takes too long
 * is gone by that, whatever it does about being interrupted; nobody else waits for it, nor does
 * another peer of the same client. A telling goes on behind the end of the writer, to its last
 * element, and ends when the last attachment of its peer does; whose telling ended otherwise is
 * told anew when he attaches again.
 */
import { Deferred, Effect, Exit, type Fiber, FiberId, Option, type Scope, Stream } from "effect";
import type { AttachElement } from "./AttachElement.js";
import { ClientGone } from "./AttachError.js";
import type { ElementsFailure } from "./AttachStream.js";
import { awaitWithin } from "./AwaitWithin.js";
import { type AwakeClock, AwakeMillis } from "./AwakeClock.js";
import type { EndReason } from "./EndReason.js";
import { askToEnd, forkOwned } from "./OwnedFiber.js";
import type { ClientId, SessionClient } from "./SessionClient.js";

/** How the telling of a client ends. */
export type Delivered = Deferred.Deferred<void, ElementsFailure | ClientGone>;

interface Telling {
  readonly done: Delivered;
  fiber: Fiber.RuntimeFiber<void, ElementsFailure | ClientGone> | null;
}

/** Somebody who is attached: who attaches twice is told once. */
interface Peer {
  readonly client: ClientId;
  readonly peer: SessionClient;
  /** What it is attached by, whether that was told or not. */
  readonly holds: Set<number>;
  /** What it is told now. */
  telling: Telling | null;
}

/** How clients are told. */
export interface TellingParts {
  readonly session: string;
  /** How long one element may take, in time awake. */
  readonly viewerBoundMs: number;
  readonly awake: AwakeClock["Type"];
  readonly over: Deferred.Deferred<EndReason>;
  readonly scope: Scope.Scope;
  /** Run for each attachment of a peer that could not be told. */
  readonly failed: (client: ClientId, hold: number) => Effect.Effect<void>;
  /** Those of the program by which somebody is told, also behind the end of his writer. */
  readonly among: Set<Tellings>;
}

/** The tellings of one writer. */
export class Tellings {
  private readonly peers = new Set<Peer>();

  constructor(private readonly parts: TellingParts) {}

  private get running(): ReadonlyArray<Telling> {
    return [...this.peers].flatMap(({ telling }) => (telling === null ? [] : [telling]));
  }

  /** Done when all that is told now has come to its end, or has had the time of one element. */
  readonly whole: Effect.Effect<void> = Effect.suspend(() => {
    const { awake, viewerBoundMs } = this.parts;
    const ends = this.running.map(({ done }) => Effect.exit(Deferred.await(done)));
    const all = Effect.all(ends, { discard: true });
    return Effect.flatMap(awake.now, (now) =>
      awaitWithin(awake, AwakeMillis(now + viewerBoundMs), all),
    );
  });

  /** Begins to tell the peer, or joins what it is told already; in the step of the call. */
  begin(
    peer: SessionClient,
    client: ClientId,
    hold: number,
    elements: Stream.Stream<AttachElement, ElementsFailure>,
  ): Effect.Effect<Delivered> {
    const known = this.known(peer, client);
    known.holds.add(hold);
    if (known.telling !== null) return Effect.succeed(known.telling.done);
    const telling: Telling = { done: Deferred.unsafeMake(FiberId.none), fiber: null };
    known.telling = telling;
    this.parts.among.add(this);
    const told = this.told(known, elements);
    const behind = (exit: Exit.Exit<void, ElementsFailure | ClientGone>) =>
      Effect.sync(() => this.end(known, telling, exit));
    return forkOwned(this.parts.scope, told, behind).pipe(
      Effect.map((fiber) => {
        telling.fiber = fiber;
        // It may have left before it was told anything.
        if (known.telling !== telling) askToEnd(fiber);
        return telling.done;
      }),
      Effect.uninterruptible,
    );
  }

  /** Ends what is told for this attachment, for all of the client with `null`; waits for none. */
  leave(client: ClientId, hold: number | null): void {
    for (const known of [...this.peers]) {
      if (known.client !== client) continue;
      if (hold === null) known.holds.clear();
      else known.holds.delete(hold);
      if (known.holds.size > 0) continue;
      this.peers.delete(known);
      const { telling } = known;
      if (telling === null) continue;
      this.end(known, telling, Exit.fail(this.gone(client)));
      askToEnd(telling.fiber);
    }
  }

  private known(peer: SessionClient, client: ClientId): Peer {
    const found = [...this.peers].find((each) => each.client === client && each.peer === peer);
    if (found !== undefined) return found;
    const made: Peer = { client, peer, holds: new Set(), telling: null };
    this.peers.add(made);
    return made;
  }

  /** This is not told any more. */
  private end(
    known: Peer,
    telling: Telling,
    exit: Exit.Exit<void, ElementsFailure | ClientGone>,
  ): void {
    if (known.telling === telling) known.telling = null;
    if (this.running.length === 0) this.parts.among.delete(this);
    Deferred.unsafeDone(telling.done, exit);
  }

  private gone(client: ClientId): ClientGone {
    return new ClientGone({ session: this.parts.session, attempted: "tell the client", client });
  }

  /** Gives the peer one element, within its bound. */
  private give(
    deliver: NonNullable<SessionClient["deliver"]>,
    element: AttachElement,
    gone: ClientGone,
  ): Effect.Effect<void, ClientGone> {
    const { awake, viewerBoundMs } = this.parts;
    return Effect.gen(function* () {
      const until = AwakeMillis((yield* awake.now) + viewerBoundMs);
      // Left behind when it hangs: whoever does not end by an interruption has nobody wait for him.
      const given = Effect.disconnect(Effect.suspend(() => deliver(element)));
      const taken = yield* Effect.mapError(
        Effect.sandbox(awaitWithin(awake, until, given)),
        () => gone,
      );
      return yield* Option.isSome(taken) ? Effect.void : gone;
    });
  }

  /** Takes out all that the peer is attached by; who comes again behind this step is told anew. */
  private prune(known: Peer): Effect.Effect<void> {
    return Effect.suspend(() => {
      const { client, holds } = known;
      this.peers.delete(known);
      return Effect.forEach([...holds], (hold) => this.parts.failed(client, hold), {
        discard: true,
      });
    });
  }

  private told(
    known: Peer,
    elements: Stream.Stream<AttachElement, ElementsFailure>,
  ): Effect.Effect<void, ElementsFailure | ClientGone> {
    const { over, session } = this.parts;
    const { client, peer } = known;
    const { deliver } = peer;
    const gone = this.gone(client);
    const all: Effect.Effect<void, ElementsFailure | ClientGone> =
      deliver === undefined
        ? Effect.asVoid(Deferred.await(over))
        : Stream.runForEach(elements, (element) => this.give(deliver, element, gone));
    return all.pipe(
      Effect.tapError((failure) =>
        // Its own failure is the peer's end, and any other nobody's.
        failure === gone
          ? this.prune(known)
          : Effect.logWarning(`a client of ${session} is told nothing any more`, failure),
      ),
    );
  }
}
