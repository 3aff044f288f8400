/**
 * Attendance: who is at one writer now, and who waits to be.
 *
 * It holds the state of the attachment table and changes it in single synchronous steps, so nothing
 * comes between what is looked at and what is done of it. Who waits for an interrupt is answered by
 * the step that ends the waiting. It starts nothing.
 */
import { Deferred, Effect, Exit, FiberId, Stream } from "effect";
import type { AttachmentState } from "./AttachmentState.js";
import { type AttachmentAction, type AttachmentEvent, unattended } from "./AttachmentState.js";
import { stepAttachment } from "./AttachmentTable.js";
import type { AwakeMillis } from "./AwakeClock.js";
import type { EndReason } from "./EndReason.js";
import type { ClientId, Viewer } from "./SessionClient.js";
import { Closing } from "./SessionError.js";

/** How many changes of state are kept for a subscriber that is slow; then the oldest go. */
const KEPT = 64;

/** One writer's. */
export class Attendance {
  state: AttachmentState = unattended;
  /** Done when the writer is over; why it is. */
  readonly over = Deferred.unsafeMake<EndReason>(FiberId.none);
  private readonly waiting = new Map<ClientId, Deferred.Deferred<void, Closing>>();
  private readonly listeners = new Set<(state: AttachmentState) => void>();
  private holds = 0;

  /** When somebody last came, went, worked, ran a turn, or was seen to look. */
  usedAt: AwakeMillis;

  constructor(
    readonly session: string,
    readonly openedAt: AwakeMillis,
  ) {
    this.usedAt = openedAt;
  }

  /** A number for an attachment. */
  nextHold(): number {
    this.holds += 1;
    return this.holds;
  }

  get isEnding(): boolean {
    return this.state._tag === "Reaping" || this.state._tag === "Gone";
  }

  /** Whether somebody is there, or waits to be. */
  get isAttended(): boolean {
    const { state } = this;
    return this.viewers.length > 0 || (state._tag === "Interrupting" && state.waiting.length > 0);
  }

  /** Who is there, without those who wait. */
  get viewers(): ReadonlyArray<Viewer> {
    return this.state._tag === "Attached" ? this.state.viewers : [];
  }

  isThere(client: ClientId, hold: number): boolean {
    return this.viewers.some((each) => each.client === client && each.holds.includes(hold));
  }

  /** The number of this detachment, while nobody is there; of another state `null`. */
  get detachment(): number | null {
    const { state } = this;
    const isAlone = state._tag === "Detached" || state._tag === "Interrupting";
    return isAlone ? state.generation : null;
  }

  /** Takes the step; what is to be done. */
  step(event: AttachmentEvent): AttachmentAction {
    const before = this.state;
    const { action, state } = stepAttachment(before, event);
    this.state = state;
    if (action === "wait" && event._tag === "Attach") this.letWait(event.viewer.client);
    if (state._tag !== "Interrupting") this.answerWaiting();
    if (state._tag === "Gone") Deferred.unsafeDone(this.over, Exit.succeed(state.reason));
    if (state !== before) for (const listener of [...this.listeners]) listener(state);
    return action;
  }

  /** Done when the client is there; fails when the writer ends instead. */
  readonly answered = (client: ClientId): Effect.Effect<void, Closing> =>
    Effect.suspend(() => {
      const waited = this.waiting.get(client);
      return waited === undefined ? Effect.void : Deferred.await(waited);
    });

  /** The state, and every change of it from here on. */
  readonly changes: Stream.Stream<AttachmentState> = Stream.asyncPush<AttachmentState>(
    (emit) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          const listener = (state: AttachmentState) => {
            emit.single(state);
            if (state._tag === "Gone") emit.end();
          };
          listener(this.state);
          this.listeners.add(listener);
          return listener;
        }),
        (listener) => Effect.sync(() => this.listeners.delete(listener)),
      ),
    { bufferSize: KEPT, strategy: "sliding" },
  );

  private letWait(client: ClientId): void {
    if (!this.waiting.has(client)) this.waiting.set(client, Deferred.unsafeMake(FiberId.none));
  }

  /** Nobody waits any more: those who are there have what they waited for. */
  private answerWaiting(): void {
    const closing = new Closing({ session: this.session, attempted: "attach" });
    for (const [client, waited] of this.waiting) {
      const isIn = this.viewers.some((each) => each.client === client);
      Deferred.unsafeDone(waited, isIn ? Exit.void : Exit.fail(closing));
    }
    this.waiting.clear();
  }
}
