/**
 * Mailboxes: order, bound, interruption and closing, with gates in place of time.
 */
import { describe, expect, it } from "@effect/vitest";
import { hurried, makeMailboxes } from "@troupe/core";
import { Cause, Deferred, Effect, Exit, Fiber, FiberRef, Scope } from "effect";

/** Work that tells when it began and ends when it is let go. */
const gated = Effect.gen(function* () {
  const begun = yield* Deferred.make<void>();
  const go = yield* Deferred.make<void>();
  const work = Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(go));
  return { begun: Deferred.await(begun), go: Deferred.succeed(go, undefined), work };
});

/** Lets every fiber that can go on do so. */
const settle = Effect.repeatN(Effect.yieldNow(), 50);

describe("one name", () => {
  it.scoped("takes one message at a time, in the order in which they were sent", () =>
    Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(8);
      const log: Array<string> = [];
      const step = (n: number) =>
        Effect.zipRight(
          Effect.sync(() => log.push(`begin ${n}`)),
          Effect.zipRight(
            Effect.yieldNow(),
            Effect.sync(() => log.push(`end ${n}`)),
          ),
        );
      yield* Effect.forEach([1, 2, 3], (n) => mailboxes.ask("a", "test", step(n)), {
        concurrency: "unbounded",
      });
      expect(log).toEqual(["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"]);
      yield* settle;
      expect(yield* mailboxes.active).toBe(0);
    }),
  );

  it.scoped("never waits for another", () =>
    Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(8);
      const gate = yield* gated;
      const blocked = yield* Effect.fork(mailboxes.ask("a", "test", gate.work));
      yield* gate.begun;
      expect(yield* mailboxes.ask("b", "test", Effect.succeed("b"))).toBe("b");
      yield* gate.go;
      yield* Fiber.join(blocked);
    }),
  );

  it.scoped("refuses one message more than its bound with MailboxFull", () =>
    Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(1);
      const gate = yield* gated;
      const running = yield* Effect.fork(mailboxes.ask("a", "first", gate.work));
      yield* gate.begun;
      const waiting = yield* Effect.fork(mailboxes.ask("a", "second", Effect.succeed(2)));
      yield* settle;
      const error = yield* Effect.flip(mailboxes.ask("a", "third", Effect.void));
      expect(error).toMatchObject({ _tag: "MailboxFull", session: "a", bound: 1 });
      yield* gate.go;
      expect(yield* Fiber.join(waiting)).toBe(2);
      yield* Fiber.join(running);
    }),
  );

  it.scoped("answers a message to itself from inside its handler with Busy{reentrant}", () =>
    Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(8);
      const inner = Effect.flip(mailboxes.ask("a", "inner", Effect.void));
      const error = yield* mailboxes.ask("a", "outer", inner);
      expect(error).toMatchObject({ _tag: "Busy", reason: "reentrant" });
      const other = mailboxes.ask("b", "inner", Effect.succeed("other name"));
      expect(yield* mailboxes.ask("a", "outer", other)).toBe("other name");
      const roundabout = mailboxes.ask("a", "outer", mailboxes.ask("b", "between", inner));
      expect(yield* roundabout).toMatchObject({ session: "a", reason: "reentrant" });
      expect(yield* mailboxes.active).toBe(0);
    }),
  );

  it.scoped("goes on after a message that failed or died", () =>
    Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(8);
      const died = yield* Effect.exit(mailboxes.ask("a", "test", Effect.die("bug")));
      const failed = yield* Effect.exit(mailboxes.ask("a", "test", Effect.fail("no")));
      expect([Exit.isFailure(died), Exit.isFailure(failed)]).toEqual([true, true]);
      expect(yield* mailboxes.ask("a", "test", Effect.succeed(1))).toBe(1);
    }),
  );

  it.scoped("runs each message in its own caller's context", () =>
    Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(8);
      const ref = yield* FiberRef.make("none");
      const ask = (who: string) =>
        Effect.locally(mailboxes.ask("a", "test", FiberRef.get(ref)), ref, who);
      const [first, second] = yield* Effect.all([ask("first"), ask("second")], {
        concurrency: "unbounded",
      });
      expect([first, second]).toEqual(["first", "second"]);
    }),
  );
});

describe("a message that waits for time", () => {
  const asking = { key: "asking", whileRunning: false };
  const hurrying = { key: "hurrying", whileRunning: false, hurries: true };

  it.scoped("is told of one that hurries, whichever of the two comes first", () =>
    Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(8);
      const wait = mailboxes.ask("a", "wait", hurried);
      const first = yield* Effect.fork(wait);
      const second = yield* Effect.fork(wait);
      yield* settle;
      yield* Effect.fork(mailboxes.ask("a", "patient", Effect.void, asking));
      yield* Effect.fork(mailboxes.ask("b", "another name", Effect.void, hurrying));
      yield* settle;
      expect([first.unsafePoll(), second.unsafePoll()]).toEqual([null, null]);
      yield* mailboxes.ask("a", "hurry", Effect.void, hurrying);
      yield* Fiber.joinAll([first, second]);
    }),
  );

  it.scoped("is not told of one that is behind it no more, nor of one that was before it", () =>
    Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(8);
      const gate = yield* gated;
      const running = yield* Effect.fork(mailboxes.ask("a", "first", gate.work, hurrying));
      yield* gate.begun;
      const waiting = yield* Effect.fork(mailboxes.ask("a", "wait", hurried));
      yield* settle;
      const left = yield* Effect.fork(mailboxes.ask("a", "left", Effect.void, hurrying));
      yield* settle;
      yield* Fiber.interrupt(left);
      yield* gate.go;
      yield* Fiber.join(running);
      yield* settle;
      expect(waiting.unsafePoll()).toBe(null);
      yield* Fiber.interrupt(waiting);
    }),
  );
});

describe("an interrupted caller", () => {
  it.scoped("takes out the message that was not begun", () =>
    Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(8);
      const gate = yield* gated;
      const running = yield* Effect.fork(mailboxes.ask("a", "test", gate.work));
      yield* gate.begun;
      let ran = false;
      const queued = yield* Effect.fork(
        mailboxes.ask(
          "a",
          "test",
          Effect.sync(() => {
            ran = true;
          }),
        ),
      );
      yield* settle;
      yield* Fiber.interrupt(queued);
      yield* gate.go;
      yield* Fiber.join(running);
      yield* settle;
      expect([ran, yield* mailboxes.active]).toEqual([false, 0]);
    }),
  );

  it.scoped("is interrupted only when the message that was begun has ended", () =>
    Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(8);
      const gate = yield* gated;
      let finished = false;
      const work = Effect.zipRight(
        gate.work,
        Effect.sync(() => {
          finished = true;
        }),
      );
      const caller = yield* Effect.fork(mailboxes.ask("a", "test", Effect.uninterruptible(work)));
      yield* gate.begun;
      const interrupting = yield* Effect.fork(Fiber.interrupt(caller));
      yield* settle;
      expect([finished, interrupting.unsafePoll()]).toEqual([false, null]);
      yield* gate.go;
      expect(Exit.isInterrupted(yield* Fiber.join(interrupting))).toBe(true);
      expect(finished).toBe(true);
    }),
  );

  it.scoped("tells its message, which can undo what it did where it may be interrupted", () =>
    Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(8);
      const gate = yield* gated;
      let undone = false;
      const work = Effect.onInterrupt(gate.work, () =>
        Effect.sync(() => {
          undone = true;
        }),
      );
      const caller = yield* Effect.fork(mailboxes.ask("a", "test", work));
      yield* gate.begun;
      yield* Fiber.interrupt(caller);
      expect(undone).toBe(true);
    }),
  );
});

describe("an interruption", () => {
  it.scoped("of a caller does not reach what its finalizers ask for", () =>
    Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(8);
      const answers: Array<string> = [];
      const clear = Effect.map(mailboxes.ask("a", "clear", Effect.succeed("cleared")), (answer) =>
        answers.push(answer),
      );
      const host = yield* Effect.fork(Effect.ensuring(Effect.never, Effect.orDie(clear)));
      yield* settle;
      yield* Fiber.interrupt(host);
      expect(answers).toEqual(["cleared"]);
    }),
  );

  it.scoped("does not hide that the message could not be undone", () =>
    Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(8);
      const gate = yield* gated;
      const work = Effect.uninterruptible(Effect.zipRight(gate.work, Effect.fail("not undone")));
      const caller = yield* Effect.fork(mailboxes.ask("a", "test", work));
      yield* gate.begun;
      const interrupting = yield* Effect.fork(Fiber.interrupt(caller));
      yield* settle;
      yield* gate.go;
      const exit = yield* Fiber.join(interrupting);
      const cause = Exit.isFailure(exit) ? exit.cause : Cause.empty;
      expect([...Cause.failures(cause)]).toEqual(["not undone"]);
      expect(Cause.isInterrupted(cause)).toBe(true);
    }),
  );
});

describe("closing", () => {
  it.effect("answers what waits with Closing and lets what runs end", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make();
      const mailboxes = yield* Scope.extend(makeMailboxes(8), scope);
      const gate = yield* gated;
      const running = yield* Effect.fork(
        mailboxes.ask("a", "first", Effect.uninterruptible(Effect.as(gate.work, "ended"))),
      );
      yield* gate.begun;
      const waiting = yield* Effect.fork(Effect.flip(mailboxes.ask("a", "second", Effect.void)));
      yield* settle;
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void));
      expect(yield* Fiber.join(waiting)).toMatchObject({ _tag: "Closing", attempted: "second" });
      expect(closing.unsafePoll()).toBe(null);
      yield* gate.go;
      expect(yield* Fiber.join(running)).toBe("ended");
      yield* Fiber.join(closing);
      const later = yield* Effect.flip(mailboxes.ask("a", "third", Effect.void));
      expect(later._tag).toBe("Closing");
    }),
  );
});
