/**
 * Arrival: a client that comes to a writer, from the call to its answer.
 *
 * What speaks against it is asked in the very step that would bind it, also where it waited for
 * that. The caller's scope has one child of it, which goes with it, whoever takes it out; what is
 * forked for it is the program's. It is told from when it came on: that place is fixed before the
 * call is answered. Who is refused leaves nothing behind.
 */
import { Deferred, Effect, ExecutionStrategy, Exit, Scope, Stream } from "effect";
import type { AttachElement } from "./AttachElement.js";
import { ClientGone } from "./AttachError.js";
import type { AttachmentAction } from "./AttachmentState.js";
import { type AttachRefused, refusalOf } from "./AttachRefusal.js";
import { type ElementsFailure, type ElementsOptions, placed, type Told } from "./AttachStream.js";
import type { Hold } from "./Attendance.js";
import type { ActorId } from "./Lease.js";
import type { Leases } from "./Leases.js";
import type { Orphan } from "./OrphanReaper.js";
import { askToEnd, forkOwned } from "./OwnedFiber.js";
import { ClientId, isGone, peerGone, type SessionClient } from "./SessionClient.js";
import { Closing } from "./SessionError.js";
import type { Delivered, Tellings } from "./Tellings.js";

/** How a client is attached, and from where on it is told. */
export interface AttachmentOptions extends ElementsOptions {
  /** Wait for an interrupt that settles; else it is `InterruptSettling`. */
  readonly waitForSettle?: boolean | undefined;
  /** End the writer, without grace, when this was its last client; once it said so, it holds. */
  readonly closeOnDisconnect?: boolean | undefined;
}

/** A client that is attached. */
export interface Attachment {
  readonly client: ClientId;
  readonly actor: ActorId;
  /** How its telling ends: behind the last element, or as it fails. */
  readonly delivered: Effect.Effect<void, ElementsFailure | ClientGone>;
  /** Takes this attachment back, as the end of its scope does. Idempotent. */
  readonly detach: Effect.Effect<void>;
}

/** Where it comes to. */
export interface ArrivalParts {
  readonly orphan: Omit<Orphan, "perform">;
  readonly told: Pick<Told, "registry">;
  readonly leases: Pick<Leases["Type"], "alone">;
  readonly tellings: Tellings;
  /** Whose fibers it has. */
  readonly scope: Scope.Scope;
  readonly elements: (options?: ElementsOptions) => Stream.Stream<AttachElement, ElementsFailure>;
  readonly leave: (client: ClientId, hold: number) => Effect.Effect<void>;
  readonly perform: (action: AttachmentAction) => Effect.Effect<void>;
}

/** Who comes, how, and what of it is in the caller's scope. */
interface Arriving extends ArrivalParts {
  readonly client: SessionClient;
  readonly options: AttachmentOptions;
  readonly own: Scope.CloseableScope;
}

const attempted = "attach";

const sessionOf = ({ orphan }: ArrivalParts) => orphan.seat.writer.session;

/** What speaks against it, whatever the state. */
const against = ({ client, orphan }: Arriving, hold: Hold): AttachmentAction | null => {
  if (orphan.seat.isLost) return "refuse: stale";
  return orphan.attendance.hasLeft(hold) || isGone(client) ? "refuse: client gone" : null;
};

const refusal = (arriving: Arriving, action: AttachmentAction): AttachRefused | null => {
  const where = { client: arriving.client.id, session: sessionOf(arriving) };
  return refusalOf(action, arriving.orphan.attendance.state, where);
};

/** An attachment that is asked for, and that leaves with its scope. */
const opened = (arriving: Arriving): Effect.Effect<Hold> => {
  const { leave, orphan, own } = arriving;
  const hold: Hold = orphan.attendance.open({
    client: ClientId.make(arriving.client.id),
    against: () => {
      const action = against(arriving, hold);
      return action === null ? null : refusal(arriving, action);
    },
    // Closed at once, so who is cut off behind that has left all the same.
    release: Effect.uninterruptible(Scope.close(own, Exit.void)),
  });
  return Effect.as(Scope.addFinalizer(own, leave(hold.client, hold.number)), hold);
};

/** The step of coming in. */
const enter = (arriving: Arriving, hold: Hold): Effect.Effect<void, AttachRefused> =>
  Effect.flatMap(arriving.orphan.awake.now, (since) =>
    Effect.suspend((): Effect.Effect<void, AttachRefused> => {
      const { orphan, perform } = arriving;
      const { closeOnDisconnect: closes = false, waitForSettle: waits = false } = arriving.options;
      const { client, number } = hold;
      const found = against(arriving, hold);
      const isLive = found === null;
      const viewer = { client, since, holds: [number], closes };
      const action =
        found === "refuse: stale"
          ? found
          : orphan.attendance.step({ _tag: "Attach", viewer, isLive, waits });
      const refused = refusal(arriving, action);
      if (refused !== null) return refused;
      orphan.attendance.usedAt = since;
      return perform(action);
    }),
  );

/** Takes it out when its peer is gone; who takes it out otherwise waits for no peer. */
const watchPeer = (arriving: Arriving, hold: Hold): Effect.Effect<void> => {
  const { client, leave, orphan, own, scope } = arriving;
  if (client.closed === undefined && client.isClosed === undefined) return Effect.void;
  const left = leave(hold.client, hold.number);
  const watched = forkOwned(scope, Effect.zipRight(peerGone(client, orphan.awake), left));
  const until = (fiber: Effect.Effect.Success<typeof watched>) =>
    Scope.addFinalizer(
      own,
      Effect.sync(() => askToEnd(fiber)),
    );
  return Effect.uninterruptible(Effect.flatMap(watched, until));
};

/** What it is told; who is told nothing has no place to be asked for. */
const elementsFrom = ({ client, elements, options, told }: Arriving) =>
  client.deliver === undefined
    ? Effect.succeed(elements(options))
    : Effect.matchCause(placed(told.registry, options), {
        onFailure: (cause): Stream.Stream<AttachElement, ElementsFailure> =>
          Stream.failCause(cause),
        onSuccess: elements,
      });

/** Comes in, waits where it must, and is told from then on. */
const come = (arriving: Arriving, hold: Hold): Effect.Effect<Delivered, AttachRefused> =>
  Effect.gen(function* () {
    const { client: peer, leases, orphan, tellings } = arriving;
    const { attendance } = orphan;
    const session = sessionOf(arriving);
    // One step with nothing being done to the lease of the name.
    yield* leases.alone(session)(Effect.uninterruptible(enter(arriving, hold)));
    yield* watchPeer(arriving, hold);
    yield* Deferred.await(hold.answer);
    const elements = yield* elementsFrom(arriving);
    return yield* Effect.suspend((): Effect.Effect<Delivered, AttachRefused> => {
      const { client, number } = hold;
      if (attendance.isThere(hold)) return tellings.begin(peer, client, number, elements);
      // It left before it was there, unless the writer did.
      return attendance.hasLeft(hold)
        ? new ClientGone({ session, attempted, client })
        : new Closing({ session, attempted });
    });
  });

/** Attaches the client until the scope closes. */
export const arrive = (
  parts: ArrivalParts,
  client: SessionClient,
  options: AttachmentOptions,
): Effect.Effect<Attachment, AttachRefused, Scope.Scope> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const { actor, session } = parts.orphan.seat.writer;
      if (client.id === "") return yield* new ClientGone({ session, attempted, client: "" });
      // A child of the caller's, and nothing of it stays there when it has closed.
      const own = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential);
      const arriving = { ...parts, client, options, own };
      const hold = yield* opened(arriving);
      const done = yield* Effect.onError(restore(come(arriving, hold)), (cause) =>
        Scope.close(own, Exit.failCause(cause)),
      );
      const attachment: Attachment = {
        client: hold.client,
        actor,
        delivered: Deferred.await(done),
        detach: hold.release,
      };
      return attachment;
    }),
  );
