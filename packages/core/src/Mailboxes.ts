/**
 * Mailboxes: one queue of messages for each name, drained on demand, one message at a time.
 *
 * Each message has a fiber of its own, which begins the next one where it ends: an idle name costs
 * nothing, and there is no eviction race. The scope that the mailboxes are made in waits for them.
 * A message that was begun ends although its caller left: it is told so by interruption, which it
 * takes only where it says that it can. Not a general queue: nothing is ever dropped silently.
 */
import {
  Cause,
  Deferred,
  Effect,
  Exit,
  Fiber,
  FiberId,
  FiberRef,
  FiberRefs,
  HashSet,
  Option,
  Runtime,
  RuntimeFlags,
  type Scope,
} from "effect";
import { type Joining, MailboxQueues, type Message } from "./MailboxQueues.js";
import { Reply } from "./Reply.js";
import { Busy, type Closing, type MailboxFull } from "./SessionError.js";

/** What the current fiber is handling: these names, the last one by this message. */
interface Handling {
  readonly names: HashSet.HashSet<string>;
  readonly message: Message | null;
}

const handling = FiberRef.unsafeMake<Handling>({ names: HashSet.empty(), message: null });

/**
 * Ends when a message that hurries waits behind the one that asks; outside of messages, never.
 * What only waits in a message may end its wait then.
 */
export const hurried: Effect.Effect<void> = Effect.flatMap(
  FiberRef.get(handling),
  ({ message }) => {
    if (message === null) return Effect.never;
    if (message.isHurried) return Effect.void;
    message.hurried ??= Deferred.unsafeMake(FiberId.none);
    return Deferred.await(message.hurried);
  },
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

/** What runs a message: as a fiber that its caller forks, but for what it is handling. */
const runtimeOf = (
  { context, fiberRefs, runtimeFlags }: Runtime.Runtime<never>,
  value: Handling,
): Runtime.Runtime<never> => {
  const isInterrupted = Option.isSome(FiberRefs.get(fiberRefs, FiberRef.interruptedCause));
  // Without the interruption of a caller that asks from one of its finalizers.
  const own = isInterrupted ? FiberRefs.delete(fiberRefs, FiberRef.interruptedCause) : fiberRefs;
  return Runtime.make({
    context,
    runtimeFlags: RuntimeFlags.enable(runtimeFlags, RuntimeFlags.Interruption),
    fiberRefs: FiberRefs.updateAs(own, { fiberId: FiberId.none, fiberRef: handling, value }),
  });
};

const messageOf = (
  names: HashSet.HashSet<string>,
  caller: Runtime.Runtime<never>,
  { attempted, joining }: Pick<Message, "attempted" | "joining">,
  work: Effect.Effect<unknown, unknown>,
): Message => {
  const message: Message = {
    attempted,
    joining,
    start: () => Runtime.runFork(runtimeOf(caller, { names, message }), work, { immediate: false }),
    reply: new Reply(),
    fiber: null,
    waiting: 1,
    begun: false,
    isHurried: false,
    hurried: null,
  };
  return message;
};

/** Takes the next message and begins it, in one step; when it has ended, the one behind it. */
const work = (queues: MailboxQueues, name: string): void => {
  const message = queues.next(name);
  if (message === null) return;
  message.fiber = message.start();
  message.fiber.addObserver((exit) => {
    message.reply.tell(exit);
    work(queues, name);
  });
};

const startWorker = (queues: MailboxQueues, name: string): Effect.Effect<void> =>
  Effect.sync(() => work(queues, name));

const enter = (
  workers: MailboxQueues,
  name: string,
  message: Message,
): Effect.Effect<Message, MailboxFull | Closing> =>
  Effect.suspend(() => {
    const put = workers.put(name, message);
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
    return Effect.zipRight(tell, Effect.asVoid(message.reply.told));
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
  (queues: MailboxQueues): Mailboxes["ask"] =>
  <A, E>(name: string, attempted: string, work: Effect.Effect<A, E>, joining?: Joining) =>
    Effect.flatMap(
      Effect.runtime(),
      (caller): Effect.Effect<A, E | Busy | MailboxFull | Closing> => {
        const { names } = FiberRefs.getOrDefault(caller.fiberRefs, handling);
        if (HashSet.has(names, name)) {
          return new Busy({ session: name, attempted, holder: null, reason: "reentrant" });
        }
        const asked = { attempted, joining: joining ?? null };
        const message = messageOf(HashSet.add(names, name), caller, asked, work);
        return Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(enter(queues, name, message), (entered) => {
            // Ours, or one whose equal key says that its work has the same type of outcome.
            const told = entered.reply.told as Effect.Effect<A, E | Closing>;
            return Effect.catchAllCause(restore(told), (cause) =>
              Cause.isInterruptedOnly(cause)
                ? afterLeaving(cause, leave(queues, name, entered))
                : Effect.failCause(cause),
            );
          }),
        );
      },
    );

/** Makes the mailboxes; closing the scope refuses what waits and lets what runs end. */
export const makeMailboxes = (bound: number): Effect.Effect<Mailboxes, never, Scope.Scope> =>
  Effect.gen(function* () {
    const queues = new MailboxQueues(bound);
    // Awaited, not interrupted: an interruption would reach the message although it is under way.
    yield* Effect.addFinalizer(() =>
      Effect.zipRight(
        Effect.sync(() => queues.close()),
        Deferred.await(queues.ended),
      ),
    );
    return { ask: askOf(queues), active: Effect.sync(() => queues.active) };
  });
