/**
 * The state of a writer's attachments as it is followed: from what it is, to its end.
 */
import { describe, expect, it } from "@effect/vitest";
import { Chunk, Effect, Fiber, Stream } from "effect";
import { attachHome, come, later } from "./AttachHome.js";
import { settle } from "./TurnHome.js";

describe("the changes of a writer", () => {
  it.scoped("are told from what is there to the end, each once", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const changes = yield* Effect.fork(Stream.runCollect(home.handle.changes));
      yield* settle;
      const one = yield* come(home.handle, "c");
      yield* one.leave;
      yield* later(20);
      const told = Chunk.toReadonlyArray(yield* Fiber.join(changes));
      expect(told.map(({ _tag }) => _tag)).toEqual([
        ...["Unattended", "Attached", "Detached", "Detached", "Reaping", "Gone"].filter(
          (tag, index, all) => tag !== all[index - 1],
        ),
      ]);
      const later2 = yield* Stream.runCollect(home.handle.changes);
      expect([...later2].map(({ _tag }) => _tag)).toEqual(["Gone"]);
    }),
  );

  it.scoped(
    "are kept for who is slow up to a bound; then the oldest go, and the last is told",
    () =>
      Effect.gen(function* () {
        const home = yield* attachHome();
        const slow = yield* home.handle.changes.pipe(
          Stream.tap(() => Effect.sleep("1 second")),
          Stream.runCollect,
          Effect.fork,
        );
        yield* settle;
        for (let flap = 0; flap < 200; flap++) {
          const client = yield* come(home.handle, "c");
          yield* client.leave;
        }
        yield* home.handle.end("explicit_close");
        yield* later(600);
        const told = Chunk.toReadonlyArray(yield* Fiber.join(slow));
        expect(told.length).toBeLessThan(100);
        expect(told.at(-1)).toEqual({ _tag: "Gone", reason: "explicit_close" });
      }),
  );
});
