/**
 * The door of a program: who is in is counted until all of it has unwound, and a program that
 * retires lets nobody in.
 */
import { describe, expect, it } from "@effect/vitest";
import { AwakeClock, makeTurnGate } from "@troupe/core";
import { FakeAwakeClock } from "@troupe/testing";
import { Effect, Fiber, TestClock } from "effect";
import { runs, told } from "./TurnHome.js";

const gate = Effect.flatMap(AwakeClock, makeTurnGate).pipe(Effect.provide(FakeAwakeClock.layer));

describe("the door", () => {
  it.effect("counts who is in, and lets each out once", () =>
    Effect.gen(function* () {
      const { activity, enter } = yield* gate;
      const first = yield* enter("a");
      const second = yield* enter("b");
      expect((yield* activity).running).toBe(2);
      yield* first;
      yield* first;
      expect((yield* activity).running).toBe(1);
      yield* second;
      expect((yield* activity).running).toBe(0);
    }),
  );

  it.effect("remembers when something last happened, beyond the end of what did it", () =>
    Effect.gen(function* () {
      const { activity, enter, touch } = yield* gate;
      expect(yield* activity).toEqual({ running: 0, last: null });
      const out = yield* enter("a");
      yield* TestClock.adjust("1 minute");
      yield* touch;
      yield* TestClock.adjust("1 minute");
      yield* out;
      yield* TestClock.adjust("1 second");
      expect(yield* activity).toEqual({ running: 0, last: 120_000 });
    }),
  );

  it.effect("closes behind who is in, for good, and is done when they are out", () =>
    Effect.gen(function* () {
      const { enter, retire } = yield* gate;
      const out = yield* enter("a");
      const retired = yield* Effect.fork(retire);
      yield* Effect.yieldNow();
      expect(yield* told(Effect.asVoid(enter("b")))).toBe("Closing");
      expect(yield* runs(retired)).toBe(true);
      yield* out;
      yield* Fiber.join(retired);
      yield* retire;
      expect(yield* told(Effect.asVoid(enter("b")))).toBe("Closing");
    }),
  );
});
