/**
 * MailboxQueues: the messages that wait, by name, and the only code that moves them.
 *
 * Plain values: every method is one synchronous step, so that under any scheduler a message is in
 * exactly one place and a name is forgotten in the same step in which its last one is taken. It
 * runs nothing.
 */

import { Deferred, Exit, type Fiber, FiberId } from "effect";
import type { Reply } from "./Reply.js";
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

/** One message. What may change of it changes only in synchronous steps. */
export interface Message {
  readonly attempted: string;
  readonly joining: Joining | null;
  /** Begins it, in a fiber whose exit is the answer; once, by whoever runs the mailbox. */
  readonly start: () => Fiber.RuntimeFiber<unknown, unknown>;
  readonly reply: Reply;
  /** What it runs in, once it has begun. */
  fiber: Fiber.RuntimeFiber<unknown, unknown> | null;
  /** Callers that still want the answer. */
  waiting: number;
  begun: boolean;
  /** Whether, while it ran, one that hurries came behind it; and who is to be told so. */
  isHurried: boolean;
  hurried: Deferred.Deferred<void> | null;
}

/** What became of a message that was put: the one to wait for, and whether a worker is wanted. */
export interface Put {
  readonly message: Message;
  readonly first: boolean;
}

/** Of a name that has messages. */
interface Mailbox {
  readonly queue: Array<Message>;
  running: Message | null;
  /** How many in the queue hurry. */
  hurrying: number;
}

const hurries = ({ joining }: Message): boolean => joining?.hurries === true;

/** The queues of every name. */
export class MailboxQueues {
  /** Done when nothing is queued or running any more after a close. */
  readonly ended = Deferred.unsafeMake<void>(FiberId.none);
  private readonly mailboxes = new Map<string, Mailbox>();
  private open = true;

  constructor(private readonly bound: number) {}

  /** How many names have messages. */
  get active(): number {
    return this.mailboxes.size;
  }

  /** Refuses the message, joins it to an equal one, or puts it last. */
  put(name: string, message: Message): Put | MailboxFull | Closing {
    const { attempted } = message;
    if (!this.open) return new Closing({ session: name, attempted });
    const mailbox = this.mailboxes.get(name);
    if (mailbox === undefined) {
      const hurrying = hurries(message) ? 1 : 0;
      this.mailboxes.set(name, { queue: [message], running: null, hurrying });
      countActors(1);
      countWaiting(1);
      return { message, first: true };
    }
    const { queue } = mailbox;
    const equal = this.joinable(mailbox, message);
    if (equal !== null) {
      equal.waiting += 1;
      return { message: equal, first: false };
    }
    if (queue.length >= this.bound) {
      return new MailboxFull({ session: name, attempted, bound: this.bound });
    }
    queue.push(message);
    countWaiting(1);
    if (hurries(message)) mailbox.hurrying += 1;
    this.hurry(mailbox);
    return { message, first: false };
  }

  /** The next message, begun; the name is forgotten in the same step when there is none. */
  next(name: string): Message | null {
    const mailbox = this.mailboxes.get(name);
    const message = mailbox?.queue.shift();
    if (mailbox === undefined || message === undefined) {
      if (this.mailboxes.delete(name)) countActors(-1);
      this.tellEnd();
      return null;
    }
    message.begun = true;
    countWaiting(-1);
    if (hurries(message)) mailbox.hurrying -= 1;
    mailbox.running = message;
    this.hurry(mailbox);
    return message;
  }

  /** Takes out a message that was not begun. */
  takeOut(name: string, message: Message): void {
    const mailbox = this.mailboxes.get(name);
    const at = mailbox?.queue.indexOf(message) ?? -1;
    if (mailbox === undefined || at < 0) return;
    countWaiting(-mailbox.queue.splice(at, 1).length);
    if (hurries(message)) mailbox.hurrying -= 1;
  }

  /** Answers everything that waits with `Closing`, and refuses what comes. */
  close(): void {
    this.open = false;
    for (const [name, mailbox] of this.mailboxes) {
      const { queue } = mailbox;
      countWaiting(-queue.length);
      mailbox.hurrying = 0;
      for (const { attempted, reply } of queue.splice(0)) {
        reply.tell(Exit.fail(new Closing({ session: name, attempted })));
      }
    }
    this.tellEnd();
  }

  private hurry({ hurrying, running }: Mailbox): void {
    if (running === null || hurrying === 0) return;
    running.isHurried = true;
    if (running.hurried !== null) Deferred.unsafeDone(running.hurried, Exit.void);
  }

  private tellEnd(): void {
    if (!this.open && this.active === 0) Deferred.unsafeDone(this.ended, Exit.void);
  }

  /** Only the last one, so that nobody's message is passed; never one that its callers left. */
  private joinable(mailbox: Mailbox, { joining }: Message): Message | null {
    if (joining === null) return null;
    const { queue } = mailbox;
    const running = joining.whileRunning ? mailbox.running : null;
    const last = queue.at(-1) ?? running;
    return last !== null && last.waiting > 0 && last.joining?.key === joining.key ? last : null;
  }
}
