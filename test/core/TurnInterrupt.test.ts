/**
 * Waiting for a turn that was asked to stop: as long as it takes, up to a bound, and never for
 * oneself.
 */
import { describe, expect, it } from "@effect/vitest";
import { Deferred, Effect, Fiber, TestClock } from "effect";
import { heldTurn, runs, turnHome } from "./TurnHome.js";

/** An end for this reason while a turn runs that ends so long after it was asked to. */
const ending = (reason: "explicit_close" | "runtime_shutdown", after: string | null) =>
  Effect.gen(function* () {
    const home = yield* turnHome();
    const { handles } = yield* home.hosting("one");
    const handle = yield* handles.get("a");
    const begun = yield* Deferred.make<void>();
    const last = after === null ? Effect.never : Effect.sleep(after as "2 seconds");
    const body = Effect.ensuring(
      Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never),
      last,
    );
    yield* Effect.forkScoped(handle.runTurn(() => body));
    yield* Deferred.await(begun);
    return { home, end: yield* Effect.fork(handle.end(reason)) };
  });

describe("an end", () => {
  it.scoped("waits for its turn as long as that takes", () =>
    Effect.gen(function* () {
      const { end, home } = yield* ending("explicit_close", "2 seconds");
      yield* TestClock.adjust("1999 millis");
      expect([yield* runs(end), home.leased()]).toEqual([true, ["a 1 session"]]);
      yield* TestClock.adjust("1 millis");
      yield* Fiber.join(end);
      expect(home.leased()).toEqual([]);
    }),
  );

  it.scoped("waits for 5 s and no longer, and the lease then waits for the turn", () =>
    Effect.gen(function* () {
      const { end, home } = yield* ending("explicit_close", "10 seconds");
      yield* TestClock.adjust("4999 millis");
      expect(yield* runs(end)).toBe(true);
      yield* TestClock.adjust("1 millis");
      yield* Fiber.join(end);
      expect(home.leased()).toEqual(["a 1 session"]);
      yield* TestClock.adjust("5 seconds");
      expect(home.leased()).toEqual([]);
    }),
  );

  it.scoped("at a shutdown waits for nothing", () =>
    Effect.gen(function* () {
      const { end } = yield* ending("runtime_shutdown", "10 seconds");
      yield* TestClock.adjust(0);
      yield* Fiber.join(end);
      yield* TestClock.adjust("10 seconds");
    }),
  );

  it.scoped(
    "from inside its turn does not wait for itself, and the lease goes behind the turn",
    () =>
      Effect.gen(function* () {
        const home = yield* turnHome();
        const { handles } = yield* home.hosting("one");
        const handle = yield* handles.get("a");
        const gate = yield* Deferred.make<void>();
        const turn = yield* Effect.fork(
          handle.runTurn(() =>
            handle
              .end("explicit_close")
              .pipe(Effect.zipRight(Deferred.await(gate)), Effect.as("its own end")),
          ),
        );
        yield* TestClock.adjust("1 second");
        expect([yield* runs(turn), home.leased()]).toEqual([true, ["a 1 session"]]);
        yield* Deferred.succeed(gate, undefined);
        expect(yield* Fiber.join(turn)).toBe("its own end");
        yield* TestClock.adjust("1 second");
        expect(home.leased()).toEqual([]);
      }),
  );

  it.scoped("counts the time awake: a machine that slept settled nothing", () =>
    Effect.gen(function* () {
      const home = yield* turnHome();
      const { handles } = yield* home.hosting("one");
      const handle = yield* handles.get("a");
      yield* heldTurn(handle, { stubborn: true }).pipe(
        Effect.tap(({ open }) => Effect.addFinalizer(() => open)),
      );
      const end = yield* Effect.fork(handle.end("explicit_close"));
      yield* TestClock.adjust("1 second");
      yield* home.suspend("1 hour");
      yield* TestClock.adjust("3900 millis");
      expect(yield* runs(end)).toBe(true);
      yield* TestClock.adjust("100 millis");
      yield* Fiber.join(end);
    }),
  );
});
