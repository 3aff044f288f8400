/**
 * JoinedListing: one listing at a time, each begun behind everyone whom it answers, on gates.
 */
import { describe, expect, it } from "@effect/vitest";
import type { Listing, Tmux } from "@troupe/core";
import { joiningListings } from "@troupe/core";
import { Deferred, Effect, Exit, Fiber, Scope } from "effect";

/** A tmux that lists when it is told to; each listing has the number of its beginning. */
const gated = Effect.gen(function* () {
  const gates: Array<Deferred.Deferred<void>> = [];
  const list = () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>();
      const number = gates.push(gate);
      yield* Deferred.await(gate);
      return { _tag: "NoServer", number } as unknown as Listing;
    });
  const scope = yield* Scope.make();
  const tmux = { list } as unknown as Tmux["Type"];
  const shared = yield* Effect.provideService(joiningListings(tmux), Scope.Scope, scope);
  const ask = Effect.fork(shared.list("test"));
  const settle = Effect.yieldNow().pipe(Effect.repeatN(20));
  return {
    scope,
    begun: Effect.as(settle, gates).pipe(Effect.map((all) => all.length)),
    ask: Effect.zipLeft(ask, settle),
    open: (number: number) =>
      Effect.zipRight(
        Deferred.succeed(gates[number - 1] as Deferred.Deferred<void>, undefined),
        settle,
      ),
  };
});

const numberOf = (fiber: Fiber.RuntimeFiber<Listing, unknown>) =>
  Effect.map(Fiber.join(fiber), (listing) => (listing as unknown as { number: number }).number);

describe("a joined listing", () => {
  it.effect("answers those who asked while one ran with the next, all together", () =>
    Effect.gen(function* () {
      const { ask, begun, open } = yield* gated;
      const first = yield* ask;
      const late = yield* Effect.replicateEffect(ask, 100);
      expect(yield* begun).toBe(1);
      yield* open(1);
      expect(yield* numberOf(first)).toBe(1);
      expect(yield* begun).toBe(2);
      yield* open(2);
      expect(yield* Effect.forEach(late, numberOf)).toEqual(Array(100).fill(2));
      expect(yield* begun).toBe(2);
      const again = yield* ask;
      yield* open(3);
      expect(yield* numberOf(again)).toBe(3);
    }),
  );

  it.effect("goes on when the one who began it leaves", () =>
    Effect.gen(function* () {
      const { ask, begun, open } = yield* gated;
      const first = yield* ask;
      const second = yield* ask;
      yield* Fiber.interrupt(first);
      yield* open(1);
      expect(yield* begun).toBe(2);
      yield* open(2);
      expect(yield* numberOf(second)).toBe(2);
    }),
  );

  it.effect("ends with its scope, and then everyone lists for himself", () =>
    Effect.gen(function* () {
      const { ask, begun, open, scope } = yield* gated;
      const asked = [yield* ask, yield* ask];
      yield* Scope.close(scope, Exit.void);
      expect(yield* begun).toBe(3);
      const late = yield* ask;
      yield* Effect.forEach([2, 3, 4], open);
      const numbers = yield* Effect.forEach([...asked, late], numberOf);
      expect(new Set(numbers).size).toBe(3);
    }),
  );
});
