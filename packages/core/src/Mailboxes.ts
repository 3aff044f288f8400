/**
 * Mailboxes: one queue of messages for each name, drained on demand, one message at a time.
 *
 * A worker fiber lives only while its name has messages, so an idle name costs nothing and there
 * is no eviction race. The worker is owned by the scope that the mailboxes are made in. A message
 * that was begun ends although its caller left: it is told so by interruption, which it takes only
 * where it says that it can. Not a general queue: nothing is ever dropped silently.
 */
import {
  Cause,
  Deferred,
  Effect,
  ExecutionStrategy,
  Exit,
  Fiber,
  FiberId,
  FiberRef,
  FiberRefs,
  HashSet,
  Scope,
} from "effect";
import { type Joining, MailboxQueues, type Message } from "./MailboxQueues.js";
import { Busy, type Closing, type MailboxFull } from "./SessionError.js";

/** The names whose messages the current fiber is handling. */
const handling = FiberRef.unsafeMake(HashSet.empty<string>());

/** Of the message that the current fiber is handling: done when one that hurries is behind it. */
const waitedFor = FiberRef.unsafeMake<Deferred.Deferred<void> | null>(null);

/**
 * Ends when a message that hurries waits behind the one that asks; outside of messages, never.
 * What only waits in a message may end its wait then.
 */
export const hurried: Effect.Effect<void> = Effect.flatMap(FiberRef.get(waitedFor), (told) =>
  told === null ? Effect.never : Deferred.await(told),
);

/** The mailboxes of every name. */
export interface Mailboxes {
  /**
   * Puts work into the mailbox of a name and waits for its end. Refused at once with `Busy` from
   * inside work of the same name, `MailboxFull` at the bound, `Closing` when the scope closes. An
   * interrupted caller takes out what was not begun, and else waits until it ended. With
   * `joining` an equal message that is there already may answer; one that several callers wait
   * for is left alone until the last of them is interrupted.
   */
  readonly ask: <A, E>(
    name: string,
    attempted: string,
    work: Effect.Effect<A, E>,
    joining?: Joining,
  ) => Effect.Effect<A, E | Busy | MailboxFull | Closing>;
  /** How many names have messages. */
  readonly active: Effect.Effect<number>;
}

interface Workers {
  readonly queues: MailboxQueues;
  readonly scope: Scope.Scope;
}

/** Runs the work in a fiber of its own, so that a caller that left can tell it. */
const messageOf = (
  attempted: string,
  joining: Joining | null,
  told: Deferred.Deferred<void>,
  work: Effect.Effect<unknown, unknown>,
): Message => {
  const message: Message = {
    attempted,
    joining,
    hurried: told,
    reply: Deferred.unsafeMake(FiberId.none),
    begun: false,
    waiting: 1,
    fiber: null,
    run: Effect.gen(function* () {
      const fiber = yield* Effect.fork(Effect.interruptible(work));
      message.fiber = fiber;
      if (message.waiting === 0) yield* Fiber.interruptFork(fiber);
      Deferred.unsafeDone(message.reply, yield* Fiber.await(fiber));
    }),
  };
  return message;
};

const drain = (queues: MailboxQueues, name: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const message = queues.next(name);
    if (message === null) return Effect.void;
    return Effect.zipRight(
      message.run,
      Effect.suspend(() => drain(queues, name)),
    );
  });

const startWorker = ({ queues, scope }: Workers, name: string): Effect.Effect<void> =>
  Effect.asVoid(Effect.forkIn(Effect.uninterruptible(drain(queues, name)), scope));

const enter = (
  workers: Workers,
  name: string,
  message: Message,
): Effect.Effect<Message, MailboxFull | Closing> =>
  Effect.suspend(() => {
    const put = workers.queues.put(name, message);
    if (!("first" in put)) return Effect.fail(put);
    const started = put.first ? startWorker(workers, name) : Effect.void;
    return Effect.as(started, put.message);
  });

/** Gives up waiting; what came of a message that ended only then, when it failed. */
const leave = (
  queues: MailboxQueues,
  name: string,
  message: Message,
): Effect.Effect<void, unknown> =>
  Effect.suspend(() => {
    message.waiting -= 1;
    if (message.waiting > 0) return Effect.void;
    if (!message.begun) {
      // In the step of the look: a worker could begin it in between.
      queues.takeOut(name, message);
      return Effect.void;
    }
    const tell = message.fiber === null ? Effect.void : Fiber.interruptFork(message.fiber);
    return Effect.zipRight(tell, Effect.asVoid(Deferred.await(message.reply)));
  });

/** The interruption of a caller, beside what its message could not finish or undo. */
const afterLeaving = <E>(
  interruption: Cause.Cause<E>,
  leaving: Effect.Effect<void, unknown>,
): Effect.Effect<never, E> =>
  Effect.flatMap(Effect.exit(leaving), (left) => {
    if (Exit.isSuccess(left) || Cause.isInterruptedOnly(left.cause)) {
      return Effect.failCause(interruption);
    }
    // The message is the caller's own, or equal to it, so its failures are of the same type.
    return Effect.failCause(Cause.sequential(interruption, left.cause as Cause.Cause<E>));
  });

const askOf =
  (workers: Workers): Mailboxes["ask"] =>
  <A, E>(name: string, attempted: string, work: Effect.Effect<A, E>, joining?: Joining) =>
    Effect.gen(function* () {
      const names = yield* FiberRef.get(handling);
      if (HashSet.has(names, name)) {
        return yield* new Busy({ session: name, attempted, holder: null, reason: "reentrant" });
      }
      const refs = yield* Effect.getFiberRefs;
      const told = Deferred.unsafeMake<void>(FiberId.none);
      // The worker is forked by whoever comes first; each message runs in its own caller's context.
      const inContext = Effect.zipRight(
        // Without the interruption of a caller that asks from one of its finalizers.
        Effect.setFiberRefs(FiberRefs.delete(refs, FiberRef.interruptedCause)),
        work.pipe(
          Effect.locally(handling, HashSet.add(names, name)),
          Effect.locally(waitedFor, told),
        ),
      );
      const message = messageOf(attempted, joining ?? null, told, inContext);
      return yield* Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(enter(workers, name, message), (entered) => {
          // Ours, or one whose equal key says that its work has the same type of outcome.
          const reply = entered.reply as Deferred.Deferred<A, E | Closing>;
          return Effect.flatMap(Effect.exit(restore(Deferred.await(reply))), (exit) =>
            Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)
              ? afterLeaving(exit.cause, leave(workers.queues, name, entered))
              : exit,
          );
        }),
      );
    });

/** Makes the mailboxes; closing the scope refuses what waits and lets what runs end. */
export const makeMailboxes = (bound: number): Effect.Effect<Mailboxes, never, Scope.Scope> =>
  Effect.gen(function* () {
    const queues = new MailboxQueues(bound);
    // Made before the finalizer below, so closed after it, when every worker has ended.
    const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential);
    // Awaited, not interrupted: an interruption would reach the message although it is under way.
    yield* Effect.addFinalizer(() =>
      Effect.zipRight(
        Effect.sync(() => queues.close()),
        Deferred.await(queues.ended),
      ),
    );
    return { ask: askOf({ queues, scope }), active: Effect.sync(() => queues.active) };
  });
