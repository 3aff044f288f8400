/**
 * Tellings: what each peer at a writer is being told, by a fiber of its own.
 *
 * An element is given when the one before it was taken. A peer that fails, dies or takes too long
 * is gone by that, whatever it does about being interrupted; nobody else waits for it, nor does
 * another peer of the same client. A telling goes on behind the end of the writer, to its last
 * element, and ends when the last attachment that it is for does.
 */
import { Deferred, Effect, Exit, type Fiber, FiberId, Option, type Scope, Stream } from "effect";
import type { AttachElement } from "./AttachElement.js";
import { ClientGone } from "./AttachError.js";
import type { ElementsFailure } from "./AttachStream.js";
import { awaitWithin } from "./AwaitWithin.js";
import { type AwakeClock, AwakeMillis } from "./AwakeClock.js";
import type { EndReason } from "./EndReason.js";
import type { ClientId, SessionClient } from "./SessionClient.js";

/** How the telling of a client ends. */
export type Delivered = Deferred.Deferred<void, ElementsFailure | ClientGone>;

interface Telling {
  readonly client: ClientId;
  /** Who is told: who attaches twice is told once. */
  readonly peer: SessionClient;
  /** The attachments that it is for. */
  readonly holds: Set<number>;
  readonly done: Delivered;
  fiber: Fiber.RuntimeFiber<void> | null;
}

/** How clients are told. */
export interface TellingParts {
  readonly session: string;
  /** How long one element may take, in time awake. */
  readonly viewerBoundMs: number;
  readonly awake: AwakeClock["Type"];
  readonly over: Deferred.Deferred<EndReason>;
  readonly scope: Scope.Scope;
  /** Run for an attachment of a client that could not be told. */
  readonly failed: (client: ClientId, hold: number) => Effect.Effect<void>;
}

/** The tellings of one writer. */
export class Tellings {
  private readonly running = new Set<Telling>();

  constructor(private readonly parts: TellingParts) {}

  get size(): number {
    return this.running.size;
  }

  /** Done when all that is told now has come to its end, or has had the time of one element. */
  readonly whole: Effect.Effect<void> = Effect.suspend(() => {
    const { awake, viewerBoundMs } = this.parts;
    const ends = [...this.running].map(({ done }) => Effect.exit(Deferred.await(done)));
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
    for (const known of this.running) {
      if (known.client !== client || known.peer !== peer) continue;
      known.holds.add(hold);
      return Effect.succeed(known.done);
    }
    const done: Delivered = Deferred.unsafeMake(FiberId.none);
    const telling: Telling = { client, peer, holds: new Set([hold]), done, fiber: null };
    this.running.add(telling);
    return Effect.forkIn(this.told(telling, elements), this.parts.scope).pipe(
      Effect.map((fiber) => {
        telling.fiber = fiber;
        // It may have left before it was told anything.
        if (telling.holds.size === 0) fiber.unsafeInterruptAsFork(FiberId.none);
        return done;
      }),
      Effect.uninterruptible,
    );
  }

  /** Ends what is told for this attachment, for all of the client with `null`; waits for none. */
  leave(client: ClientId, hold: number | null): void {
    for (const telling of [...this.running]) {
      if (telling.client !== client) continue;
      if (hold === null) telling.holds.clear();
      else telling.holds.delete(hold);
      if (telling.holds.size > 0) continue;
      this.running.delete(telling);
      Deferred.unsafeDone(telling.done, Exit.fail(this.gone(client)));
      telling.fiber?.unsafeInterruptAsFork(FiberId.none);
    }
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

  private told(
    telling: Telling,
    elements: Stream.Stream<AttachElement, ElementsFailure>,
  ): Effect.Effect<void> {
    const { failed, over, session } = this.parts;
    const { client, done, holds, peer } = telling;
    const { deliver } = peer;
    const gone = this.gone(client);
    const all: Effect.Effect<void, ElementsFailure | ClientGone> =
      deliver === undefined
        ? Effect.asVoid(Deferred.await(over))
        : Stream.runForEach(elements, (element) => this.give(deliver, element, gone));
    return all.pipe(
      Effect.interruptible,
      Effect.tapError((failure) =>
        // Its own failure is the client's end, and any other nobody's.
        failure === gone
          ? Effect.forEach([...holds], (hold) => failed(client, hold), { discard: true })
          : Effect.logWarning(`a client of ${session} is told nothing any more`, failure),
      ),
      Effect.exit,
      Effect.flatMap((exit) =>
        Effect.sync(() => {
          // Who comes back is told anew.
          this.running.delete(telling);
          Deferred.unsafeDone(done, exit);
        }),
      ),
    );
  }
}
