/**
 * FlawedMailboxes: the idea of `Mailboxes` once more, small, with one flaw that can be switched on.
 *
 * Each flaw is one that a reader could overlook. Worlds that hold for the real mailboxes must fail
 * for every flaw, and hold for none. Not a mailbox to use: it has no bound.
 */
import { Closing, type Mailboxes } from "@troupe/core";
import { Deferred, Effect, ExecutionStrategy, Exit, Fiber, FiberId, Scope } from "effect";

/** What is wrong. */
export type Flaw =
  | "none"
  /** A worker looks whether its queue is empty and forgets the name in two steps. */
  | "forgets late"
  /** A message counts as begun only when it runs, not when it leaves its queue. */
  | "begins late"
  /** A second message does not wait for the first one's worker. */
  | "two workers"
  /** A caller that leaves does not take its message out. */
  | "leaves a message"
  /** A caller that leaves takes the running message with it. */
  | "stops the work"
  /** A caller that leaves looks whether its message was begun, and takes it out, in two steps. */
  | "takes out late"
  /** The scope waits for the workers that are known, and one is known when it has been forked. */
  | "knows workers late"
  /** What waits when the scope closes gets no answer. */
  | "closes silently"
  /** The newest message goes first. */
  | "newest first";

interface Message {
  readonly run: Effect.Effect<void>;
  readonly refuse: () => void;
  readonly answered: Effect.Effect<unknown>;
  fiber: Fiber.Fiber<unknown, unknown> | null;
  begun: boolean;
}

const messageOf = <A, E>(work: Effect.Effect<A, E>, reply: Deferred.Deferred<A, E | Closing>) => {
  const refused = Exit.fail(new Closing({ session: "flawed", attempted: "ask" }));
  const message: Message = {
    begun: false,
    fiber: null,
    refuse: () => Deferred.unsafeDone(reply, refused),
    answered: Effect.exit(Deferred.await(reply)),
    run: Effect.gen(function* () {
      yield* Effect.sync(() => {
        message.begun = true;
      });
      const fiber = yield* Effect.fork(Effect.interruptible(work));
      message.fiber = fiber;
      Deferred.unsafeDone(reply, yield* Fiber.await(fiber));
    }),
  };
  return message;
};

/** The queues of every name; each method is one synchronous step, but for the flaw. */
class Queues {
  readonly workers = new Set<Fiber.RuntimeFiber<void>>();
  /** Ends when no name has a message, and none can come any more. */
  readonly ended = Deferred.unsafeMake<void>(FiberId.none);
  private readonly queues = new Map<string, Array<Message>>();
  private open = true;

  constructor(private readonly flaw: Flaw) {}

  get active(): number {
    return this.queues.size;
  }

  put(name: string, message: Message): "queued" | "first" | "refused" {
    if (!this.open) {
      message.refuse();
      return "refused";
    }
    const queue = this.queues.get(name);
    if (queue === undefined) this.queues.set(name, [message]);
    else queue.push(message);
    return queue === undefined || this.flaw === "two workers" ? "first" : "queued";
  }

  next(name: string): Message | null {
    const queue = this.queues.get(name);
    const message = this.flaw === "newest first" ? queue?.pop() : queue?.shift();
    if (message !== undefined) message.begun = this.flaw !== "begins late";
    else if (this.flaw !== "forgets late") this.forget(name);
    return message ?? null;
  }

  forget(name: string): void {
    this.queues.delete(name);
    this.tellEnd();
  }

  takeOut(name: string, message: Message): void {
    const queue = this.queues.get(name) ?? [];
    const at = queue.indexOf(message);
    if (at >= 0 && this.flaw !== "leaves a message") queue.splice(at, 1);
  }

  close(): void {
    this.open = false;
    this.tellEnd();
    for (const queue of this.queues.values()) {
      for (const { refuse } of queue.splice(0)) if (this.flaw !== "closes silently") refuse();
    }
  }

  private tellEnd(): void {
    if (!this.open && this.active === 0) Deferred.unsafeDone(this.ended, Exit.void);
  }
}

const drain = (queues: Queues, flaw: Flaw, name: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const message = queues.next(name);
    if (message !== null) return Effect.zipRight(message.run, drain(queues, flaw, name));
    return flaw === "forgets late" ? Effect.sync(() => queues.forget(name)) : Effect.void;
  });

const leave = (queues: Queues, flaw: Flaw, name: string, message: Message) =>
  Effect.suspend((): Effect.Effect<unknown> => {
    const { fiber } = message;
    if (message.begun && flaw === "stops the work" && fiber !== null) {
      return Fiber.interruptFork(fiber);
    }
    if (message.begun) return message.answered;
    if (flaw === "takes out late") return Effect.sync(() => queues.takeOut(name, message));
    queues.takeOut(name, message);
    return Effect.void;
  });

/** As `makeMailboxes`, with the flaw. */
export const makeFlawedMailboxes = (flaw: Flaw): Effect.Effect<Mailboxes, never, Scope.Scope> =>
  Effect.gen(function* () {
    const queues = new Queues(flaw);
    const workers = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential);
    const ended = Effect.suspend(
      (): Effect.Effect<unknown> =>
        flaw === "knows workers late"
          ? Fiber.awaitAll(queues.workers)
          : Deferred.await(queues.ended),
    );
    yield* Effect.addFinalizer(() =>
      Effect.zipRight(
        Effect.sync(() => queues.close()),
        ended,
      ),
    );
    const startWorker = (name: string) =>
      Effect.map(
        Effect.forkIn(Effect.uninterruptible(drain(queues, flaw, name)), workers),
        (worker) => {
          queues.workers.add(worker);
          worker.addObserver(() => queues.workers.delete(worker));
        },
      );
    const ask = <A, E>(name: string, _: string, work: Effect.Effect<A, E>) =>
      Effect.gen(function* () {
        const reply = yield* Deferred.make<A, E | Closing>();
        const message = messageOf(work, reply);
        const enter = Effect.suspend(() =>
          queues.put(name, message) === "first" ? startWorker(name) : Effect.void,
        );
        return yield* Effect.uninterruptibleMask((restore) =>
          Effect.zipRight(
            enter,
            Effect.onInterrupt(restore(Deferred.await(reply)), () =>
              leave(queues, flaw, name, message),
            ),
          ),
        );
      });
    return { ask, active: Effect.sync(() => queues.active) };
  });
