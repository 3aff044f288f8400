/**
 * MailboxQueues: which messages may answer for each other, seen through the mailboxes.
 */
import { describe, expect, it } from "@effect/vitest";
import { makeMailboxes } from "@troupe/core";
import { Deferred, Effect, Fiber } from "effect";

/** Work that tells when it began and ends when it is let go. */
const gated = Effect.gen(function* () {
  const begun = yield* Deferred.make<void>();
  const go = yield* Deferred.make<void>();
  const work = Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(go));
  return { begun: Deferred.await(begun), go: Deferred.succeed(go, undefined), work };
});

/** Lets every fiber that can go on do so. */
const settle = Effect.repeatN(Effect.yieldNow(), 50);

describe("joining", () => {
  const same = { key: "same", whileRunning: false };

  /** Callers of these keys behind a message that runs, and how often their work ran. */
  const behind = (keys: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(8);
      const gate = yield* gated;
      const running = yield* Effect.fork(mailboxes.ask("a", "first", gate.work));
      yield* gate.begun;
      let ran = 0;
      const work = Effect.sync(() => ++ran);
      const callers: Array<Fiber.RuntimeFiber<number, unknown>> = [];
      for (const key of keys) {
        callers.push(yield* Effect.fork(mailboxes.ask("a", key, work, { ...same, key })));
        yield* settle;
      }
      return { callers, finish: Effect.zipRight(gate.go, Fiber.join(running)), ran: () => ran };
    });

  it.scoped("answers callers of the same key that come one after the other with one run", () =>
    Effect.gen(function* () {
      const { callers, finish, ran } = yield* behind(["x", "x", "x"]);
      yield* finish;
      expect(yield* Effect.forEach(callers, Fiber.join)).toEqual([1, 1, 1]);
      expect(ran()).toBe(1);
    }),
  );

  it.scoped("never passes a message that stands between", () =>
    Effect.gen(function* () {
      const { callers, finish } = yield* behind(["x", "y", "x"]);
      yield* finish;
      expect(yield* Effect.forEach(callers, Fiber.join)).toEqual([1, 2, 3]);
    }),
  );

  it.scoped("leaves the message to the others until the last of its callers is interrupted", () =>
    Effect.gen(function* () {
      const one = yield* behind(["x", "x"]);
      yield* Effect.forEach(one.callers.slice(0, 1), Fiber.interrupt);
      yield* one.finish;
      expect(yield* Effect.forEach(one.callers.slice(1), Fiber.join)).toEqual([1]);
      const all = yield* behind(["x", "x"]);
      yield* Effect.forEach(all.callers, Fiber.interrupt);
      yield* all.finish;
      yield* settle;
      expect([one.ran(), all.ran()]).toEqual([1, 0]);
    }),
  );

  it.scoped("joins what runs only where that is said, and not when something is queued", () =>
    Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(8);
      const gate = yield* gated;
      let ran = 0;
      const work = Effect.zipRight(
        gate.work,
        Effect.sync(() => ++ran),
      );
      const running = { key: "same", whileRunning: true };
      const first = yield* Effect.fork(mailboxes.ask("a", "first", work, running));
      yield* gate.begun;
      const joined = yield* Effect.fork(mailboxes.ask("a", "joined", work, running));
      yield* settle;
      const own = yield* Effect.fork(mailboxes.ask("a", "own", work, same));
      yield* settle;
      const other = yield* Effect.fork(mailboxes.ask("a", "other", work, { ...running, key: "o" }));
      yield* settle;
      yield* gate.go;
      const answers = yield* Effect.forEach([first, joined, own, other], Fiber.join);
      expect(answers).toEqual([1, 1, 2, 3]);
    }),
  );
});
