/**
 * How often tmux is asked for each operation, when nothing resists.
 *
 * A call is a client of tmux, or a line of a connection: both cost a round trip.
 */
import { describe, expect, it } from "@effect/vitest";
import { Sessions } from "@troupe/core";
import { FakeTmux, FakeTroupe } from "@troupe/testing";
import { Effect, Fiber, TestClock } from "effect";

const sleep = { command: ["sleep", "600"], cwd: "/" };

/** What the calls of the work attempted, in order. */
const callsOf = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const tmux = yield* FakeTmux;
    const before = (yield* tmux.requests).length;
    const working = yield* Effect.fork(work);
    while (working.unsafePoll() === null) yield* TestClock.adjust(10);
    yield* Fiber.join(working);
    return (yield* tmux.requests).slice(before).map(({ attempted }) => attempted);
  });

const onServer = Effect.gen(function* () {
  const sessions = yield* Sessions;
  yield* callsOf(sessions.create({ session: "first", ...sleep }));
  return sessions;
});

describe("tmux is asked", () => {
  it.effect("for a create to look and to make, and once more at the end of a start window", () =>
    Effect.gen(function* () {
      const sessions = yield* onServer;
      const create = sessions.create({ session: "a", ...sleep, startWindowMs: 0 });
      expect(yield* callsOf(create)).toEqual(["create", "create"]);
      const windowed = sessions.create({ session: "b", ...sleep, startWindowMs: 100 });
      expect(yield* callsOf(windowed)).toEqual(["create", "create", "create"]);
    }).pipe(Effect.provide(FakeTroupe.layer())),
  );

  it.effect("for a further terminal to look and to make, and at the end of its window", () =>
    Effect.gen(function* () {
      const sessions = yield* onServer;
      const add = (startWindowMs: number) =>
        callsOf(sessions.addTerminal({ session: "first", ...sleep, startWindowMs }));
      expect((yield* add(0)).length).toBe(2);
      expect((yield* add(100)).length).toBe(3);
    }).pipe(Effect.provide(FakeTroupe.layer())),
  );

  it.effect("for a delete to look, with all captures, and to kill, however many terminals", () =>
    Effect.gen(function* () {
      const sessions = yield* onServer;
      for (const _ of [2, 3]) {
        yield* callsOf(sessions.addTerminal({ session: "first", ...sleep }));
      }
      const calls = yield* callsOf(sessions.delete("first"));
      expect(calls).toEqual(["delete", "kill"]);
      yield* callsOf(sessions.create({ session: "a", ...sleep }));
      expect(yield* callsOf(sessions.delete("a", { snapshot: false }))).toEqual(["delete", "kill"]);
      expect(yield* callsOf(sessions.delete("a"))).toEqual(["delete"]);
    }).pipe(Effect.provide(FakeTroupe.layer())),
  );

  it.effect("once for a listing, and once for a reconcile that has nothing to do", () =>
    Effect.gen(function* () {
      const sessions = yield* onServer;
      yield* callsOf(sessions.create({ session: "a", ...sleep }));
      expect(yield* callsOf(sessions.list())).toEqual(["list"]);
      expect(yield* callsOf(sessions.reconcileAll)).toEqual(["reconcile"]);
      expect(yield* callsOf(sessions.get("a"))).toEqual(["look"]);
    }).pipe(Effect.provide(FakeTroupe.layer())),
  );
});
