/**
 * The end of a writer in which a turn runs when its last client leaves: left alone while the turn
 * says something, interrupted once when it does not, and ended over it when that does not help.
 */
import { describe, expect, it } from "@effect/vitest";
import { Deferred, Effect, Fiber } from "effect";
import { attachHome, come, later, stateOf } from "./AttachHome.js";
import { logInto } from "./LoggedLines.js";
import { heldTurn, settle, told } from "./TurnHome.js";

const hours = 3600;

describe("a turn", () => {
  it.scoped("that says something every 300 s for 8 h is left alone", () =>
    Effect.gen(function* () {
      const home = yield* attachHome({ settings: { orphanGraceMs: 200_000 } });
      const turn = yield* Effect.forkScoped(
        home.handle.runTurn(({ touch }) =>
          Effect.forever(Effect.zipRight(Effect.sleep("300 seconds"), touch)),
        ),
      );
      yield* settle;
      const client = yield* come(home.handle, "c");
      yield* later(300);
      yield* client.leave;
      yield* later(8 * hours);
      expect(yield* home.handle.attachment).toMatchObject({ deferred: "turn-active" });
      yield* Fiber.interrupt(turn);
      yield* later(200);
      expect(yield* stateOf(home.handle)).toBe("Gone orphan_reap");
    }),
  );

  it.scoped(
    "that goes silent is interrupted at the first look 600 s later, and heard of once",
    () =>
      Effect.gen(function* () {
        const home = yield* attachHome();
        const turn = yield* Effect.forkScoped(
          home.handle.runTurn(({ touch }) =>
            Effect.zipRight(Effect.zipRight(Effect.sleep("7 seconds"), touch), Effect.never),
          ),
        );
        yield* later(7);
        const client = yield* come(home.handle, "c");
        yield* client.leave;
        yield* later(599.999);
        expect(yield* stateOf(home.handle)).toBe("Detached 1");
        yield* later(0.001);
        expect(yield* told(Fiber.join(turn))).toBe("TurnInterrupted");
        expect(yield* stateOf(home.handle)).toBe("Gone orphan_reap");
      }),
  );

  it.scoped("that never said anything is not taken for active, nor with no time to be so", () =>
    Effect.gen(function* () {
      for (const settings of [{}, { activityStaleMs: 0 }]) {
        const home = yield* attachHome({ settings });
        const says = "activityStaleMs" in settings;
        yield* Effect.forkScoped(
          home.handle.runTurn(({ touch }) =>
            Effect.forever(Effect.zipRight(Effect.sleep("5 seconds"), says ? touch : Effect.void)),
          ),
        );
        yield* settle;
        const client = yield* come(home.handle, "c");
        yield* client.leave;
        yield* later(20);
        expect(yield* stateOf(home.handle)).toBe("Gone orphan_reap");
      }
    }),
  );

  it.scoped("that settles 7.5 s behind its interrupt ends its writer then", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const begun = yield* Deferred.make<void>();
      yield* Effect.forkScoped(
        home.handle.runTurn(() =>
          Effect.ensuring(
            Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never),
            Effect.sleep("7500 millis"),
          ),
        ),
      );
      yield* Deferred.await(begun);
      const client = yield* come(home.handle, "c");
      yield* client.leave;
      yield* later(20);
      expect(yield* stateOf(home.handle)).toBe("Interrupting 1");
      yield* later(7.499);
      expect(yield* stateOf(home.handle)).toBe("Interrupting 1");
      yield* later(0.001);
      expect(yield* stateOf(home.handle)).toBe("Gone orphan_reap");
    }),
  );

  it.scoped("that never settles ends its writer after exactly 60 s awake, which is an error", () =>
    Effect.gen(function* () {
      const lines: Array<string> = [];
      yield* logInto(
        lines,
        Effect.gen(function* () {
          const home = yield* attachHome();
          const { open } = yield* heldTurn(home.handle, { stubborn: true });
          yield* Effect.addFinalizer(() => open);
          const client = yield* come(home.handle, "c");
          yield* client.leave;
          yield* later(20);
          yield* later(30);
          yield* home.suspend("2 hours");
          yield* later(29.999);
          expect(yield* stateOf(home.handle)).toBe("Interrupting 1");
          yield* later(0.001);
          expect(yield* stateOf(home.handle)).toBe("Reaping orphan_reap");
          // The end itself waits for the turn within its own bound, and leaves the lease to it.
          yield* later(5);
          expect([yield* stateOf(home.handle), home.leased()]).toEqual([
            "Gone orphan_reap",
            ["a 1 session"],
          ]);
          yield* open;
          yield* settle;
          expect(home.leased()).toEqual([]);
        }),
      );
      expect(lines.filter((line) => line.startsWith("ERROR"))).toEqual([
        expect.stringContaining("did not settle"),
      ]);
    }),
  );

  it.scoped("that began behind the one that was interrupted makes it a detachment anew", () =>
    Effect.gen(function* () {
      const home = yield* attachHome();
      const first = yield* heldTurn(home.handle, { stubborn: true });
      const client = yield* come(home.handle, "c");
      yield* client.leave;
      yield* later(20);
      const gate = yield* Deferred.make<void>();
      const second = yield* Effect.forkScoped(
        home.handle.runTurn(() => Deferred.await(gate), { waitForSettle: true }),
      );
      yield* settle;
      yield* first.open;
      yield* settle;
      expect(yield* stateOf(home.handle)).toBe("Detached 2");
      yield* Deferred.succeed(gate, undefined);
      yield* Fiber.join(second);
      yield* later(20);
      expect(yield* stateOf(home.handle)).toBe("Gone orphan_reap");
    }),
  );

  it.scoped("that was accepted, and whose lease is asked for as the grace ends, runs", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>();
      const home = yield* attachHome({
        registry: (registry) => ({
          ...registry,
          claimLease: (...asked) =>
            Effect.zipRight(Deferred.await(gate), registry.claimLease(...asked)),
        }),
      });
      const client = yield* come(home.handle, "c");
      yield* client.leave;
      yield* later(19.9);
      const turn = yield* Effect.fork(told(home.handle.runTurn(() => Effect.succeed("ran"))));
      yield* later(0.2);
      const state = yield* stateOf(home.handle);
      yield* Deferred.succeed(gate, undefined);
      expect([state, yield* Fiber.join(turn)]).toEqual(["Detached 1", "ran"]);
      yield* later(20);
      expect(yield* stateOf(home.handle)).toBe("Gone orphan_reap");
    }),
  );

  it.scoped("that waited for an interrupt runs, also where its lease takes a while", () =>
    Effect.gen(function* () {
      const home = yield* attachHome({
        registry: (registry) => ({
          ...registry,
          writeLease: (...asked) => Effect.zipRight(Effect.sleep(5), registry.writeLease(...asked)),
        }),
      });
      const begun = yield* Effect.fork(heldTurn(home.handle, { stubborn: true }));
      yield* later(0.1);
      const first = yield* Fiber.join(begun);
      const client = yield* come(home.handle, "c");
      yield* client.leave;
      yield* later(20);
      const run = home.handle.runTurn(() => Effect.succeed("ran"), { waitForSettle: true });
      const second = yield* Effect.fork(told(run));
      yield* settle;
      yield* first.open;
      yield* later(1);
      expect([yield* Fiber.join(second), yield* stateOf(home.handle)]).toEqual([
        "ran",
        "Detached 2",
      ]);
    }),
  );
});
