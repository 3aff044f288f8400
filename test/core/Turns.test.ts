/**
 * The service: what a program does, and that it retires.
 */
import { describe, expect, it } from "@effect/vitest";
import { Deferred, Effect, Fiber, TestClock } from "effect";
import { heldTurn, runs, settle, told, turnHome } from "./TurnHome.js";

describe("a program that retires", () => {
  it.scoped("waits for a turn that was accepted and does not run yet, and takes no other", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>();
      const home = yield* turnHome({
        registry: (registry) => ({
          ...registry,
          claimLease: (request) =>
            Effect.zipRight(Deferred.await(gate), registry.claimLease(request)),
        }),
      });
      const { handles, turns } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const turn = yield* Effect.fork(handle.runTurn(() => Effect.succeed("ran")));
      yield* settle;
      const retired = yield* Effect.fork(turns.retire);
      yield* settle;
      expect(yield* runs(retired)).toBe(true);
      expect(yield* told(handle.runTurn(() => Effect.void))).toBe("Closing");
      yield* Deferred.succeed(gate, undefined);
      expect(yield* Fiber.join(turn)).toBe("ran");
      yield* Fiber.join(retired);
    }),
  );

  it.scoped("is not waited for by a turn of its own, and is waited for by others", () =>
    Effect.gen(function* () {
      const home = yield* turnHome({}, "a", "b");
      const { handles, turns } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const held = yield* heldTurn(yield* handles.get("b"));
      expect(yield* handle.runTurn(() => Effect.as(turns.retire, "went on"))).toBe("went on");
      expect(yield* told(handle.runTurn(() => Effect.void))).toBe("Closing");
      const retired = yield* Effect.fork(turns.retire);
      yield* settle;
      expect(yield* runs(retired)).toBe(true);
      yield* held.open;
      yield* Fiber.join(retired);
    }),
  );

  it.scoped("before anything runs begins nothing and claims nothing", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles, turns } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      yield* turns.retire;
      expect(yield* told(handle.runTurn(() => Effect.succeed("ran")))).toBe("Closing");
      expect(home.leased()).toEqual([]);
    }),
  );
});

describe("a probe", () => {
  it.scoped("sees that something ran just now, although it was closed", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles, turns } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      yield* heldTurn(handle);
      yield* TestClock.adjust("1 hour");
      const closed = yield* TestClock.currentTimeMillis;
      yield* handle.end("explicit_close");
      yield* TestClock.adjust("1 second");
      expect(yield* turns.activity).toEqual({ running: 0, last: closed });
    }),
  );

  it.scoped("sees the activity that a turn tells of", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles, turns } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const go = yield* Deferred.make<void>();
      yield* Effect.fork(
        handle.runTurn((turn) =>
          Effect.zipRight(Deferred.await(go), Effect.zipRight(turn.touch, Effect.never)),
        ),
      );
      yield* TestClock.adjust("10 minutes");
      yield* Deferred.succeed(go, undefined);
      yield* settle;
      const now = yield* TestClock.currentTimeMillis;
      expect(yield* turns.activity).toEqual({ running: 1, last: now });
    }),
  );
});
