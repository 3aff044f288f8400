/**
 * MailboxQueues: the messages that wait, by name, and the only code that moves them.
 *
 * Plain values: every method is one synchronous step, so that under any scheduler a message is in
 * exactly one place and a name is forgotten in the same step in which its last one is taken. It
 * runs nothing.
 */

import type { Effect } from "effect";
import { Deferred, Exit, type Fiber, FiberId } from "effect";
import { Closing, MailboxFull } from "./SessionError.js";
import { countActors, countWaiting } from "./Telemetry.js";

/**
 * What may answer several callers at once: two messages of the same `key` ask for the same thing.
 * `whileRunning`: also one that has begun answers, while nothing is queued behind it.
 */
export interface Joining {
  readonly key: string;
  readonly whileRunning: boolean;
  /** Whether the one that runs before it is told that somebody waits. */
  readonly hurries?: boolean;
}

/** One message. Its flags change only in synchronous steps. */
export interface Message {
  readonly attempted: string;
  readonly joining: Joining | null;
  /** Done while it runs, when one that hurries waits behind it. */
  readonly hurried: Deferred.Deferred<void>;
  /** Does it, and answers all who wait. It never fails: a failure is an answer. */
  readonly run: Effect.Effect<void>;
  readonly reply: Deferred.Deferred<unknown, unknown>;
  begun: boolean;
  /** Callers that still want the answer. */
  waiting: number;
  /** What it runs in, once it has begun. */
  fiber: Fiber.RuntimeFiber<unknown, unknown> | null;
}

/** What became of a message that was put: the one to wait for, and whether a worker is wanted. */
export interface Put {
  readonly message: Message;
  readonly first: boolean;
}

/** The queues of every name. */
export class MailboxQueues {
  /** Done when nothing is queued or running any more after a close. */
  readonly ended = Deferred.unsafeMake<void>(FiberId.none);
  private readonly queues = new Map<string, Array<Message>>();
  private readonly running = new Map<string, Message>();
  private open = true;

  constructor(private readonly bound: number) {}

  /** How many names have messages. */
  get active(): number {
    return this.queues.size;
  }

  /** Refuses the message, joins it to an equal one, or puts it last. */
  put(name: string, message: Message): Put | MailboxFull | Closing {
    const { attempted, joining } = message;
    if (!this.open) return new Closing({ session: name, attempted });
    const queue = this.queues.get(name);
    if (queue === undefined) {
      this.queues.set(name, [message]);
      countActors(1);
      countWaiting(1);
      return { message, first: true };
    }
    const equal = this.joinable(queue, name, joining);
    if (equal !== null) {
      equal.waiting += 1;
      return { message: equal, first: false };
    }
    if (queue.length >= this.bound) {
      return new MailboxFull({ session: name, attempted, bound: this.bound });
    }
    queue.push(message);
    countWaiting(1);
    this.hurry(name);
    return { message, first: false };
  }

  /** The next message, begun; the name is forgotten in the same step when there is none. */
  next(name: string): Message | null {
    const message = this.queues.get(name)?.shift();
    if (message === undefined) {
      if (this.queues.delete(name)) countActors(-1);
      this.running.delete(name);
      this.tellEnd();
      return null;
    }
    message.begun = true;
    countWaiting(-1);
    this.running.set(name, message);
    this.hurry(name);
    return message;
  }

  /** Takes out a message that was not begun. */
  takeOut(name: string, message: Message): void {
    const queue = this.queues.get(name) ?? [];
    const at = queue.indexOf(message);
    if (at >= 0) countWaiting(-queue.splice(at, 1).length);
  }

  /** Answers everything that waits with `Closing`, and refuses what comes. */
  close(): void {
    this.open = false;
    for (const [name, queue] of this.queues) {
      countWaiting(-queue.length);
      for (const { attempted, reply } of queue.splice(0)) {
        Deferred.unsafeDone(reply, Exit.fail(new Closing({ session: name, attempted })));
      }
    }
    this.tellEnd();
  }

  private hurry(name: string): void {
    const running = this.running.get(name);
    if (running === undefined) return;
    const waiting = this.queues.get(name) ?? [];
    const hurries = waiting.some(({ joining }) => joining?.hurries === true);
    if (hurries) Deferred.unsafeDone(running.hurried, Exit.void);
  }

  private tellEnd(): void {
    if (!this.open && this.active === 0) Deferred.unsafeDone(this.ended, Exit.void);
  }

  /** Only the last one, so that nobody's message is passed; never one that its callers left. */
  private joinable(
    queue: ReadonlyArray<Message>,
    name: string,
    joining: Joining | null,
  ): Message | null {
    if (joining === null) return null;
    const running = joining.whileRunning ? this.running.get(name) : undefined;
    const last = queue.at(-1) ?? running;
    return last !== undefined && last.waiting > 0 && last.joining?.key === joining.key
      ? last
      : null;
  }
}
