/**
 * The lease behind a turn, where the registry is busy just then: no later turn runs under one that
 * was given up, and a holder that runs nothing is known for that in the end.
 */
import { describe, expect, it } from "@effect/vitest";
import { RegistryUnavailable } from "@troupe/core";
import { Effect, Fiber, TestClock } from "effect";
import type { Around } from "./LeaseHome.js";
import { heldTurn, runs, told, turnHome } from "./TurnHome.js";

const busy = new RegistryUnavailable({ session: null, attempted: "write", detail: "busy" });

/** A registry that takes nothing back, and notes no end of a turn, while it is so. */
const flaky = () => {
  const told = { isBusy: false, idles: 0 };
  const around: Around = (registry) => ({
    ...registry,
    releaseLease: (lease) => (told.isBusy ? busy : registry.releaseLease(lease)),
    writeLease: (lease, note) =>
      Effect.suspend(() => {
        if (note.turn !== null) return registry.writeLease(lease, note);
        told.idles += 1;
        return told.isBusy ? busy : registry.writeLease(lease, note);
      }),
  });
  return { told, around };
};

describe("behind a turn whose lease could not be given back", () => {
  it.scoped("the next one claims it again, and no sweep takes it from under that", () =>
    Effect.gen(function* () {
      const { around, told: state } = flaky();
      const home = yield* turnHome({ settings: { leaseSweepMs: 10_000 }, registry: around });
      const [one, two] = [yield* home.hosting("one"), yield* home.hosting("two")];
      const handle = yield* one.handles.get("a", { kind: "turn" });
      state.isBusy = true;
      const first = yield* Effect.fork(handle.runTurn(() => Effect.succeed("done")));
      yield* TestClock.adjust("1 second");
      expect([yield* Fiber.join(first), home.leased()]).toEqual(["done", ["a 1 session"]]);
      state.isBusy = false;
      const held = yield* heldTurn(handle);
      yield* TestClock.adjust("30 seconds");
      const other = yield* two.handles.get("a", { kind: "turn" });
      expect(yield* told(other.runTurn(() => Effect.void))).toBe("LeaseHeld");
      expect([yield* runs(held.fiber), home.leased()]).toEqual([true, ["a 1 session"]]);
      yield* held.open;
      yield* Fiber.join(held.fiber);
      expect(home.leased()).toEqual([]);
      yield* other.runTurn(() => Effect.void);
    }),
  );

  it.scoped("the next writer of the same program gets it at once", () =>
    Effect.gen(function* () {
      const { around, told: state } = flaky();
      const home = yield* turnHome({ registry: around });
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      yield* handle.runTurn(() => Effect.void);
      state.isBusy = true;
      const end = yield* Effect.fork(told(handle.end("explicit_close")));
      yield* TestClock.adjust("1 second");
      expect(yield* Fiber.join(end)).toBe("RegistryUnavailable");
      state.isBusy = false;
      const next = yield* handles.get("a");
      expect(yield* next.runTurn(() => Effect.succeed("ran"))).toBe("ran");
      expect(home.leased()).toEqual(["a 2 session"]);
    }),
  );
});

describe("behind a turn whose end could not be noted", () => {
  it.scoped("it is noted a moment later, so a takeover waits for nothing that has ended", () =>
    Effect.gen(function* () {
      const { around, told: state } = flaky();
      const home = yield* turnHome({ registry: around });
      const [one, two] = [yield* home.hosting("one"), yield* home.hosting("two")];
      const handle = yield* one.handles.get("a");
      state.isBusy = true;
      yield* handle.runTurn(() => Effect.void);
      yield* TestClock.adjust("5 seconds");
      expect(yield* told(two.handles.takeOver("a"))).toBe("LeaseHeld");
      state.isBusy = false;
      yield* TestClock.adjust("1 second");
      yield* two.handles.takeOver("a");
      expect(home.leased()).toEqual(["a 2 session"]);
    }),
  );

  it.scoped("it is left alone when another turn runs, which then says it", () =>
    Effect.gen(function* () {
      const { around, told: state } = flaky();
      const home = yield* turnHome({ registry: around });
      const [one, two] = [yield* home.hosting("one"), yield* home.hosting("two")];
      const handle = yield* one.handles.get("a");
      state.isBusy = true;
      yield* handle.runTurn(() => Effect.void);
      const held = yield* heldTurn(handle);
      state.isBusy = false;
      yield* TestClock.adjust("10 seconds");
      expect([yield* told(two.handles.takeOver("a")), state.idles]).toEqual(["LeaseHeld", 1]);
      yield* held.open;
      yield* Fiber.join(held.fiber);
      yield* two.handles.takeOver("a");
      expect(state.idles).toBe(2);
    }),
  );
});
