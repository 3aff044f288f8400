/**
 * Reply: told once, to everyone who waits or comes later, but not to who left.
 */
import { describe, expect, it } from "@effect/vitest";
import { Reply } from "@troupe/core";
import { Effect, Exit, Fiber } from "effect";

const settle = Effect.repeatN(Effect.yieldNow(), 10);

describe("a reply", () => {
  it.effect("is told to those who wait, in the order in which they came, and to who is late", () =>
    Effect.gen(function* () {
      const reply = new Reply();
      const order: Array<string> = [];
      const wait = (who: string) =>
        Effect.fork(Effect.map(reply.told, (answer) => order.push(`${who} ${answer}`)));
      const fibers = [yield* wait("first"), yield* wait("second")];
      yield* settle;
      expect(order).toEqual([]);
      reply.tell(Exit.succeed(1));
      yield* Fiber.joinAll(fibers);
      expect([...order, yield* reply.told]).toEqual(["first 1", "second 1", 1]);
    }),
  );

  it.effect("is told once, also where it is a failure", () =>
    Effect.gen(function* () {
      const reply = new Reply();
      reply.tell(Exit.fail("no"));
      reply.tell(Exit.succeed("yes"));
      expect(yield* Effect.flip(reply.told)).toBe("no");
    }),
  );

  it.effect("leaves the others to wait when one of them is interrupted", () =>
    Effect.gen(function* () {
      const reply = new Reply();
      const [leaves, stays] = [yield* Effect.fork(reply.told), yield* Effect.fork(reply.told)];
      yield* settle;
      yield* Fiber.interrupt(leaves);
      reply.tell(Exit.succeed("answer"));
      expect(yield* Fiber.join(stays)).toBe("answer");
    }),
  );
});
