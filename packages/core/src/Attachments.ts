/**
 * Attachments: the clients of one writer: they come in a scope, are told what happens, and go.
 *
 * Any number at once; none waits for another, and one that fails, hangs or lags hurts itself alone.
 * Who comes and who goes is a step of `Attendance`; what such a step wants done is done behind it
 * by fibers of the program's, and waited for by nobody.
 */
import { Effect, type Scope, type Stream } from "effect";
import { type Attachment, type AttachmentOptions, arrive } from "./Arrival.js";
import type { AttachElement } from "./AttachElement.js";
import type { AttachmentAction } from "./AttachmentState.js";
import type { AttachRefused } from "./AttachRefusal.js";
import {
  type ElementsFailure,
  type ElementsOptions,
  elementsOf,
  type Told,
} from "./AttachStream.js";
import type { Attendance } from "./Attendance.js";
import type { AwakeMillis } from "./AwakeClock.js";
import { DetachmentWatch } from "./DetachmentWatch.js";
import type { Ids } from "./Ids.js";
import type { Leases } from "./Leases.js";
import type { Orphan } from "./OrphanReaper.js";
import type { ClientId, SessionClient } from "./SessionClient.js";
import { Tellings } from "./Tellings.js";

/** What attachments are made with; `perform` of the orphan's is theirs to give. */
export interface AttachmentParts {
  readonly orphan: Omit<Orphan, "perform">;
  readonly told: Told;
  readonly leases: Pick<Leases["Type"], "alone">;
  readonly ids: Ids["Type"];
  readonly viewerBoundMs: number;
  /** Whose fibers the watches and the tellings are. */
  readonly scope: Scope.Scope;
  /** Those of the program by which somebody is told. */
  readonly tellings: Set<Tellings>;
}

/** A leaving: what its step wants done, and all that is to be run behind it. */
export interface Leaving {
  readonly action: AttachmentAction;
  readonly behind: Effect.Effect<void>;
}

/** The clients of one writer. */
export class Attachments {
  readonly attendance: Attendance;
  /** What each peer is told. */
  private readonly tellings: Tellings;
  private readonly watch: DetachmentWatch;

  constructor(private readonly parts: AttachmentParts) {
    const { orphan, scope, tellings: among } = parts;
    const { attendance, awake, seat } = orphan;
    this.attendance = attendance;
    const { session } = seat.writer;
    const { over } = attendance;
    const failed = this.leave;
    this.tellings = new Tellings({ ...parts, session, awake, over, scope, failed, among });
    this.watch = new DetachmentWatch({ ...orphan, perform: this.perform }, scope);
  }

  /** Attaches the client until the scope closes. */
  readonly attach = (
    client: SessionClient,
    options: AttachmentOptions = {},
  ): Effect.Effect<Attachment, AttachRefused, Scope.Scope> => {
    const { elements, leave, parts, perform, tellings } = this;
    return arrive({ ...parts, elements, leave, perform, tellings }, client, options);
  };

  /** Attaches somebody who is nobody else, and has no name that anybody could come back with. */
  readonly attend: Effect.Effect<void, AttachRefused, Scope.Scope> = Effect.suspend(() =>
    Effect.flatMap(this.parts.ids.incarnation, (id) => this.attach({ id: `somebody-${id}` })),
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

  /** Takes the client out in this step, by one attachment of it or by all. */
  leaving(client: ClientId, number: number | null, at: AwakeMillis): Leaving {
    const { attendance } = this;
    const graceMs = this.parts.orphan.bounds.orphanGraceMs;
    const before = attendance.state;
    const holds = attendance.holdsOf(client, number);
    const action = attendance.step({ _tag: "Leave", client, hold: number, at, graceMs });
    if (attendance.state !== before) attendance.usedAt = at;
    this.tellings.leave(client, number);
    const released = Effect.forEach(holds, ({ release }) => release, { discard: true });
    return { action, behind: Effect.zipRight(this.perform(action), released) };
  }

  /** The same, with what is due. */
  readonly leave = (client: ClientId, number: number | null): Effect.Effect<void> =>
    Effect.flatMap(this.parts.orphan.awake.now, (at) =>
      Effect.suspend(() => this.leaving(client, number, at).behind),
    ).pipe(Effect.uninterruptible);

  /** Does what a step wants done behind it; waits for nothing of it. */
  readonly perform = (action: AttachmentAction): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (action === "arm") return this.watch.start;
      return action === "reap" ? this.watch.reap : Effect.void;
    }).pipe(Effect.uninterruptible);
}
