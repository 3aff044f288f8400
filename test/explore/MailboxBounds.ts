/**
 * MailboxBounds: further worlds of mailboxes: what joins only the last one, what is refused at the
 * bound, and what asks from inside.
 *
 * Over any implementation, as those in `MailboxWorlds`.
 */
import { Explore, type World } from "@troupe/testing";
import { Deferred, Effect, Fiber, FiberStatus } from "effect";
import type { Make } from "./MailboxWorlds.js";

/** Waits until the fiber waits itself: from then on its message is in the mailbox. */
const waits = (fiber: Fiber.RuntimeFiber<unknown, unknown>): Effect.Effect<unknown> =>
  Effect.repeat(Effect.zipRight(Effect.yieldNow(), fiber.status), {
    until: (status) => FiberStatus.isSuspended(status) || FiberStatus.isDone(status),
  });

/** An equal message does not go past what was queued before it. */
export const passing = (make: Make): World<string> => ({
  name: "an equal message never passes one that was there before it",
  start: () => ({
    program: Effect.gen(function* () {
      const mailboxes = yield* make;
      const log: Array<string> = [];
      const go = yield* Deferred.make<void>();
      const equal = { key: "equal", whileRunning: true };
      const work = (who: string) =>
        Effect.zipRight(
          Deferred.await(go),
          Effect.sync(() => void log.push(who)),
        );
      const ask = (who: string, joining?: typeof equal) =>
        Effect.tap(Effect.fork(mailboxes.ask("a", who, work(who), joining)), waits);
      const fibers = [
        yield* ask("equal", equal),
        yield* ask("between"),
        yield* ask("equal", equal),
      ];
      yield* Explore.point("go");
      yield* Deferred.succeed(go, undefined);
      yield* Fiber.joinAll(fibers);
      return log.join(", ");
    }).pipe(Effect.scoped),
    check: (log) => (log === "equal, between, equal" ? null : log),
  }),
});

/** One that asks its own name is told so, and does not wait for itself. */
export const reentrant = (make: Make): World<string> => ({
  name: "work that asks its own name is refused, and is no deadlock",
  start: () => ({
    program: Effect.gen(function* () {
      const mailboxes = yield* make;
      const inner = mailboxes.ask("a", "inner", Effect.succeed("done"));
      const told = yield* mailboxes.ask("a", "outer", Effect.either(inner));
      return told._tag === "Left" ? told.left._tag : told.right;
    }).pipe(Effect.scoped),
    check: (told) => (told === "Busy" ? null : told),
  }),
});

/** A mailbox of this bound takes one that runs and so many that wait. */
export const full = (make: Make, bound: number): World<number> => ({
  name: "a mailbox that is full refuses one more",
  start: () => ({
    program: Effect.gen(function* () {
      const mailboxes = yield* make;
      const go = yield* Deferred.make<void>();
      const ask = (who: string) =>
        Effect.either(mailboxes.ask("a", who, Effect.as(Deferred.await(go), who)));
      const fibers = yield* Effect.forEach(Array.from({ length: bound + 3 }), (_, at) =>
        Effect.tap(Effect.fork(ask(`${at}`)), waits),
      );
      yield* Deferred.succeed(go, undefined);
      const answers = yield* Fiber.joinAll(fibers);
      return answers.filter((answer) => answer._tag === "Left").length;
    }).pipe(Effect.scoped),
    check: (refused) => (refused === 2 ? null : `${refused} were refused`),
  }),
});
