/**
 * Tellings: what each client of a writer is being told, by a fiber of its own.
 *
 * An element is given when the one before it was taken. A client that fails, dies or takes too long
 * is gone by that, whatever it does about being interrupted; nobody else waits for it. A telling
 * goes on behind the end of the writer, to its last element, and ends when its client leaves.
 */
import { Deferred, Effect, Exit, Fiber, FiberId, type Scope, Stream } from "effect";
import type { AttachElement } from "./AttachElement.js";
import { ClientGone } from "./AttachError.js";
import type { ElementsFailure } from "./AttachStream.js";
import type { ClientId, SessionClient } from "./SessionClient.js";

/** How the telling of a client ends. */
export type Delivered = Deferred.Deferred<void, ElementsFailure | ClientGone>;

interface Telling {
  readonly done: Delivered;
  fiber: Fiber.RuntimeFiber<void> | null;
}

/** How clients are told. */
export interface TellingParts {
  readonly session: string;
  readonly viewerBoundMs: number;
  readonly scope: Scope.Scope;
  /** Run for a client that could not be told. */
  readonly failed: (client: ClientId) => Effect.Effect<void>;
}

/** The tellings of one writer. */
export class Tellings {
  private readonly running = new Map<ClientId, Telling>();

  constructor(private readonly parts: TellingParts) {}

  get size(): number {
    return this.running.size;
  }

  /** Begins to tell the client, or joins what it is told already; how that ends. */
  readonly begin = (
    client: SessionClient,
    id: ClientId,
    elements: Stream.Stream<AttachElement, ElementsFailure>,
  ): Effect.Effect<Delivered> =>
    Effect.suspend(() => {
      const known = this.running.get(id);
      if (known !== undefined) return Effect.succeed(known.done);
      const telling: Telling = { done: Deferred.unsafeMake(FiberId.none), fiber: null };
      this.running.set(id, telling);
      const { deliver } = client;
      if (deliver === undefined) return Effect.succeed(telling.done);
      const told = this.told(id, telling, elements, deliver);
      return Effect.map(Effect.forkIn(told, this.parts.scope), (fiber) => {
        telling.fiber = fiber;
        return telling.done;
      });
    }).pipe(Effect.uninterruptible);

  /** Ends the telling of every client that is not among these; waits for none. */
  readonly keep = (clients: ReadonlyArray<ClientId>): Effect.Effect<void> =>
    Effect.suspend(() => {
      const ends: Array<Effect.Effect<void>> = [];
      for (const [id, { done, fiber }] of this.running) {
        if (clients.includes(id)) continue;
        this.running.delete(id);
        Deferred.unsafeDone(done, Exit.fail(this.gone(id)));
        if (fiber !== null) ends.push(Fiber.interruptFork(fiber));
      }
      return Effect.all(ends, { discard: true });
    });

  private gone(client: ClientId): ClientGone {
    return new ClientGone({ session: this.parts.session, attempted: "tell the client", client });
  }

  private told(
    id: ClientId,
    telling: Telling,
    elements: Stream.Stream<AttachElement, ElementsFailure>,
    deliver: NonNullable<SessionClient["deliver"]>,
  ): Effect.Effect<void> {
    const { failed, session, viewerBoundMs } = this.parts;
    const gone = this.gone(id);
    const give = (element: AttachElement) =>
      // Left behind when it hangs: whoever does not end by an interruption has nobody wait for him.
      Effect.disconnect(Effect.suspend(() => deliver(element))).pipe(
        Effect.timeoutFail({ duration: viewerBoundMs, onTimeout: () => gone }),
        Effect.sandbox,
        Effect.mapError(() => gone),
      );
    return Stream.runForEach(elements, give).pipe(
      Effect.interruptible,
      Effect.tapError((failure) =>
        // Its own failure is the client's end, and any other nobody's.
        failure === gone
          ? failed(id)
          : Effect.logWarning(`a client of ${session} is told nothing any more`, failure),
      ),
      Effect.exit,
      Effect.map((exit) => Deferred.unsafeDone(telling.done, exit)),
    );
  }
}
