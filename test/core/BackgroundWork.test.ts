/**
 * Whether a writer works in the background: as long as somebody says so, and where nobody knows.
 */
import { expect, it } from "@effect/vitest";
import { Effect, Exit, Fiber, Scope, TestClock } from "effect";
import { BackgroundWork } from "../../packages/core/src/BackgroundWork.js";

it.effect("work is held by each scope that says so, until the last one closes", () =>
  Effect.gen(function* () {
    const work = new BackgroundWork(undefined);
    const scopes = yield* Effect.all([Scope.make(), Scope.make()]);
    for (const scope of scopes) yield* Scope.extend(work.hold, scope);
    const seen = [yield* work.presence];
    for (const scope of scopes) {
      yield* Scope.close(scope, Exit.void);
      seen.push(yield* work.presence);
    }
    expect(seen).toEqual(["some", "some", "none"]);
  }),
);

it.effect("a question is believed, and one that fails, dies or hangs is not known", () =>
  Effect.gen(function* () {
    const seen: Array<string> = [];
    for (const asked of [
      Effect.succeed(true),
      Effect.succeed(false),
      Effect.fail("no"),
      Effect.die("no"),
      Effect.uninterruptible(Effect.never),
    ]) {
      const looking = yield* Effect.fork(new BackgroundWork(asked).presence);
      yield* TestClock.adjust("5 seconds");
      seen.push(yield* Fiber.join(looking));
    }
    expect(seen).toEqual(["some", "none", "unknown", "unknown", "unknown"]);
  }),
);
