/**
 * The peer of a client: however it ends, and whatever it tells of that, its client goes with it.
 */
import { expect, it } from "@effect/vitest";
import { Deferred, Effect } from "effect";
import { attachHome, come, later, stateOf } from "./AttachHome.js";
import { settle } from "./TurnHome.js";

it.scoped("a client whose peer died, or only answers that it is gone, is gone", () =>
  Effect.gen(function* () {
    const home = yield* attachHome({ settings: { orphanGraceMs: 0 } });
    const peer = yield* Deferred.make<void>();
    const closed = Effect.zipRight(Deferred.await(peer), Effect.die(new Error("ECONNRESET")));
    yield* come(home.handle, { id: "c", closed });
    yield* Deferred.succeed(peer, undefined);
    yield* settle;
    expect(yield* stateOf(home.handle)).toBe("Detached 1");
    let isGone = false;
    yield* come(home.handle, { id: "d", isClosed: () => isGone });
    yield* later(301);
    expect(yield* stateOf(home.handle)).toBe("Attached 1 d");
    isGone = true;
    yield* later(299);
    expect(yield* stateOf(home.handle)).toBe("Detached 2");
  }),
);
