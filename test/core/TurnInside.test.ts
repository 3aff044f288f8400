/**
 * Which turns a fiber is part of: those around it that are not over, also in what they forked.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Fiber } from "effect";
import { settle, turnHome } from "./TurnHome.js";

describe("what a turn forks", () => {
  it.scoped("is part of it as long as that runs, and of no other then", () =>
    Effect.gen(function* () {
      const home = yield* turnHome({}, "a", "b");
      const { handles, turns } = yield* home.hosting("one");
      const [a, b] = [yield* handles.get("a"), yield* handles.get("b")];
      const ends = Effect.zipRight(b.end("explicit_close"), a.end("explicit_close"));
      // Both are around it: neither end waits for its own turn.
      yield* a.runTurn(() => b.runTurn(() => Effect.flatten(Effect.fork(ends))));
      yield* settle;
      expect(home.leased()).toEqual([]);
      const next = yield* handles.get("a");
      const late = yield* next.runTurn(() =>
        Effect.forkScoped(Effect.zipRight(settle, turns.retire)),
      );
      // It is part of nothing any more, so it waits as anybody does.
      yield* Fiber.join(late);
      expect((yield* turns.activity).running).toBe(0);
    }),
  );
});
