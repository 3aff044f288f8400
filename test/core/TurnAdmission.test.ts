/**
 * Whether a turn may begin: what closes or is dropped while it is let in leaves nothing behind, and
 * a lease that was lost meanwhile is found out before anything runs.
 */
import { describe, expect, it } from "@effect/vitest";
import { Deferred, Effect, Fiber } from "effect";
import { pass } from "./FakeHome.js";
import type { Around } from "./LeaseHome.js";
import { settle, told, turnHome } from "./TurnHome.js";

/** A registry that answers claims only when the gate is open. */
const gated =
  (gate: Deferred.Deferred<void>): Around =>
  (registry) => ({
    ...registry,
    claimLease: (request) => Effect.tap(registry.claimLease(request), () => Deferred.await(gate)),
  });

describe("a turn that is let in", () => {
  it.scoped("while its writer closes is refused, and the lease that it claimed goes", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>();
      const home = yield* turnHome({ registry: gated(gate) });
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      let ran = false;
      const body = () =>
        Effect.sync(() => {
          ran = true;
        });
      const turn = yield* Effect.fork(told(handle.runTurn(body)));
      yield* settle;
      expect(home.leased()).toEqual(["a 1 session"]);
      yield* handle.end("explicit_close");
      yield* Deferred.succeed(gate, undefined);
      expect(yield* Fiber.join(turn)).toBe("Closing");
      expect([home.leased(), ran]).toEqual([[], false]);
      const two = yield* (yield* home.hosting("two")).handles.get("a");
      yield* two.runTurn(() => Effect.void);
    }),
  );

  it.scoped("never begins behind the end of its writer, wherever that comes", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const began = { before: 0, behind: 0, never: 0 };
      for (let yields = 0; yields < 60; yields++) {
        const handle = yield* handles.get("a");
        yield* handle.runTurn(() => Effect.void);
        let hasEnded = false;
        let at: keyof typeof began = "never";
        const body = Effect.sync(() => {
          at = hasEnded ? "behind" : "before";
        });
        const slow = Effect.withMaxOpsBeforeYield(20)(told(handle.runTurn(() => body)));
        const turn = yield* Effect.fork(slow);
        yield* Effect.repeatN(Effect.yieldNow(), yields);
        yield* pass(handle.end("runtime_shutdown"));
        hasEnded = true;
        expect([undefined, "Closing", "NotFound"]).toContain(yield* pass(Fiber.join(turn)));
        began[at] += 1;
        expect(home.leased()).toEqual([]);
      }
      expect(began.behind).toBe(0);
      expect([began.before > 0, began.never > 0]).toEqual([true, true]);
    }),
  );

  it.scoped("and dropped before it begins does not run, and its claim goes", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>();
      const home = yield* turnHome({ registry: gated(gate) });
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      const turn = yield* Effect.fork(told(handle.runTurn(() => Effect.succeed("ran"))));
      yield* settle;
      expect(yield* handle.interrupt("user_stop")).toBe(false);
      yield* Deferred.succeed(gate, undefined);
      expect(yield* Fiber.join(turn)).toBe("TurnInterrupted");
      expect(home.leased()).toEqual([]);
      expect(yield* handle.runTurn(() => Effect.succeed("ran"))).toBe("ran");
    }),
  );

  it.scoped(
    "under a lease that was lost meanwhile does not run, and its writer runs none again",
    () =>
      Effect.gen(function* () {
        const home = yield* turnHome();
        const { handles } = yield* home.hosting("one");
        const handle = yield* handles.get("a");
        yield* handle.runTurn(() => Effect.void);
        yield* pass(home.sessions.delete("a"));
        yield* pass(home.sessions.create({ session: "a", command: ["reader"], cwd: "/" }));
        const again = handle.runTurn(() => Effect.succeed("ran"));
        expect([yield* told(again), yield* told(again)]).toEqual(["LeaseLost", "LeaseLost"]);
        expect(yield* handle.state).toBe("lost");
        const next = yield* handles.get("a");
        expect(yield* next.runTurn(() => Effect.succeed("ran"))).toBe("ran");
        expect(home.leased()).toEqual(["a 2 session"]);
      }),
  );
});
