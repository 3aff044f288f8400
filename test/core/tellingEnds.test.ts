/**
 * Where being told ends: with all that a peer is attached by, for whoever is said to be gone, and
 * not before the last element where the program closes; also behind the end of a writer.
 */
import { describe, expect, it } from "@effect/vitest";
import type { AttachElement, SessionClient } from "@troupe/core";
import { Effect, Exit, Fiber, Scope } from "effect";
import { attachHome, come, later, stateOf } from "./AttachHome.js";
import { settle, turnHome } from "./TurnHome.js";

/** A client that takes a second for each element. */
const slow = (id: string) => {
  const told: Array<AttachElement> = [];
  const deliver = (element: AttachElement) =>
    Effect.andThen(Effect.sleep("1 second"), () => void told.push(element));
  return { id, told, deliver };
};

describe("a peer that cannot be told", () => {
  it.scoped("loses all that it is attached by, also what it was not told by any more", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const peer: SessionClient = { id: "c", deliver: () => Effect.fail("dead") };
      const first = yield* come(home.handle, peer, { terminal: "nowhere" });
      expect((yield* Effect.flip(first.attachment.delivered))._tag).toBe("NotFound");
      expect(yield* stateOf(home.handle)).toBe("Attached 0 c");
      const second = yield* come(home.handle, peer, { output: false, since: 0 });
      expect((yield* Effect.flip(second.attachment.delivered))._tag).toBe("ClientGone");
      yield* settle;
      expect(yield* stateOf(home.handle)).toBe("Detached 1");
    }),
  );
});

describe("a client that is gone", () => {
  it.scoped("is told nothing any more, also of a writer that has ended", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const client = slow("c");
      const { attachment } = yield* come(home.handle, client, { since: 0, output: false });
      yield* later(2);
      yield* home.handle.end("explicit_close");
      yield* settle;
      const before = client.told.length;
      yield* home.one.handles.clientGone("c");
      yield* later(60);
      expect([before > 0, client.told.length]).toEqual([true, before]);
      expect((yield* Effect.flip(attachment.delivered))._tag).toBe("ClientGone");
    }),
  );
});

describe("a program that closes", () => {
  it.scoped("waits also for who is still told of a writer that ended just before", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const scope = yield* Scope.make();
      const { handles } = yield* Scope.extend(home.hosting("one"), scope);
      const handle = yield* handles.get("a");
      const client = slow("c");
      yield* come(handle, client, { output: false });
      yield* settle;
      yield* handle.end("explicit_close");
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void));
      yield* later(5);
      yield* Fiber.join(closing);
      expect(client.told).toEqual([{ type: "ended", reason: "explicit_close" }]);
    }),
  );

  it.scoped("answers who is cut off by that", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const scope = yield* Scope.make();
      const { handles } = yield* Scope.extend(home.hosting("one"), scope);
      const handle = yield* handles.get("a");
      const hangs = { id: "c", deliver: () => Effect.uninterruptible(Effect.sleep("4 seconds")) };
      const { attachment } = yield* come(handle, hangs, { since: 0, output: false });
      yield* settle;
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void));
      yield* later(5);
      yield* Fiber.join(closing);
      expect(Exit.isFailure(yield* Effect.exit(attachment.delivered))).toBe(true);
    }),
  );
});
