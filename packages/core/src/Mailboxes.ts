/**
 * Mailboxes: one queue of messages for each name, drained on demand, one message at a time.
 *
 * A worker fiber lives only while its name has messages; the map of names changes only in single
 * synchronous steps, so an idle name costs nothing and there is no eviction race, under any
 * scheduler. The worker is owned by the scope that the mailboxes are made in. A message that was
 * begun ends although its caller left: it is told so by interruption, which it takes only where
 * it says that it can. Not a general queue: nothing is ever dropped silently.
 */
import { Deferred, Effect, ExecutionStrategy, Exit, Fiber, FiberRef, HashSet, Scope } from "effect";
import { Busy, Closing, MailboxFull } from "./SessionError.js";

/** One message; its flags change only in synchronous steps. */
interface Message {
  readonly attempted: string;
  readonly run: Effect.Effect<void>;
  readonly refuse: (reason: Closing) => void;
  /** Ends when the message was answered. */
  readonly answered: Effect.Effect<void>;
  begun: boolean;
  left: boolean;
  fiber: Fiber.RuntimeFiber<unknown, unknown> | null;
}

/** The names whose messages the current fiber is handling. */
const handling = FiberRef.unsafeMake(HashSet.empty<string>());

/** The mailboxes of every name. */
export interface Mailboxes {
  /**
   * Puts work into the mailbox of a name and waits for its end. Refused at once with `Busy` from
   * inside work of the same name, `MailboxFull` at the bound, `Closing` when the scope closes. An
   * interrupted caller takes out what was not begun, and else waits until it ended.
   */
  readonly ask: <A, E>(
    name: string,
    attempted: string,
    work: Effect.Effect<A, E>,
  ) => Effect.Effect<A, E | Busy | MailboxFull | Closing>;
  /** How many names have messages. */
  readonly active: Effect.Effect<number>;
}

/** Runs the work in a fiber of its own, so that a caller that left can tell it. */
const messageOf = <A, E>(
  attempted: string,
  work: Effect.Effect<A, E>,
  reply: Deferred.Deferred<A, E | Closing>,
): Message => {
  const message: Message = {
    attempted,
    begun: false,
    left: false,
    fiber: null,
    refuse: (reason) => Deferred.unsafeDone(reply, Exit.fail(reason)),
    answered: Effect.asVoid(Effect.exit(Deferred.await(reply))),
    run: Effect.gen(function* () {
      const fiber = yield* Effect.fork(Effect.interruptible(work));
      message.fiber = fiber;
      if (message.left) yield* Fiber.interruptFork(fiber);
      Deferred.unsafeDone(reply, yield* Fiber.await(fiber));
    }),
  };
  return message;
};

/** The queues, and the only code that changes them; every method is one synchronous step. */
class Queues {
  readonly workers = new Set<Fiber.RuntimeFiber<void>>();
  private readonly queues = new Map<string, Array<Message>>();
  private open = true;

  constructor(private readonly bound: number) {}

  get active(): number {
    return this.queues.size;
  }

  /** Refuses, puts behind others, or puts first and says that a worker is wanted. */
  put(name: string, message: Message): "queued" | "first" | MailboxFull | Closing {
    const { attempted } = message;
    if (!this.open) return new Closing({ session: name, attempted });
    const queue = this.queues.get(name);
    if (queue === undefined) {
      this.queues.set(name, [message]);
      return "first";
    }
    if (queue.length >= this.bound) {
      return new MailboxFull({ session: name, attempted, bound: this.bound });
    }
    queue.push(message);
    return "queued";
  }

  /** The next message, begun; the name is forgotten in the same step when there is none. */
  next(name: string): Message | null {
    const message = this.queues.get(name)?.shift();
    if (message === undefined) this.queues.delete(name);
    else message.begun = true;
    return message ?? null;
  }

  takeOut(name: string, message: Message): void {
    const queue = this.queues.get(name) ?? [];
    const at = queue.indexOf(message);
    if (at >= 0) queue.splice(at, 1);
  }

  close(): void {
    this.open = false;
    for (const [name, queue] of this.queues) {
      for (const { attempted, refuse } of queue.splice(0)) {
        refuse(new Closing({ session: name, attempted }));
      }
    }
  }
}

const drain = (queues: Queues, name: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const message = queues.next(name);
    if (message === null) return Effect.void;
    return Effect.zipRight(
      message.run,
      Effect.suspend(() => drain(queues, name)),
    );
  });

const startWorker = (queues: Queues, scope: Scope.Scope, name: string): Effect.Effect<void> =>
  Effect.map(Effect.forkIn(Effect.uninterruptible(drain(queues, name)), scope), (worker) => {
    queues.workers.add(worker);
    worker.addObserver(() => queues.workers.delete(worker));
  });

const leave = (queues: Queues, name: string, message: Message): Effect.Effect<void> =>
  Effect.suspend(() => {
    message.left = true;
    if (!message.begun) return Effect.sync(() => queues.takeOut(name, message));
    const tell = message.fiber === null ? Effect.void : Fiber.interruptFork(message.fiber);
    return Effect.zipRight(tell, message.answered);
  });

const askOf =
  (queues: Queues, scope: Scope.Scope): Mailboxes["ask"] =>
  <A, E>(name: string, attempted: string, work: Effect.Effect<A, E>) =>
    Effect.gen(function* () {
      const names = yield* FiberRef.get(handling);
      if (HashSet.has(names, name)) {
        return yield* new Busy({ session: name, attempted, holder: null, reason: "reentrant" });
      }
      const refs = yield* Effect.getFiberRefs;
      const reply = yield* Deferred.make<A, E | Closing>();
      // The worker is forked by whoever comes first; each message runs in its own caller's context.
      const inContext = Effect.zipRight(
        Effect.setFiberRefs(refs),
        Effect.locally(work, handling, HashSet.add(names, name)),
      );
      const message = messageOf(attempted, inContext, reply);
      const enter = Effect.suspend((): Effect.Effect<void, MailboxFull | Closing> => {
        const put = queues.put(name, message);
        if (put === "queued") return Effect.void;
        if (put !== "first") return Effect.fail(put);
        return startWorker(queues, scope, name);
      });
      return yield* Effect.uninterruptibleMask((restore) =>
        Effect.zipRight(
          enter,
          Effect.onInterrupt(restore(Deferred.await(reply)), () => leave(queues, name, message)),
        ),
      );
    });

/** Makes the mailboxes; closing the scope refuses what waits and lets what runs end. */
export const makeMailboxes = (bound: number): Effect.Effect<Mailboxes, never, Scope.Scope> =>
  Effect.gen(function* () {
    const queues = new Queues(bound);
    // Made before the finalizer below, so closed after it, when every worker has ended.
    const workers = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential);
    // Awaited, not interrupted: an interruption would reach the message although it is under way.
    const ended = Effect.suspend(() => Fiber.awaitAll(queues.workers));
    yield* Effect.addFinalizer(() =>
      Effect.zipRight(
        Effect.sync(() => queues.close()),
        ended,
      ),
    );
    return { ask: askOf(queues, workers), active: Effect.sync(() => queues.active) };
  });
