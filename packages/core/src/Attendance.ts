/**
 * Attendance: who is at one writer now, and who waits to be.
 *
 * It holds the state of the attachment table and changes it in single synchronous steps, so nothing
 * comes between what is looked at and what is done of it. Who waits is asked again in the step that
 * would bind him, and answered by the step that ends his waiting, whichever that is. It starts
 * nothing.
 */
import { Deferred, Effect, Exit, FiberId, Stream } from "effect";
import { ClientGone } from "./AttachError.js";
import type { AttachmentState } from "./AttachmentState.js";
import { type AttachmentAction, type AttachmentEvent, unattended } from "./AttachmentState.js";
import { stepAttachment } from "./AttachmentTable.js";
import type { AttachRefused } from "./AttachRefusal.js";
import type { AwakeMillis } from "./AwakeClock.js";
import type { EndReason } from "./EndReason.js";
import type { ClientId, Viewer } from "./SessionClient.js";
import { Closing } from "./SessionError.js";

/** How many changes of state are kept for a subscriber that is slow; then the oldest go. */
const KEPT = 64;

/** One attachment of a client, from when it is asked for until it has left. */
export interface Hold {
  readonly number: number;
  readonly client: ClientId;
  /** What speaks against it now: asked in each step that would bind it. */
  readonly against: () => AttachRefused | null;
  /** Run behind its leaving, whoever took it out. */
  readonly release: Effect.Effect<void>;
  /** Done when it is there, or is not going to be; not where it was refused at once. */
  readonly answer: Deferred.Deferred<void, AttachRefused>;
}

type Settled = Extract<AttachmentEvent, { readonly _tag: "Settled" }>;

const isHeld = (viewers: ReadonlyArray<Viewer>, { client, number }: Hold): boolean =>
  viewers.some((each) => each.client === client && each.holds.includes(number));

/** One writer's. */
export class Attendance {
  state: AttachmentState = unattended;
  /** Done when the writer is over; why it is. */
  readonly over = Deferred.unsafeMake<EndReason>(FiberId.none);
  private readonly holds = new Map<number, Hold>();
  /** Those that came in and are not answered. */
  private readonly waiting = new Set<Hold>();
  private readonly listeners = new Set<(state: AttachmentState) => void>();
  private count = 0;

  /** When somebody last came, went, worked, ran a turn, or was seen to look. */
  usedAt: AwakeMillis;

  constructor(
    readonly session: string,
    readonly openedAt: AwakeMillis,
  ) {
    this.usedAt = openedAt;
  }

  /** An attachment that is asked for; nobody is there by that. It is one until it leaves. */
  open(parts: Pick<Hold, "client" | "against" | "release">): Hold {
    this.count += 1;
    const hold: Hold = { ...parts, number: this.count, answer: Deferred.unsafeMake(FiberId.none) };
    this.holds.set(hold.number, hold);
    return hold;
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

  isThere(hold: Hold): boolean {
    return isHeld(this.viewers, hold);
  }

  /** Whether it was taken out, which nothing undoes; that its writer ended is not that. */
  hasLeft(hold: Hold): boolean {
    return !this.holds.has(hold.number);
  }

  /** The open attachments of a client: this one, or all with `null`. */
  holdsOf(client: ClientId, number: number | null): ReadonlyArray<Hold> {
    if (number === null) return [...this.holds.values()].filter((hold) => hold.client === client);
    const hold = this.holds.get(number);
    return hold?.client === client ? [hold] : [];
  }

  /** The number of this detachment, while nobody is there; of another state `null`. */
  get detachment(): number | null {
    const { state } = this;
    const isAlone = state._tag === "Detached" || state._tag === "Interrupting";
    return isAlone ? state.generation : null;
  }

  /** Takes the step; what is to be done. */
  step(event: AttachmentEvent): AttachmentAction {
    if (event._tag === "Settled") this.askAgain(event);
    const before = this.state;
    const { action, state } = stepAttachment(before, event);
    this.state = state;
    if (event._tag === "Attach" && !action.startsWith("refuse")) {
      for (const number of event.viewer.holds) this.letWait(number);
    }
    if (event._tag === "Leave") {
      for (const { number } of this.holdsOf(event.client, event.hold)) this.holds.delete(number);
    }
    this.answerWaiting();
    if (state._tag === "Gone") Deferred.unsafeDone(this.over, Exit.succeed(state.reason));
    if (state !== before) for (const listener of [...this.listeners]) listener(state);
    return action;
  }

  /** Hears of each change of the state in the step that makes it, until it is taken back. */
  follow(listener: (state: AttachmentState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

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
          return this.follow(listener);
        }),
        (unfollow) => Effect.sync(unfollow),
      ),
    { bufferSize: KEPT, strategy: "sliding" },
  );

  private letWait(number: number): void {
    const hold = this.holds.get(number);
    if (hold !== undefined) this.waiting.add(hold);
  }

  /** Takes out who waits and could not come now: he is told why, and holds nobody else up. */
  private askAgain({ at, graceMs }: Settled): void {
    for (const { against, answer, client, number } of [...this.waiting]) {
      const refused = against();
      if (refused === null) continue;
      Deferred.unsafeDone(answer, Exit.fail(refused));
      this.step({ _tag: "Leave", client, hold: number, at, graceMs });
    }
  }

  /** Answers those who wait no more: as they are there, have left, or their writer ends. */
  private answerWaiting(): void {
    const { session, state } = this;
    for (const hold of this.waiting) {
      if (state._tag === "Interrupting" && isHeld(state.waiting, hold)) continue;
      this.waiting.delete(hold);
      const where = { session, attempted: "attach" };
      const refused = this.hasLeft(hold)
        ? new ClientGone({ ...where, client: hold.client })
        : new Closing(where);
      Deferred.unsafeDone(hold.answer, this.isThere(hold) ? Exit.void : Exit.fail(refused));
    }
  }
}
