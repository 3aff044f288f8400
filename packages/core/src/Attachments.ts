/**
 * Attachments: the clients of one writer: they come in a scope, are told what happens, and go.
 *
 * Any number at once; none waits for another, and one that fails, hangs or lags hurts itself alone.
 * Who comes and who goes is a step of `Attendance`; what such a step wants done is done behind it
 * by fibers of the program's, and waited for by nobody.
 */
import { Deferred, Effect, Exit, Scope, type Stream } from "effect";
import type { AttachElement } from "./AttachElement.js";
import { ClientGone } from "./AttachError.js";
import type { AttachmentAction } from "./AttachmentState.js";
import { type AttachRefused, refusalOf } from "./AttachRefusal.js";
import {
  type ElementsFailure,
  type ElementsOptions,
  elementsOf,
  type Told,
} from "./AttachStream.js";
import type { Attendance } from "./Attendance.js";
import type { AwakeMillis } from "./AwakeClock.js";
import { DetachmentWatch } from "./DetachmentWatch.js";
import type { ActorId } from "./Lease.js";
import type { Leases } from "./Leases.js";
import type { Orphan } from "./OrphanReaper.js";
import { ClientId, peerGone, type SessionClient } from "./SessionClient.js";
import { Closing } from "./SessionError.js";
import { type Delivered, Tellings } from "./Tellings.js";

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

/** What attachments are made with; `perform` of the orphan's is theirs to give. */
export interface AttachmentParts {
  readonly orphan: Omit<Orphan, "perform">;
  readonly told: Told;
  readonly leases: Pick<Leases["Type"], "alone">;
  readonly viewerBoundMs: number;
  /** Whose fibers the watches and the tellings are. */
  readonly scope: Scope.Scope;
}

const attempted = "attach";

/** The clients of one writer. */
export class Attachments {
  readonly attendance: Attendance;
  /** What each peer is told. */
  readonly tellings: Tellings;
  private readonly watch: DetachmentWatch;

  constructor(private readonly parts: AttachmentParts) {
    const { orphan, scope } = parts;
    const { attendance, awake, seat } = orphan;
    this.attendance = attendance;
    const { session } = seat.writer;
    const { over } = attendance;
    this.tellings = new Tellings({ ...parts, session, awake, over, scope, failed: this.leave });
    this.watch = new DetachmentWatch({ ...orphan, perform: this.perform }, scope);
  }

  /** Attaches the client until the scope closes. */
  readonly attach = (
    client: SessionClient,
    options: AttachmentOptions = {},
  ): Effect.Effect<Attachment, AttachRefused, Scope.Scope> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(this, function* () {
        const id = ClientId.make(client.id);
        const own = yield* Effect.acquireRelease(Scope.make(), Scope.close);
        const { seat } = this.parts.orphan;
        const come = restore(this.come(client, id, options, own));
        const done = yield* Effect.onError(come, (cause) =>
          Scope.close(own, Exit.failCause(cause)),
        );
        const attachment: Attachment = {
          client: id,
          actor: seat.writer.actor,
          delivered: Deferred.await(done),
          detach: Scope.close(own, Exit.void),
        };
        return attachment;
      }),
    );

  /** Begins to wait for a client that was never there. */
  readonly expectClient = Effect.flatMap(
    Effect.suspend(() => this.parts.orphan.awake.now),
    (at) =>
      Effect.suspend(() => {
        const graceMs = this.parts.orphan.bounds.orphanGraceMs;
        return this.perform(this.attendance.step({ _tag: "Expect", at, graceMs }));
      }),
  ).pipe(Effect.uninterruptible);

  /** What a client would be told, for who pulls it himself. */
  readonly elements = (options?: ElementsOptions): Stream.Stream<AttachElement, ElementsFailure> =>
    elementsOf(this.parts.told, options);

  /** Takes the client out in this step, by one attachment of it or by all; what is due then. */
  leaving(client: ClientId, hold: number | null, at: AwakeMillis): AttachmentAction {
    const graceMs = this.parts.orphan.bounds.orphanGraceMs;
    const before = this.attendance.state;
    const action = this.attendance.step({ _tag: "Leave", client, hold, at, graceMs });
    if (this.attendance.state !== before) this.attendance.usedAt = at;
    this.tellings.leave(client, hold);
    return action;
  }

  /** The same, with what is due. */
  readonly leave = (client: ClientId, hold: number | null): Effect.Effect<void> =>
    Effect.flatMap(this.parts.orphan.awake.now, (at) =>
      Effect.suspend(() => this.perform(this.leaving(client, hold, at))),
    ).pipe(Effect.uninterruptible);

  /** Does what a step wants done behind it; waits for nothing of it. */
  readonly perform = (action: AttachmentAction): Effect.Effect<void> =>
    Effect.suspend(() => {
      const done = [this.watch.cut];
      if (action === "arm") done.push(this.watch.start);
      if (action === "reap") done.push(this.watch.reap);
      return Effect.all(done, { discard: true });
    }).pipe(Effect.uninterruptible);

  /** Comes in, waits where it must, and is told from then on. */
  private come(
    client: SessionClient,
    id: ClientId,
    options: AttachmentOptions,
    own: Scope.CloseableScope,
  ): Effect.Effect<Delivered, AttachRefused> {
    const { leases, orphan } = this.parts;
    const { session } = orphan.seat.writer;
    return Effect.gen(this, function* () {
      const hold = this.attendance.nextHold();
      const left = this.leave(id, hold);
      const enter = Effect.zipRight(
        this.enter(client, id, hold, options),
        Scope.addFinalizer(own, left),
      );
      // One step with nothing being done to the lease of the name.
      yield* leases.alone(session)(Effect.uninterruptible(enter));
      if (client.closed !== undefined || client.isClosed !== undefined) {
        yield* Effect.forkIn(Effect.zipRight(peerGone(client, orphan.awake), left), own);
      }
      yield* this.attendance.answered(id);
      return yield* Effect.suspend((): Effect.Effect<Delivered, Closing | ClientGone> => {
        if (this.attendance.isThere(id, hold)) {
          return this.tellings.begin(client, id, hold, this.elements(options));
        }
        // It left before it was there, unless the writer did.
        return this.attendance.isEnding
          ? new Closing({ session, attempted })
          : new ClientGone({ session, attempted, client: id });
      });
    });
  }

  /** The step of coming in. */
  private enter(
    client: SessionClient,
    id: ClientId,
    hold: number,
    { closeOnDisconnect = false, waitForSettle = false }: AttachmentOptions,
  ): Effect.Effect<void, AttachRefused> {
    const { awake, seat } = this.parts.orphan;
    const { session } = seat.writer;
    return Effect.flatMap(awake.now, (since) =>
      Effect.suspend((): Effect.Effect<void, AttachRefused> => {
        const { state } = this.attendance;
        const refused = (refusal: AttachmentAction) =>
          refusalOf(refusal, state, { client: id, session }) ?? new Closing({ session, attempted });
        if (seat.isLost) return refused("refuse: stale");
        const viewer = { client: id, since, holds: [hold], closes: closeOnDisconnect };
        const isLive = client.isClosed?.() !== true;
        const waits = waitForSettle;
        const action = this.attendance.step({ _tag: "Attach", viewer, isLive, waits });
        if (action.startsWith("refuse")) return refused(action);
        this.attendance.usedAt = since;
        return this.perform(action);
      }),
    );
  }
}
