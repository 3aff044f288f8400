/**
 * HurryWorlds: a message that only waits for time hears of one that hurries behind it, whenever
 * that comes: while it waits, before it asks, or before it has begun.
 *
 * It waits for nothing else, so a message that does not hear of it is a deadlock.
 */
import { hurried, makeMailboxes } from "@troupe/core";
import { Explore, type World } from "@troupe/testing";
import { Deferred, Effect, Fiber, FiberStatus } from "effect";
import type { NamedWorld } from "./NamedWorld.js";

/** Waits until the fiber waits itself: from then on its message is in the mailbox. */
const waits = (fiber: Fiber.RuntimeFiber<unknown, unknown>): Effect.Effect<unknown> =>
  Effect.repeat(Effect.zipRight(Effect.yieldNow(), fiber.status), {
    until: (status) => FiberStatus.isSuspended(status) || FiberStatus.isDone(status),
  });

/** What the one that waits for time does when the other one comes. */
const times = ["waits", "works", "is queued"] as const;

const world = (time: (typeof times)[number]): World<number> => ({
  name: `a message that ${time}, and one that hurries behind it`,
  granularity: "visible",
  start: () => ({
    program: Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(8);
      const go = yield* Deferred.make<void>();
      const ask = (name: string, work: Effect.Effect<void>) =>
        Effect.tap(Effect.fork(mailboxes.ask("a", name, work)), waits);
      if (time === "is queued") yield* ask("before", Deferred.await(go));
      const work = time === "works" ? Deferred.await(go) : Effect.void;
      const first = yield* ask("first", Effect.zipRight(work, hurried));
      const joining = { key: "second", whileRunning: false, hurries: true };
      const second = yield* Effect.fork(mailboxes.ask("a", "second", Effect.void, joining));
      if (time !== "waits") yield* waits(second);
      yield* Explore.point("go");
      yield* Deferred.succeed(go, undefined);
      yield* Fiber.join(first);
      yield* Fiber.join(second);
      return yield* mailboxes.active;
    }).pipe(Effect.scoped),
    check: (active) => (active === 0 ? null : `${active} names have messages`),
  }),
});

/** Who hurried has left before its message began, and so hurries nobody who comes behind. */
const behindOneThatLeft: World<boolean> = {
  name: "a message that waits behind one that hurried and left",
  granularity: "visible",
  start: () => ({
    program: Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(8);
      const go = yield* Deferred.make<void>();
      const joining = (key: string) => ({ key, whileRunning: true, hurries: true });
      const ask = (name: string, work: Effect.Effect<void>, how?: ReturnType<typeof joining>) =>
        Effect.tap(Effect.fork(mailboxes.ask("a", name, work, how)), waits);
      const first = yield* ask("first", Deferred.await(go));
      yield* Fiber.interrupt(yield* ask("left", Effect.void, joining("left")));
      const waiting = yield* ask("waiting", hurried);
      yield* Deferred.succeed(go, undefined);
      yield* Fiber.join(first);
      // Behind everything that can go on by itself.
      yield* Effect.sleep("1 second");
      const isHurried = waiting.unsafePoll() !== null;
      yield* mailboxes.ask("a", "last", Effect.void, joining("last"));
      yield* Fiber.join(waiting);
      return isHurried;
    }).pipe(Effect.scoped),
    check: (isHurried) => (isHurried ? "it was hurried by one who had left" : null),
  }),
};

/** The worlds. */
export const hurryWorlds: ReadonlyArray<NamedWorld> = [
  ...times.map((time) => ({ world: world(time), cost: 1 })),
  { world: behindOneThatLeft, cost: 1 },
];
