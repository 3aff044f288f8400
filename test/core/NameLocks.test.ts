/**
 * One thing at a time for a name; names do not wait for each other, and cost nothing when idle.
 */
import { describe, expect, it } from "@effect/vitest";
import { NameLocks } from "@troupe/core";
import { Deferred, Effect, Fiber } from "effect";

describe("locks of names", () => {
  it.effect("run one thing of a name at a time, and others beside it", () =>
    Effect.gen(function* () {
      const locks = new NameLocks();
      const gate = yield* Deferred.make<void>();
      const log: Array<string> = [];
      const work = (what: string, until: Effect.Effect<void>) =>
        Effect.sync(() => void log.push(`begin ${what}`)).pipe(
          Effect.zipRight(until),
          Effect.zipRight(Effect.sync(() => void log.push(`end ${what}`))),
        );
      const first = yield* Effect.fork(locks.alone("a")(work("1", Deferred.await(gate))));
      const second = yield* Effect.fork(locks.alone("a")(work("2", Effect.void)));
      yield* Effect.yieldNow();
      yield* locks.alone("b")(work("b", Effect.void));
      expect(log).toEqual(["begin 1", "begin b", "end b"]);
      yield* Deferred.succeed(gate, undefined);
      yield* Fiber.joinAll([first, second]);
      expect(log.slice(3)).toEqual(["end 1", "begin 2", "end 2"]);
      expect(locks.size).toBe(0);
    }),
  );

  it.effect("forget who is interrupted while he waits, and let the next one in", () =>
    Effect.gen(function* () {
      const locks = new NameLocks();
      const gate = yield* Deferred.make<void>();
      const first = yield* Effect.fork(locks.alone("a")(Deferred.await(gate)));
      yield* Effect.yieldNow();
      const waiting = yield* Effect.fork(locks.alone("a")(Effect.void));
      yield* Effect.yieldNow();
      yield* Fiber.interrupt(waiting);
      yield* Fiber.interrupt(first);
      expect(locks.size).toBe(0);
      expect(yield* locks.alone("a")(Effect.succeed("in"))).toBe("in");
    }),
  );
});
