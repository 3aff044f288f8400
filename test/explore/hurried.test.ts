/**
 * Goal: a message that only waits for time is told of one that hurries behind it, under every
 * order of fibers, whether it has begun when that comes or not. Method: it waits for nothing else,
 * so a message that is not told is a deadlock; the twins do not hurry.
 */
import { hurried, makeMailboxes } from "@troupe/core";
import { Explore, type World } from "@troupe/testing";
import { Deferred, Effect, Fiber, FiberStatus } from "effect";
import { describe, expect, it } from "vitest";

/** Waits until the fiber waits itself: from then on its message is in the mailbox. */
const waits = (fiber: Fiber.RuntimeFiber<unknown, unknown>): Effect.Effect<unknown> =>
  Effect.repeat(Effect.zipRight(Effect.yieldNow(), fiber.status), {
    until: (status) => FiberStatus.isSuspended(status) || FiberStatus.isDone(status),
  });

/** With `queued`, behind a message that ends at the moment at which the one that hurries comes. */
const world = (options: {
  readonly hurries: boolean;
  readonly queued: boolean;
}): World<number> => ({
  name: `a message that ${options.queued ? "is queued" : "runs"}, and one that hurries`,
  granularity: "visible",
  start: () => ({
    program: Effect.gen(function* () {
      const mailboxes = yield* makeMailboxes(8);
      const go = yield* Deferred.make<void>();
      if (options.queued) {
        yield* waits(yield* Effect.fork(mailboxes.ask("a", "before", Deferred.await(go))));
      }
      const first = yield* Effect.fork(mailboxes.ask("a", "first", hurried));
      yield* waits(first);
      yield* Effect.fork(Deferred.succeed(go, undefined));
      const joining = { key: "second", whileRunning: false, hurries: options.hurries };
      yield* mailboxes.ask("a", "second", Effect.void, joining);
      yield* Fiber.join(first);
      return yield* mailboxes.active;
    }).pipe(Effect.scoped),
  }),
});

describe.each([false, true])("a message that waits for time, queued: %s", (queued) => {
  it("is told of one that hurries, under every order of fibers", () => {
    const report = Explore.verify(world({ hurries: true, queued }), { cost: 1 });
    console.log(Explore.printReport(report));
    expect(report.budgets.every(({ exhausted }) => exhausted)).toBe(true);
  });

  it("waits for ever behind one that does not", () => {
    const { failure } = Explore.explore(world({ hurries: false, queued }), { cost: 0 });
    expect(failure).toMatchObject({ kind: "deadlock" });
  });
});
